import type { ProjectPatch, ProjectSettings } from '@bugle/contract/settings'
import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSettings } from '../../../api/settings.ts'
import { Card } from '../../../ui/card.tsx'
import { explainChange } from '../../../ui/feedback/explain-change.ts'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { useChange } from '../change-dialog.tsx'
import { Conflict } from '../conflict.tsx'
import classes from '../settings.module.css'
import { settingsAddress } from '../settings-address.ts'
import { PublicDialog } from './public-dialog.tsx'

const FIELDS = ['name', 'slug', 'defaultBranch', 'description', 'websiteUrl', 'repositoryUrl'] as const

/** The fields of a project. Only those that were changed are sent. */
export function ProjectForm({ project }: { readonly project: ProjectSettings }) {
  const { updateProject } = useSettings()
  const navigate = useNavigate()

  const [confirming, setConfirming] = useState<Changes>()

  async function save(fields: FormData): Promise<void> {
    const changes = changesIn(fields, project)
    if (changes.isPublic) setConfirming(changes)
    else await apply(changes)
  }

  async function apply(patch: Changes): Promise<void> {
    const { slug } = await updateProject(project.id, { revision: project.revision, ...patch })
    showToast({ tone: 'plain', text: 'Saved.' })
    if (slug !== project.slug) await navigate({ ...settingsAddress(`projects/${slug}`), replace: true })
  }

  const { error, isBusy, submit } = useChange(save, () => undefined)
  return (
    <Card title="General">
      <form className={classes['form']} onSubmit={submit}>
        <div className={classes['pair']}>
          <TextInput
            label="Name"
            name="name"
            defaultValue={project.name}
            maxLength={100}
            required
            withAsterisk={false}
          />
          <TextInput
            label="Slug"
            description="Links with the old slug stop working."
            name="slug"
            defaultValue={project.slug}
            required
            withAsterisk={false}
          />
        </div>
        <TextInput
          label="Default branch"
          name="defaultBranch"
          defaultValue={project.defaultBranch}
          required
          withAsterisk={false}
        />
        <Textarea
          label="Description"
          name="description"
          defaultValue={project.description ?? ''}
          rows={3}
          maxLength={1_000}
        />
        <div className={classes['pair']}>
          <TextInput label="Website" name="websiteUrl" type="url" defaultValue={project.websiteUrl ?? ''} />
          <TextInput
            label="Repository"
            name="repositoryUrl"
            type="url"
            defaultValue={project.repositoryUrl ?? ''}
          />
        </div>
        <Checkbox
          name="isPublic"
          label="Public: anyone can read its issues, without signing in"
          defaultChecked={project.isPublic}
          description={
            project.isPublic && (
              <a href={`/p/${project.slug}`} target="_blank" rel="noreferrer">
                Open the public page
              </a>
            )
          }
        />
        <Conflict error={error} />
        <p role="alert" className={classes['error']}>
          {error !== null && explainChange(error)}
        </p>
        <div className={classes['buttons']}>
          <Button type="submit" loading={isBusy}>
            Save
          </Button>
        </div>
      </form>
      {confirming !== undefined && (
        <PublicDialog
          project={project}
          onConfirm={() => apply(confirming)}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </Card>
  )
}

type Changes = Omit<ProjectPatch, 'revision'>

function changesIn(fields: FormData, project: ProjectSettings): Changes {
  const texts = FIELDS.map((field) => [field, String(fields.get(field) ?? '')] as const)
  const changed = texts.filter(([field, text]) => text !== (project[field] ?? ''))
  const isPublic = fields.get('isPublic') !== null
  return { ...Object.fromEntries(changed), ...(isPublic !== project.isPublic && { isPublic }) }
}
