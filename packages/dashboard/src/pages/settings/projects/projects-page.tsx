import { Button, Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { sessionQuery } from '../../../api/people/session.ts'
import { useSettings } from '../../../api/settings.ts'
import { useProjects } from '../../../shell/current-project.ts'
import { StatePanel } from '../../../ui/feedback/state-panel.tsx'
import { Page } from '../../../ui/page.tsx'
import { ChangeDialog } from '../change-dialog.tsx'
import classes from '../settings.module.css'
import { settingsAddress } from '../settings-address.ts'
import { suggestSlug } from './suggest-slug.ts'

/** The projects that the admin may change. */
export function ProjectsPage() {
  const projects = useProjects()
  const { data: session } = useQuery(sessionQuery)
  const [isCreating, setCreating] = useState(false)
  const mayCreate = session?.user.projectIds === null
  const create = mayCreate && <Button onClick={() => setCreating(true)}>New project</Button>
  return (
    <Page title="Projects" actions={projects.length > 0 && create}>
      {projects.length === 0 && (
        <StatePanel icon="project" title="No projects yet" action={create}>
          A project collects the reports of one app.
        </StatePanel>
      )}
      {projects.length > 0 && (
        <ul className={classes['list']}>
          {projects.map(({ id, slug, name, isPublic }) => (
            <li key={id} className={classes['row']}>
              <div className={classes['words']}>
                <Link {...settingsAddress(`projects/${slug}`)} className={classes['name']}>
                  <bdi>{name}</bdi>
                </Link>
                <p className={classes['hint']}>
                  {slug} · {isPublic ? 'public' : 'private'}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {isCreating && <NewProjectDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function NewProjectDialog({ onClose }: { readonly onClose: () => void }) {
  const { createProject } = useSettings()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [slug, setSlug] = useState<string>()

  async function create(fields: FormData): Promise<void> {
    const project = await createProject({
      name,
      slug: slug ?? suggestSlug(name),
      isPublic: fields.get('isPublic') !== null,
    })
    await navigate(settingsAddress(`projects/${project.slug}`))
  }

  return (
    <ChangeDialog title="New project" action="Create project" onSubmit={create} onClose={onClose}>
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput
        label="Slug"
        description="The short name in addresses: a-z, 0-9 and -."
        value={slug ?? suggestSlug(name)}
        onChange={(event) => setSlug(event.currentTarget.value)}
        required
        withAsterisk={false}
      />
      <Checkbox name="isPublic" label="Public: anyone can read its issues, without signing in" />
    </ChangeDialog>
  )
}
