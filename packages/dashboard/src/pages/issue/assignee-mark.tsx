import { UnstyledButton } from '@mantine/core'
import { usePersonName } from '../../api/people/people.ts'
import { useProject } from '../../shell/current-project.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icons/icons.tsx'
import chip from '../../ui/menu/choice-menu.module.css'

interface AssigneeMarkProps {
  readonly assigneeId: string | null
  /** Absent for people without permission to change it. */
  readonly onAssign: (() => void) | undefined
}

/** Who works on the issue, as a chip that opens a dialog. */
export function AssigneeMark({ assigneeId, onAssign }: AssigneeMarkProps) {
  const { slug } = useProject()
  const known = usePersonName(slug, assigneeId)
  const name = assigneeId === null ? 'No assignee' : (known ?? 'Someone')
  const icon = assigneeId === null ? <Icon name="person" size={14} /> : <Avatar name={known} isDecoration />
  if (onAssign === undefined) {
    return (
      <span className={chip['chip']}>
        {icon}
        <span className="visually-hidden">Assignee: </span>
        <bdi>{name}</bdi>
      </span>
    )
  }
  return (
    <UnstyledButton
      className={chip['chip'] ?? ''}
      data-opens
      aria-label={`Assignee: ${name}`}
      onClick={onAssign}
    >
      {icon}
      <bdi>{name}</bdi>
      <Icon name="chevron" size={12} />
    </UnstyledButton>
  )
}
