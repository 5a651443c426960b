import type { ProjectSettings } from '@bugle/contract/settings'
import { Button, Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { projectSettingsQuery, useSettings } from '../../../api/settings.ts'
import { Card } from '../../../ui/card.tsx'
import { Failure } from '../../../ui/feedback/failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { Page } from '../../../ui/page.tsx'
import { ChangeDialog } from '../change-dialog.tsx'
import { KeysCard } from '../keys/keys-card.tsx'
import { LabelsCard } from '../labels/labels-card.tsx'
import { SdkCard } from '../sdk/sdk-card.tsx'
import classes from '../settings.module.css'
import { settingsAddress } from '../settings-address.ts'
import { WebhooksCard } from '../webhooks/webhooks-card.tsx'
import { ProjectForm } from './project-form.tsx'

/** A project: its fields, its keys, labels, SDK configuration and webhooks, and its deletion. */
export function ProjectSettingsPage({ slug }: { readonly slug: string }) {
  const { data: project, error, refetch } = useQuery(projectSettingsQuery(slug))
  if (error !== null && project === undefined) {
    return <Failure isPage error={error} onRetry={() => void refetch()} />
  }
  return (
    <Page
      title={project?.name ?? 'Project'}
      actions={
        <Link to="/projects/$slug/settings" params={{ slug }}>
          Snippets and deliveries
        </Link>
      }
    >
      {project === undefined ? (
        <Skeleton height={320} />
      ) : (
        <div className={classes['cards']}>
          {/* Another revision is another form: it shows the values that a change will be based on. */}
          <ProjectForm key={project.revision} project={project} />
          <KeysCard project={project} />
          <LabelsCard project={project} />
          <SdkCard project={project} />
          <WebhooksCard project={project} />
          <DeleteCard project={project} />
        </div>
      )}
    </Page>
  )
}

function DeleteCard({ project }: { readonly project: ProjectSettings }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title="Delete project"
      hint="With all its issues, reports, files, keys and webhooks. This cannot be undone."
    >
      <Button variant="default" onClick={() => setOpen(true)}>
        Delete project…
      </Button>
      {isOpen && <DeleteDialog project={project} onClose={() => setOpen(false)} />}
    </Card>
  )
}

interface DeleteDialogProps {
  readonly project: ProjectSettings
  readonly onClose: () => void
}

function DeleteDialog({ project, onClose }: DeleteDialogProps) {
  const { deleteProject, refresh } = useSettings()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')

  async function remove(): Promise<void> {
    await deleteProject(project)
    showToast({ tone: 'plain', text: `${project.name} was deleted.` })
    await navigate({ ...settingsAddress('projects'), replace: true })
    await refresh()
  }

  return (
    <ChangeDialog
      title={`Delete ${project.name}?`}
      action="Delete permanently"
      isDangerous
      isReady={typed === project.name}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>Everything in this project is deleted, and its keys stop working at once.</p>
      <TextInput
        label={`Type ${project.name} to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
    </ChangeDialog>
  )
}
