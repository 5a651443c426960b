import type { Project, View } from '@bugle/contract'
import { ActionIcon } from '@mantine/core'
import { useDeleteView } from '../../api/views.ts'
import { Icon } from '../../ui/icons/icons.tsx'
import classes from './saved-views.module.css'
import { SideLink } from './side-link.tsx'

interface SavedViewsProps {
  readonly project: Project
  readonly views: readonly View[]
  /** The current item of the sidebar. */
  readonly current: string
}

/** The person's saved views of this project. */
export function SavedViews({ project, views, current }: SavedViewsProps) {
  const deleteView = useDeleteView()
  if (views.length === 0) return null
  return (
    <nav aria-labelledby="saved-views" className={classes['views']}>
      <h2 id="saved-views" className={classes['title']}>
        Saved views
      </h2>
      <ul className={classes['list']}>
        {views.map(({ id, name, query }) => (
          <li key={id} className={classes['item']}>
            <SideLink
              to="/projects/$slug/issues"
              params={{ slug: project.slug }}
              search={Object.fromEntries(new URLSearchParams(query))}
              className={classes['link']}
              isCurrent={id === current}
            >
              <Icon name="bookmark" size={14} />
              <span className={classes['name']}>{name}</span>
            </SideLink>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              className={classes['delete'] ?? ''}
              title="Delete view"
              aria-label={`Delete view ${name}`}
              onClick={() => deleteView.mutate(id)}
            >
              <Icon name="close" size={12} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </nav>
  )
}
