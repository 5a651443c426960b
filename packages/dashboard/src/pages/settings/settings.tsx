import { Navigate, useParams } from '@tanstack/react-router'
import { AuditLogPage } from './audit-log-page.tsx'
import { InstanceKeysPage } from './instance-keys-page.tsx'
import { PeoplePage } from './people/people-page.tsx'
import { ProjectSettingsPage } from './projects/project-settings-page.tsx'
import { ProjectsPage } from './projects/projects-page.tsx'
import { ServerPage } from './server-page.tsx'
import { settingsAddress } from './settings-address.ts'
import { SettingsLayout } from './settings-layout.tsx'

/** READ FIRST: every page of the settings, by the rest of its address. All of them are one chunk. */
export function Settings() {
  return (
    <SettingsLayout>
      <CurrentPage />
    </SettingsLayout>
  )
}

function CurrentPage() {
  const { _splat: path = '' } = useParams({ strict: false })
  const [page, slug] = path.split('/')
  if (page === 'projects') return slug ? <ProjectSettingsPage slug={slug} /> : <ProjectsPage />
  if (page === 'people') return <PeoplePage />
  if (page === 'keys') return <InstanceKeysPage />
  if (page === 'server') return <ServerPage />
  if (page === 'audit-log') return <AuditLogPage />
  return <Navigate {...settingsAddress('projects')} replace />
}
