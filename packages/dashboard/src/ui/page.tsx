import { createContext, type ReactNode, useContext, useEffect } from 'react'
import classes from './page.module.css'

interface PageProps {
  readonly title: string
  /** Next to the title. */
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

/** The project, for the title of the tab. */
export const TitleContext = createContext<string | undefined>(undefined)

/** Sets the title of the tab: page, project, Bugle. */
export function useTitle(title: string): void {
  const project = useContext(TitleContext)
  useEffect(() => {
    document.title = [title, project, 'Bugle'].filter((part) => part !== undefined).join(' · ')
  }, [title, project])
}
