import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icons/icons.tsx'
import classes from './state-panel.module.css'

interface StatePanelProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  /** Whether it is the whole page, and its title that of the page. */
  readonly isPage?: boolean
  /** What can be done about it. */
  readonly action?: ReactNode
}

/** What stands where something would be: nothing there, nothing found, or it could not be had. */
export function StatePanel({ icon, title, children, isPage = false, action }: StatePanelProps) {
  const Title = isPage ? 'h1' : 'h2'
  return (
    <div className={classes['panel']}>
      <span className={classes['icon']}>
        <Icon name={icon} size={20} />
      </span>
      <Title className={classes['title']}>{title}</Title>
      {children !== undefined && <div className={classes['text']}>{children}</div>}
      {action}
    </div>
  )
}
