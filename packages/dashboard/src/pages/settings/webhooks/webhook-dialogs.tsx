import {
  EVENT_TYPES,
  type Webhook,
  type WebhookFormat,
  type WebhookPatch,
  type WebhookWithSecret,
} from '@bugle/contract'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../../api/people/session.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import classes from '../settings.module.css'
import { useWebhookChanges } from './use-webhook-changes.ts'

const FORMATS = [
  { value: 'standard', label: 'Standard Webhooks' },
  { value: 'slack', label: 'Slack' },
] as const satisfies readonly { value: WebhookFormat; label: string }[]

interface NewWebhookDialogProps {
  readonly projectId: string
  readonly onCreated: (webhook: WebhookWithSecret) => void
  readonly onClose: () => void
}

export function NewWebhookDialog({ projectId, onCreated, onClose }: NewWebhookDialogProps) {
  const { create } = useWebhookChanges(projectId)
  return (
    <ChangeDialog
      title="New webhook"
      action="Create webhook"
      onSubmit={async (fields) => {
        onCreated(await create(webhookIn(fields)))
        return false
      }}
      onClose={onClose}
    >
      <WebhookFields />
    </ChangeDialog>
  )
}

interface EditWebhookDialogProps {
  readonly webhook: Webhook
  readonly onClose: () => void
}

export function EditWebhookDialog({ webhook, onClose }: EditWebhookDialogProps) {
  const { update } = useWebhookChanges(webhook.projectId)
  return (
    <ChangeDialog
      title="Edit webhook"
      action="Save"
      onSubmit={(fields) => update(webhook.id, changesIn(fields, webhook))}
      onClose={onClose}
    >
      <WebhookFields webhook={webhook} />
    </ChangeDialog>
  )
}

function WebhookFields({ webhook }: { readonly webhook?: Webhook }) {
  const maySeeSecurity = useMay('security:read')
  const [hasAll, setAll] = useState(webhook === undefined || webhook.eventTypes === null)
  return (
    <>
      <TextInput
        label="URL"
        name="url"
        type="url"
        defaultValue={webhook?.url}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput label="Name" name="name" defaultValue={webhook?.name ?? ''} maxLength={100} />
      <NativeSelect
        label="Format"
        name="format"
        data={[...FORMATS]}
        defaultValue={webhook?.format ?? 'standard'}
      />
      {maySeeSecurity && (
        <Checkbox
          name="includeSecurity"
          label="Include security issues"
          defaultChecked={webhook?.includeSecurity ?? false}
        />
      )}
      <Checkbox
        name="hasAll"
        label="All events"
        checked={hasAll}
        onChange={(event) => setAll(event.currentTarget.checked)}
      />
      {!hasAll && (
        <fieldset className={classes['choices']}>
          <legend>Events</legend>
          {EVENT_TYPES.map((type) => (
            <Checkbox
              key={type}
              name="eventTypes"
              value={type}
              label={type}
              defaultChecked={webhook?.eventTypes?.includes(type) ?? false}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}

/** Without the fields that need a recent sign-in, unless they were changed. */
function changesIn(fields: FormData, webhook: Webhook): WebhookPatch {
  const { url, includeSecurity, ...others } = webhookIn(fields)
  return {
    ...others,
    ...(url !== webhook.url && { url }),
    ...(includeSecurity !== webhook.includeSecurity && { includeSecurity }),
  }
}

function webhookIn(fields: FormData) {
  const chosen = fields.getAll('eventTypes').map(String)
  return {
    url: String(fields.get('url')),
    name: String(fields.get('name')).trim() || null,
    format: String(fields.get('format')) as WebhookFormat,
    includeSecurity: fields.get('includeSecurity') !== null,
    eventTypes: fields.get('hasAll') !== null ? null : EVENT_TYPES.filter((type) => chosen.includes(type)),
  }
}
