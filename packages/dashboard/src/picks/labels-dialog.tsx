import { MAX_ISSUE_LABELS } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { labelsQuery } from '../api/projects/labels.ts'
import { Keys } from '../keyboard/keys.tsx'
import { useProject } from '../shell/current-project.ts'
import { PickDialog } from '../ui/dialogs/pick-dialog.tsx'
import { InlineFailure } from '../ui/feedback/inline-failure.tsx'
import { LabelDot } from '../ui/label-chip.tsx'
import classes from './labels-dialog.module.css'

interface LabelsDialogProps {
  /** The labels that all of the issues have. */
  readonly chosen: readonly string[]
  /** Called with the labels to add and to remove, when the dialog closes. */
  readonly onChange: (added: readonly string[], removed: readonly string[]) => void
  readonly onClose: () => void
}

/** The labels of the project, to be switched on and off. */
export function LabelsDialog({ chosen, onChange, onClose }: LabelsDialogProps) {
  const { slug } = useProject()
  const { data: labels, error, refetch } = useQuery(labelsQuery(slug))
  // Someone else may change the labels meanwhile: only what is switched here changes.
  const [before] = useState(chosen)
  const [names, setNames] = useState(chosen)

  function toggle(name: string): void {
    if (names.includes(name)) setNames(names.filter((other) => other !== name))
    else if (names.length < MAX_ISSUE_LABELS) setNames([...names, name])
  }

  function finish(): void {
    onClose()
    const added = names.filter((name) => !before.includes(name))
    const removed = before.filter((name) => !names.includes(name))
    if (added.length > 0 || removed.length > 0) onChange(added, removed)
  }

  return (
    <PickDialog
      title="Labels"
      placeholder="Add or remove labels…"
      options={(labels ?? []).map(({ name, colour }) => ({
        id: name,
        title: name,
        icon: <LabelDot colour={colour} />,
        isChosen: names.includes(name),
      }))}
      empty={labels === undefined ? '' : 'This project has no labels. Create some with “bugle label create”.'}
      isMultiple
      onPick={toggle}
      onSubmit={finish}
      onClose={finish}
    >
      {error !== null && <InlineFailure error={error} onRetry={() => void refetch()} />}
      <div className={classes['foot']}>
        <span role="status">{names.length >= MAX_ISSUE_LABELS && `At most ${MAX_ISSUE_LABELS} labels.`}</span>
        <Button size="compact-sm" rightSection={<Keys keys="mod+enter" />} onClick={finish}>
          Done
        </Button>
      </div>
    </PickDialog>
  )
}
