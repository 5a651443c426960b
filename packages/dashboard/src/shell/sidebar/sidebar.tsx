import type { Project } from '@bugle/contract'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { Suspense } from 'react'
import { sessionQuery, useMay } from '../../api/people/session.ts'
import { viewsQuery } from '../../api/people/views.ts'
import { Icon, type IconName } from '../../ui/icons/icons.tsx'
import { useProjects } from '../current-project.ts'
import { ASSIGNED_SEARCH, EVERYWHERE_SEARCH, INBOX_SEARCH } from '../inbox-address.ts'
import { lazyPart } from '../lazy-part.ts'
import { LiveLight } from '../live-light.tsx'
import { Brand } from './brand.tsx'
import { currentItem } from './current-item.ts'
import { PersonMenu } from './person-menu.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { SideLink } from './side-link.tsx'
import classes from './sidebar.module.css'

const SavedViews = lazyPart(() => import('./views/saved-views.tsx'), 'SavedViews')

const PAGES = [
  { item: 'issues', to: '/projects/$slug/issues', search: INBOX_SEARCH, icon: 'inbox', name: 'Inbox' },
  {
    item: 'assigned',
    to: '/projects/$slug/issues',
    search: ASSIGNED_SEARCH,
    icon: 'person',
    name: 'Assigned to me',
  },
  { item: 'new', to: '/projects/$slug/new', search: {}, icon: 'edit', name: 'New issue' },
  { item: 'insights', to: '/projects/$slug/insights', search: {}, icon: 'insights', name: 'Insights' },
  { item: 'settings', to: '/projects/$slug/settings', search: {}, icon: 'project', name: 'Project' },
] as const satisfies readonly { item: string; to: string; search: object; icon: IconName; name: string }[]

/** Marked like a saved view while the list matches it. */
const ASSIGNED_VIEW = { id: 'assigned', query: new URLSearchParams(ASSIGNED_SEARCH).toString() }

/** The main navigation. */
export function Sidebar({ project }: { readonly project: Project | undefined }) {
  const { data: session } = useQuery(sessionQuery)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isAmongOthers = useProjects().length > 1
  return (
    <div className={classes['sidebar']}>
      <div className={classes['head']}>
        <Brand />
        <LiveLight />
      </div>
      <ProjectSwitcher project={project} />
      {isAmongOthers && (
        <SideLink
          to="/issues"
          search={EVERYWHERE_SEARCH}
          className={classes['link']}
          isCurrent={path === '/issues'}
        >
          <Icon name="table" />
          All projects
        </SideLink>
      )}
      {project !== undefined && <Places project={project} />}
      <div className={classes['foot']}>
        {session?.user.role === 'admin' && (
          <SideLink to="/settings/$" className={classes['link']} isCurrent={path.startsWith('/settings')}>
            <Icon name="settings" />
            Settings
          </SideLink>
        )}
        <a href="/docs" className={classes['link']}>
          <Icon name="docs" />
          Documentation
        </a>
        <PersonMenu />
      </div>
    </div>
  )
}

function Places({ project }: { readonly project: Project }) {
  const mayCreate = useMay('issues:triage')
  const { data: views } = useQuery(viewsQuery(project.id))
  const listed = [...(views ?? []), ASSIGNED_VIEW]
  const current = useRouterState({ select: ({ location }) => currentItem(location, project.slug, listed) })
  return (
    <>
      <nav aria-label="Project" className={classes['nav']}>
        {PAGES.filter(({ item }) => item !== 'new' || mayCreate).map(({ item, to, search, icon, name }) => (
          <SideLink
            key={item}
            to={to}
            params={{ slug: project.slug }}
            search={search}
            className={classes['link']}
            isCurrent={item === current}
          >
            <Icon name={icon} />
            {name}
          </SideLink>
        ))}
      </nav>
      <Suspense>{views && <SavedViews project={project} views={views} current={current} />}</Suspense>
    </>
  )
}
