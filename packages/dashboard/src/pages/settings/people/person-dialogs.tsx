import { ALL_ROLES, type Role } from '@bugle/contract'
import type { InvitedPerson, PersonSettings } from '@bugle/contract/settings'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionQuery, useMay } from '../../../api/people/session.ts'
import { useSettings } from '../../../api/settings.ts'
import { useProjects } from '../../../shell/current-project.ts'
import { ROLE_NAMES } from '../../account/role-names.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import classes from '../settings.module.css'

const ROLE_CHOICES = ALL_ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] }))

interface InviteDialogProps {
  readonly onInvited: (invited: InvitedPerson) => void
  readonly onClose: () => void
}

export function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const { invite } = useSettings()
  return (
    <ChangeDialog
      title="Invite a person"
      action="Create link"
      onSubmit={async (fields) => {
        onInvited(await invite(personIn(fields)))
        return false
      }}
      onClose={onClose}
    >
      <PersonFields />
    </ChangeDialog>
  )
}

interface PersonDialogProps {
  readonly person: PersonSettings
  readonly onClose: () => void
}

export function PersonDialog({ person, onClose }: PersonDialogProps) {
  const { updatePerson } = useSettings()
  const projects = useProjects()
  const maySetSecurity = useMay('security:read')

  function save(fields: FormData): Promise<unknown> {
    const { email, canSeeSecurity, projectIds: ticked, ...given } = personIn(fields)
    // A project that is not offered, because it is new or there are many, stays as it is.
    const unlisted = person.projectIds?.filter((id) => !projects.some((project) => project.id === id)) ?? []
    const projectIds = ticked && [...ticked, ...unlisted]
    return updatePerson(person.id, {
      revision: person.revision,
      ...given,
      ...(!isSameSet(projectIds, person.projectIds) && { projectIds }),
      // Another address would invalidate a link that was sent to this one.
      ...(email !== person.email && { email }),
      ...(maySetSecurity && { canSeeSecurity }),
    })
  }

  return (
    <ChangeDialog
      title={`Edit ${person.name}`}
      action="Save"
      revision={person.revision}
      onSubmit={save}
      onClose={onClose}
    >
      <PersonFields person={person} />
    </ChangeDialog>
  )
}

function isSameSet(one: readonly string[] | null, other: readonly string[] | null): boolean {
  if (one === null || other === null) return one === other
  return one.length === other.length && one.every((id) => other.includes(id))
}

function PersonFields({ person }: { readonly person?: PersonSettings }) {
  const projects = useProjects()
  const { data: session } = useQuery(sessionQuery)
  const isOfAll = session?.user.projectIds === null
  const [hasAll, setAll] = useState(person === undefined ? isOfAll : person.projectIds === null)
  const maySetSecurity = useMay('security:read')
  const isProtected = person?.canSeeSecurity === true && !maySetSecurity
  return (
    <>
      <TextInput
        label="Name"
        name="name"
        defaultValue={person?.name}
        maxLength={100}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput
        label="Email address"
        name="email"
        type="email"
        defaultValue={person?.email}
        required
        withAsterisk={false}
        readOnly={isProtected}
        description={isProtected ? 'Only an admin who sees security issues can change it.' : undefined}
      />
      <NativeSelect label="Role" name="role" data={ROLE_CHOICES} defaultValue={person?.role ?? 'triager'} />
      <Checkbox
        name="canSeeSecurity"
        label="Sees security issues"
        defaultChecked={person?.canSeeSecurity ?? false}
        disabled={!maySetSecurity}
        description={maySetSecurity ? undefined : 'Only an admin who sees them can change it.'}
      />
      <Checkbox
        label="All projects, including future ones"
        checked={hasAll}
        disabled={!isOfAll}
        onChange={(event) => setAll(event.currentTarget.checked)}
        name="hasAll"
      />
      {!hasAll && (
        <fieldset className={classes['choices']}>
          <legend>Projects</legend>
          <div className={`${classes['choices']} ${classes['scroll']}`}>
            {projects.map(({ id, name }) => (
              <Checkbox
                key={id}
                name="projectIds"
                value={id}
                label={name}
                defaultChecked={person?.projectIds?.includes(id) ?? false}
              />
            ))}
          </div>
        </fieldset>
      )}
    </>
  )
}

function personIn(fields: FormData) {
  return {
    name: String(fields.get('name')),
    email: String(fields.get('email')),
    role: String(fields.get('role')) as Role,
    canSeeSecurity: fields.get('canSeeSecurity') !== null,
    projectIds: fields.get('hasAll') !== null ? null : fields.getAll('projectIds').map(String),
  }
}
