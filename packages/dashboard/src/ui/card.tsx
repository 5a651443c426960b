import { type ReactNode, useId } from 'react'
import classes from './card.module.css'

interface CardProps {
  readonly title: string
  /** A short explanation. */
  readonly hint?: string | undefined
  /** Next to the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A titled section of a page. */
export function Card({ title, hint, actions, children }: CardProps) {
  const id = useId()
  return (
    <section className={classes['card']} aria-labelledby={id}>
      <div className={classes['head']}>
        <div className={classes['words']}>
          <h2 id={id}>{title}</h2>
          {hint !== undefined && <p className={classes['hint']}>{hint}</p>}
        </div>
        {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
      </div>
      {children}
    </section>
  )
}
