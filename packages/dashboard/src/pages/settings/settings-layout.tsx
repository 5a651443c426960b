import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { sessionQuery } from '../../api/people/session.ts'
import { StatePanel } from '../../ui/feedback/state-panel.tsx'
import classes from './settings.module.css'
import { settingsAddress } from './settings-address.ts'

const PAGES = [
  { page: 'projects', name: 'Projects' },
  { page: 'people', name: 'People' },
  { page: 'keys', name: 'Keys for all projects' },
  { page: 'server', name: 'Server' },
  { page: 'audit-log', name: 'Audit log' },
] as const

/** The navigation between the pages of the settings. */
export function SettingsLayout({ children }: { readonly children: ReactNode }) {
  const { data: session } = useQuery(sessionQuery)
  if (session?.user.role !== 'admin') {
    return (
      <StatePanel isPage icon="person" title="Settings are for admins">
        Ask an admin to change your role, or to make the change for you.
      </StatePanel>
    )
  }
  return (
    <div className={classes['layout']}>
      <nav aria-label="Settings" className={classes['nav']}>
        {PAGES.map(({ page, name }) => (
          <Link
            key={page}
            {...settingsAddress(page)}
            className={classes['tab']}
            activeProps={{ 'data-current': true }}
          >
            {name}
          </Link>
        ))}
      </nav>
      <div className={classes['content']}>{children}</div>
    </div>
  )
}
