import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icons/icons.tsx'
import classes from './state-panel.module.css'

interface StatePanelProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  /** Whether it fills the page and its title is the page title. */
  readonly isPage?: boolean
  /** Buttons or links. */
  readonly action?: ReactNode
}

/** Shown in place of content that is empty, not found or not loaded. */
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
