import { ALL_SCOPES, type KeyKind } from '@bugle/contract'
import type { CreatedKey, KeySettings, ProjectSettings } from '@bugle/contract/settings'
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../../api/people/session.ts'
import { useSettings } from '../../../api/settings.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import classes from '../settings.module.css'

const KINDS = [
  { value: 'public', label: 'Public, for apps and pages' },
  { value: 'secret', label: 'Secret, for scripts' },
] as const

interface NewKeyDialogProps {
  readonly project: ProjectSettings | null
  readonly onCreated: (key: CreatedKey) => void
  readonly onClose: () => void
}

export function NewKeyDialog({ project, onCreated, onClose }: NewKeyDialogProps) {
  const { createKey } = useSettings()
  const [kind, setKind] = useState<KeyKind>(project === null ? 'secret' : 'public')
  const maySeeSecurity = useMay('security:read')
  const scopes = ALL_SCOPES.filter(
    (scope) =>
      (scope !== 'security:read' || maySeeSecurity) && (scope !== 'issues:create' || project !== null),
  )

  async function create(fields: FormData): Promise<false> {
    const chosen = scopes.filter((scope) => fields.getAll('scopes').includes(scope))
    const key = await createKey({
      kind,
      name: String(fields.get('name')),
      ...(project !== null && { projectId: project.id }),
      ...(kind === 'secret' ? { scopes: chosen } : { origins: originsIn(fields) }),
    })
    onCreated(key)
    return false
  }

  return (
    <ChangeDialog title="New key" action="Create key" onSubmit={create} onClose={onClose}>
      <TextInput
        label="Name"
        description="What it is used for."
        name="name"
        maxLength={100}
        required
        withAsterisk={false}
        data-autofocus
      />
      {project !== null && (
        <NativeSelect
          label="Kind"
          data={[...KINDS]}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as KeyKind)}
        />
      )}
      {kind === 'secret' ? (
        <fieldset className={classes['choices']}>
          <legend>Scopes</legend>
          {scopes.map((scope) => (
            <Checkbox key={scope} name="scopes" value={scope} label={scope} />
          ))}
        </fieldset>
      ) : (
        <Origins />
      )}
    </ChangeDialog>
  )
}

interface EditKeyDialogProps {
  readonly shown: KeySettings
  readonly onClose: () => void
}

export function EditKeyDialog({ shown: key, onClose }: EditKeyDialogProps) {
  const { updateKey } = useSettings()

  function save(fields: FormData): Promise<unknown> {
    const origins = key.kind === 'public' ? originsIn(fields) : []
    return updateKey(key.id, {
      revision: key.revision,
      name: String(fields.get('name')),
      // Origins need a recent sign-in, a name does not.
      ...(origins.join(' ') !== key.origins.join(' ') && { origins }),
    })
  }

  return (
    <ChangeDialog title="Edit key" action="Save" revision={key.revision} onSubmit={save} onClose={onClose}>
      <TextInput
        label="Name"
        name="name"
        defaultValue={key.name ?? ''}
        maxLength={100}
        required
        withAsterisk={false}
        data-autofocus
      />
      {key.kind === 'public' && <Origins origins={key.origins} />}
    </ChangeDialog>
  )
}

function Origins({ origins = [] }: { readonly origins?: readonly string[] }) {
  return (
    <Textarea
      label="Origins"
      description="The pages that may use it, one per line, as in https://app.example.com. Empty: all."
      name="origins"
      defaultValue={origins.join('\n')}
      rows={3}
    />
  )
}

function originsIn(fields: FormData): string[] {
  return String(fields.get('origins'))
    .split(/\s+/)
    .filter((origin) => origin !== '')
}
