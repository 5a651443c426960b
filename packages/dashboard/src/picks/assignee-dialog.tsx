import { useQuery } from '@tanstack/react-query'
import { peopleQuery } from '../api/people/people.ts'
import { useMe } from '../api/people/session.ts'
import { useProject } from '../shell/current-project.ts'
import { Avatar } from '../ui/avatar.tsx'
import { PickDialog } from '../ui/dialogs/pick-dialog.tsx'
import { InlineFailure } from '../ui/feedback/inline-failure.tsx'
import { Icon } from '../ui/icons/icons.tsx'

interface AssigneeDialogProps {
  /** The assignee now; `undefined` if the issues have different ones. */
  readonly chosen: string | null | undefined
  /** Whether one of the issues is a security issue: then only people who may see it can be chosen. */
  readonly isHidden: boolean
  readonly onChoose: (id: string | null) => void
  readonly onClose: () => void
}

const NO_ONE = 'none'

/** The people to whom an issue can be assigned, the current person first. */
export function AssigneeDialog({ chosen, isHidden, onChoose, onClose }: AssigneeDialogProps) {
  const { slug } = useProject()
  const me = useMe()
  const { data: people = [], error, refetch } = useQuery(peopleQuery(slug, isHidden))
  const own = people.filter(({ id }) => id === me)
  const others = people.filter(({ id }) => id !== me)
  const options = [
    ...own.map(({ id, name }) => ({
      id,
      title: `${name} (you)`,
      words: 'me',
      icon: <Avatar name={name} isDecoration />,
    })),
    { id: NO_ONE, title: 'No one', words: 'none unassigned', icon: <Icon name="person" /> },
    ...others.map(({ id, name }) => ({ id, title: name, icon: <Avatar name={name} isDecoration /> })),
  ].map((option) => ({ ...option, isChosen: option.id === (chosen === null ? NO_ONE : chosen) }))

  return (
    <PickDialog
      title="Assign to"
      placeholder="Assign to…"
      options={options}
      empty="No one can be assigned."
      onPick={(id) => {
        onClose()
        onChoose(id === NO_ONE ? null : id)
      }}
      onClose={onClose}
    >
      {error !== null && <InlineFailure error={error} onRetry={() => void refetch()} />}
    </PickDialog>
  )
}
