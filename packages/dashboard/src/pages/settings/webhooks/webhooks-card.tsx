import type { Webhook } from '@bugle/contract'
import type { ProjectSettings } from '@bugle/contract/settings'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { webhooksQuery } from '../../../api/projects/webhooks.ts'
import { Card } from '../../../ui/card.tsx'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { SecretOnce } from '../secret-once.tsx'
import classes from '../settings.module.css'
import { NewWebhookDialog } from './webhook-dialogs.tsx'
import { WebhookRow } from './webhook-row.tsx'

/** The webhooks of a project. */
export function WebhooksCard({ project }: { readonly project: ProjectSettings }) {
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery(project.id))
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  const show = (webhook: { readonly secret: string }) => {
    setCreating(false)
    setSecret(webhook.secret)
  }
  return (
    <Card
      title="Webhooks"
      hint="Events are delivered with retries. Deliveries are on the project page."
      actions={
        <Button variant="default" onClick={() => setCreating(true)}>
          New webhook
        </Button>
      }
    >
      {webhooks === undefined && error !== null && (
        <InlineFailure error={error} onRetry={() => void refetch()} />
      )}
      {webhooks === undefined && error === null && <Skeleton height={64} />}
      {webhooks?.length === 0 && <p className={classes['hint']}>No webhooks yet.</p>}
      {webhooks !== undefined && webhooks.length > 0 && (
        <ul className={classes['list']}>
          {webhooks.map((webhook: Webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} onSecret={show} />
          ))}
        </ul>
      )}
      {isCreating && (
        <NewWebhookDialog projectId={project.id} onCreated={show} onClose={() => setCreating(false)} />
      )}
      {secret !== undefined && (
        <SecretOnce
          title="Copy the signing secret now"
          what="the secret"
          secret={secret}
          onClose={() => setSecret(undefined)}
        >
          The receiver checks signatures with it. It is shown only once.
        </SecretOnce>
      )}
    </Card>
  )
}
