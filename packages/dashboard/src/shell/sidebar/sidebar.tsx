import type { Project } from '@bugle/contract'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { viewsQuery } from '../../api/views.ts'
import { Icon, type IconName } from '../../ui/icons/icons.tsx'
import { INBOX_SEARCH } from '../inbox-address.ts'
import { LiveLight } from '../live-light.tsx'
import { Brand } from './brand.tsx'
import { currentItem } from './current-item.ts'
import { PersonMenu } from './person-menu.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { SavedViews } from './saved-views.tsx'
import { SideLink } from './side-link.tsx'
import classes from './sidebar.module.css'

const PAGES = [
  { item: 'issues', to: '/projects/$slug/issues', search: INBOX_SEARCH, icon: 'inbox', name: 'Inbox' },
  { item: 'insights', to: '/projects/$slug/insights', search: {}, icon: 'insights', name: 'Insights' },
  { item: 'settings', to: '/projects/$slug/settings', search: {}, icon: 'project', name: 'Project' },
] as const satisfies readonly { item: string; to: string; search: object; icon: IconName; name: string }[]

/** Where one is, and where one can go. */
export function Sidebar({ project }: { readonly project: Project | undefined }) {
  return (
    <div className={classes['sidebar']}>
      <div className={classes['head']}>
        <Brand />
        <LiveLight />
      </div>
      <ProjectSwitcher project={project} />
      {project !== undefined && <Places project={project} />}
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

function Places({ project }: { readonly project: Project }) {
  const { data: views = [] } = useQuery(viewsQuery)
  const own = views.filter(({ projectId }) => projectId === project.id)
  const current = useRouterState({ select: ({ location }) => currentItem(location, project.slug, own) })
  return (
    <>
      <nav aria-label="Project" className={classes['nav']}>
        {PAGES.map(({ item, to, search, icon, name }) => (
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
      <SavedViews project={project} views={own} current={current} />
    </>
  )
}
