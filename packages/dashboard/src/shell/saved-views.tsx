import type { Project } from '@bugle/contract'
import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeleteView, viewsQuery } from '../api/views.ts'
import { Icon } from '../ui/icons.tsx'
import classes from './saved-views.module.css'

/** The lists of this project that the person comes back to. */
export function SavedViews({ project }: { readonly project: Project }) {
  const { data: views = [] } = useQuery(viewsQuery)
  const deleteView = useDeleteView()
  const own = views.filter(({ projectId }) => projectId === project.id)
  if (own.length === 0) return null
  return (
    <nav aria-labelledby="saved-views" className={classes['views']}>
      <h2 id="saved-views" className={classes['title']}>
        Saved views
      </h2>
      <ul className={classes['list']}>
        {own.map(({ id, name, query }) => (
          <li key={id} className={classes['item']}>
            <Link
              to="/projects/$slug/issues"
              params={{ slug: project.slug }}
              search={Object.fromEntries(new URLSearchParams(query))}
              className={classes['link']}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              <Icon name="bookmark" size={14} />
              <span className={classes['name']}>{name}</span>
            </Link>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              className={classes['delete'] ?? ''}
              title="Delete this view"
              aria-label={`Delete the view ${name}`}
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
