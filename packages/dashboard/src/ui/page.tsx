import { type ReactNode, useEffect } from 'react'
import classes from './page.module.css'

interface PageProps {
  readonly title: string
  /** Beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page that scrolls as a whole, with its title at the top. */
export function Page({ title, actions, children }: PageProps) {
  useTitle(title)
  return (
    <div className={classes['page']}>
      <header className={classes['head']}>
        <h1>{title}</h1>
        {actions}
      </header>
      <div className={classes['body']}>{children}</div>
    </div>
  )
}

/** Names the tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Bugle`
  }, [title])
}
