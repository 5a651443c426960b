import { useMay } from '../../api/people/session.ts'
import { useProject } from '../../shell/current-project.ts'
import { Page } from '../../ui/page.tsx'
import { AboutCard } from './about-card.tsx'
import { KeysCard } from './keys-card.tsx'
import classes from './project-page.module.css'
import { SnippetsCard } from './snippets-card.tsx'
import { NoWebhooksCard, WebhooksCard } from './webhooks-card.tsx'

/** The settings of a project, its keys and webhooks. */
export function ProjectPage() {
  const project = useProject()
  const mayManageWebhooks = useMay('webhooks:manage')
  return (
    <Page title="Project">
      <div className={classes['cards']}>
        <AboutCard project={project} />
        <SnippetsCard project={project} />
        <KeysCard project={project} />
        {mayManageWebhooks ? <WebhooksCard project={project} /> : <NoWebhooksCard />}
      </div>
    </Page>
  )
}
