import { DEFAULT_LABEL_COLOUR, MAX_LABEL_NAME_CHARS } from '@bugle/contract'
import type { LabelSettings, ProjectSettings } from '@bugle/contract/settings'
import { Button, Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useState } from 'react'
import { labelSettingsQuery, useSettings } from '../../../api/settings.ts'
import { Card } from '../../../ui/card.tsx'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { ChangeDialog } from '../change-dialog.tsx'
import classes from '../settings.module.css'

/** The labels of a project. */
export function LabelsCard({ project }: { readonly project: ProjectSettings }) {
  const { createLabel } = useSettings()
  const { data: labels, error, refetch } = useQuery(labelSettingsQuery(project.id))
  const [isCreating, setCreating] = useState(false)
  const close = () => setCreating(false)
  return (
    <Card
      title="Labels"
      hint="To sort the issues of this project."
      actions={
        <Button variant="default" onClick={() => setCreating(true)}>
          New label
        </Button>
      }
    >
      {labels === undefined && error !== null && (
        <InlineFailure error={error} onRetry={() => void refetch()} />
      )}
      {labels === undefined && error === null && <Skeleton height={64} />}
      {labels?.length === 0 && <p className={classes['hint']}>No labels yet.</p>}
      {labels !== undefined && labels.length > 0 && (
        <ul className={classes['list']}>
          {labels.map((label) => (
            <LabelRow key={label.name} projectId={project.id} label={label} />
          ))}
        </ul>
      )}
      {isCreating && (
        <ChangeDialog
          title="New label"
          action="Create label"
          onSubmit={(fields) => createLabel(project.id, labelIn(fields))}
          onClose={close}
        >
          <LabelFields />
        </ChangeDialog>
      )}
    </Card>
  )
}

interface LabelRowProps {
  readonly projectId: string
  readonly label: LabelSettings
}

function LabelRow({ projectId, label }: LabelRowProps) {
  const { updateLabel, deleteLabel } = useSettings()
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  const { name, colour, revision } = label
  return (
    <li className={classes['row']}>
      <div className={classes['words']}>
        <span className={classes['dot']} style={{ '--colour': colour } as CSSProperties} aria-hidden="true" />
        <bdi className={classes['name']}>{name}</bdi>
      </div>
      <div className={classes['actions']}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Edit ${name}`}
          onClick={() => setOpen('edit')}
        >
          Edit
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Delete ${name}`}
          onClick={() => setOpen('delete')}
        >
          Delete
        </Button>
      </div>
      {open === 'edit' && (
        <ChangeDialog
          title={`Edit ${name}`}
          action="Save"
          revision={revision}
          onSubmit={(fields) => updateLabel(projectId, name, { revision, ...labelIn(fields) })}
          onClose={close}
        >
          <LabelFields label={label} />
        </ChangeDialog>
      )}
      {open === 'delete' && (
        <ChangeDialog
          title={`Delete ${name}?`}
          action="Delete"
          isDangerous
          onSubmit={() => deleteLabel(projectId, name)}
          onClose={close}
        >
          <p>The label is taken from all issues of the project.</p>
        </ChangeDialog>
      )}
    </li>
  )
}

function LabelFields({ label }: { readonly label?: LabelSettings }) {
  return (
    <>
      <TextInput
        label="Name"
        name="name"
        defaultValue={label?.name}
        maxLength={MAX_LABEL_NAME_CHARS}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput
        label="Colour"
        name="colour"
        type="color"
        defaultValue={label?.colour ?? DEFAULT_LABEL_COLOUR}
      />
    </>
  )
}

function labelIn(fields: FormData) {
  return { name: String(fields.get('name')), colour: String(fields.get('colour')).toLowerCase() }
}
