import type { Project } from '@bugle/contract'
import { Link } from '@tanstack/react-router'
import { Icon, type IconName } from '../ui/icons.tsx'
import { Brand } from './brand.tsx'
import { INBOX_SEARCH } from './inbox-address.ts'
import { LiveLight } from './live-light.tsx'
import { PersonMenu } from './person-menu.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { SavedViews } from './saved-views.tsx'
import classes from './sidebar.module.css'

const PAGES = [
  { to: '/projects/$slug/issues', search: INBOX_SEARCH, icon: 'inbox', name: 'Inbox' },
  { to: '/projects/$slug/insights', search: {}, icon: 'insights', name: 'Insights' },
  { to: '/projects/$slug/settings', search: {}, icon: 'project', name: 'Project' },
] as const satisfies readonly { to: string; search: object; icon: IconName; name: string }[]

/** Where one is, and where one can go. */
export function Sidebar({ project }: { readonly project: Project | undefined }) {
  return (
    <div className={classes['sidebar']}>
      <div className={classes['head']}>
        <Brand />
        <LiveLight />
      </div>
      <ProjectSwitcher project={project} />
      {project !== undefined && (
        <>
          <nav aria-label="Project" className={classes['nav']}>
            {PAGES.map(({ to, search, icon, name }) => (
              <Link
                key={to}
                to={to}
                params={{ slug: project.slug }}
                search={search}
                className={classes['link']}
                activeProps={{ 'aria-current': 'page' }}
                activeOptions={{ includeSearch: false }}
              >
                <Icon name={icon} />
                {name}
              </Link>
            ))}
          </nav>
          <SavedViews project={project} />
        </>
      )}
      <div className={classes['foot']}>
        <a href="/docs" className={classes['link']}>
          <Icon name="docs" />
          Documentation
        </a>
        <PersonMenu />
      </div>
    </div>
  )
}
