import type { Attempt, Webhook, WebhookWithSecret } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTestWebhook } from '../../../api/projects/webhooks.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import classes from '../settings.module.css'
import { useWebhookChanges } from './use-webhook-changes.ts'
import { EditWebhookDialog } from './webhook-dialogs.tsx'

interface WebhookRowProps {
  readonly webhook: Webhook
  /** Shows a secret once. */
  readonly onSecret: (webhook: WebhookWithSecret) => void
}

export function WebhookRow({ webhook, onSecret }: WebhookRowProps) {
  const { rotate, remove } = useWebhookChanges(webhook.projectId)
  const test = useTestWebhook(webhook)
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete'>()
  const close = () => setOpen(undefined)
  const name = webhook.name ?? new URL(webhook.url).host
  const button = (action: typeof open, label: string) => (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`${label} ${name}`}
      onClick={() => setOpen(action)}
    >
      {label}
    </Button>
  )
  return (
    <li className={classes['row']}>
      <div className={classes['words']}>
        <h3 className={classes['name']}>
          <bdi>{name}</bdi>
        </h3>
        <p className={classes['code']}>{webhook.url}</p>
        <p className={classes['hint']} role="status">
          {webhook.status}
          {webhook.includeSecurity && ' · with security issues'}
          {test.data !== undefined && ` · ${outcomeOf(test.data)}`}
        </p>
      </div>
      <div className={classes['actions']}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Test ${name}`}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Test
        </Button>
        {button('edit', 'Edit')}
        {button('rotate', 'Rotate secret')}
        {button('delete', 'Delete')}
      </div>
      {open === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {open === 'rotate' && (
        <ChangeDialog
          title={`Rotate the secret of ${name}?`}
          action="Rotate secret"
          onSubmit={async () => onSecret(await rotate(webhook.id))}
          onClose={close}
        >
          <p>For 24 hours messages are signed with both secrets, so the receiver can switch at any time.</p>
        </ChangeDialog>
      )}
      {open === 'delete' && (
        <ChangeDialog
          title={`Delete ${name}?`}
          action="Delete"
          isDangerous
          onSubmit={() => remove(webhook.id)}
          onClose={close}
        >
          <p>Pending deliveries are not sent any more. This cannot be undone.</p>
        </ChangeDialog>
      )}
    </li>
  )
}

function outcomeOf({ error, httpStatus }: Attempt): string {
  if (error === null) return 'test message accepted'
  return `test message failed: ${httpStatus === null ? error : `status ${httpStatus}`}`
}
