import type { Project } from '@bugle/contract'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/people/session.ts'
import { webhooksQuery } from '../../api/projects/webhooks.ts'
import { Card } from '../../ui/card.tsx'
import { InlineFailure } from '../../ui/feedback/inline-failure.tsx'
import page from './project-page.module.css'
import { WebhookRow } from './webhook-row.tsx'
import classes from './webhooks-card.module.css'

const HINT = 'Events are delivered with retries.'

/** The webhooks of a project, with their states and deliveries. */
export function WebhooksCard({ project: { id, slug } }: { readonly project: Project }) {
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery(id))
  return (
    <Card title="Webhooks" hint={HINT}>
      {webhooks === undefined && error !== null && (
        <InlineFailure error={error} onRetry={() => void refetch()} />
      )}
      {webhooks === undefined && error === null && <Skeleton height={96} />}
      {webhooks?.length === 0 && (
        <p className={page['quiet']}>
          No webhooks yet. Add one on the server:{' '}
          <code className={page['code']}>npx bugle webhook add --project {slug} --url https://…</code>
        </p>
      )}
      {webhooks !== undefined && webhooks.length > 0 && (
        <ul className={classes['webhooks']}>
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Explains why webhooks are not shown. */
export function NoWebhooksCard() {
  const { data: session } = useQuery(sessionQuery)
  return (
    <Card title="Webhooks" hint={HINT}>
      <p className={page['quiet']}>
        Only admins can see and manage webhooks, because their URLs can contain secrets. Your role is{' '}
        {session?.user.role}; it can be changed on the server.
      </p>
    </Card>
  )
}
