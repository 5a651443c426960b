import type { Project, View } from '@bugle/contract'
import { ActionIcon } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useMay } from '../../../api/people/session.ts'
import { useDeleteView } from '../../../api/people/views.ts'
import { holdKeys } from '../../../ui/hold-keys.ts'
import { Icon, type IconName } from '../../../ui/icons/icons.tsx'
import { lazyPart } from '../../lazy-part.ts'
import { SideLink } from '../side-link.tsx'
import classes from './saved-views.module.css'

const EditViewDialog = lazyPart(() => import('./edit-view-dialog.tsx'), 'EditViewDialog')
const DeleteViewDialog = lazyPart(() => import('./delete-view-dialog.tsx'), 'DeleteViewDialog')

interface SavedViewsProps {
  readonly project: Project
  readonly views: readonly View[]
  /** The current item of the sidebar. */
  readonly current: string
}

interface Question {
  readonly about: 'edit' | 'delete'
  readonly view: View
}

/** The person's views of this project, and those that are shared with everyone in it. */
export function SavedViews({ project, views, current }: SavedViewsProps) {
  const deleteView = useDeleteView()
  const mayDelete = useMay('issues:delete')
  const [question, setQuestion] = useState<Question>()
  const close = () => setQuestion(undefined)

  function ask(next: Question): void {
    holdKeys(close)
    setQuestion(next)
  }

  const itemOf = (view: View) => (
    <ViewItem
      key={view.id}
      project={project}
      view={view}
      isCurrent={view.id === current}
      onEdit={view.isOwn ? () => ask({ about: 'edit', view }) : undefined}
      onDelete={
        view.isOwn || mayDelete
          ? () => (view.isShared ? ask({ about: 'delete', view }) : deleteView.mutate(view.id))
          : undefined
      }
    />
  )
  const own = views.filter(({ isShared }) => !isShared)
  const shared = views.filter(({ isShared }) => isShared)
  return (
    <div className={classes['views']}>
      {(own.length > 0 || shared.length === 0) && (
        <Group id="saved-views" title="Saved views">
          {own.map(itemOf)}
        </Group>
      )}
      {shared.length > 0 && (
        <Group id="shared-views" title="Shared views">
          {shared.map(itemOf)}
        </Group>
      )}
      {views.length === 0 && (
        <p className={classes['hint']}>Filter the inbox and save the view: it appears here.</p>
      )}
      <Suspense>
        {question?.about === 'edit' && <EditViewDialog view={question.view} onClose={close} />}
        {question?.about === 'delete' && <DeleteViewDialog view={question.view} onClose={close} />}
      </Suspense>
    </div>
  )
}

interface GroupProps {
  readonly id: string
  readonly title: string
  readonly children: React.ReactNode[]
}

function Group({ id, title, children }: GroupProps) {
  return (
    <nav aria-labelledby={id} className={classes['group']}>
      <h2 id={id} className={classes['title']}>
        {title}
      </h2>
      {children.length > 0 && <ul className={classes['list']}>{children}</ul>}
    </nav>
  )
}

interface ViewItemProps {
  readonly project: Project
  readonly view: View
  readonly isCurrent: boolean
  /** Missing if the person may not do it. */
  readonly onEdit: (() => void) | undefined
  readonly onDelete: (() => void) | undefined
}

function ViewItem({ project, view, isCurrent, onEdit, onDelete }: ViewItemProps) {
  const { name, query, isShared, isOwn, ownerName } = view
  return (
    <li
      className={classes['item']}
      title={isShared && !isOwn ? `Shared by ${ownerName ?? 'a person who was removed'}` : undefined}
    >
      <SideLink
        to="/projects/$slug/issues"
        params={{ slug: project.slug }}
        search={Object.fromEntries(new URLSearchParams(query))}
        className={classes['link']}
        isCurrent={isCurrent}
      >
        <Icon name="bookmark" size={14} />
        <span dir="auto" className={classes['name']}>
          {name}
        </span>
      </SideLink>
      <span className={classes['actions']}>
        {onEdit && <Action icon="edit" title="Edit view" name={name} onClick={onEdit} />}
        {onDelete && <Action icon="close" title="Delete view" name={name} onClick={onDelete} />}
      </span>
    </li>
  )
}

interface ActionProps {
  readonly icon: IconName
  readonly title: string
  readonly name: string
  readonly onClick: () => void
}

function Action({ icon, title, name, onClick }: ActionProps) {
  return (
    <ActionIcon
      size="sm"
      variant="subtle"
      color="gray"
      className={classes['action'] ?? ''}
      title={title}
      aria-label={`${title} ${name}`}
      onClick={onClick}
    >
      <Icon name={icon} size={12} />
    </ActionIcon>
  )
}
