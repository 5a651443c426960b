import type { Webhook } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSetWebhookStatus, useTestWebhook } from '../../api/projects/webhooks.ts'
import { explain } from '../../ui/feedback/failure.tsx'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { Icon } from '../../ui/icons/icons.tsx'
import { attemptWords } from './attempt-words.ts'
import { Deliveries } from './deliveries.tsx'
import { WebhookHealth } from './webhook-health.tsx'
import classes from './webhook-row.module.css'

/** A webhook with its state, its actions and its deliveries. */
export function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const [isOpen, setOpen] = useState(false)
  const setStatus = useSetWebhookStatus(webhook)
  const test = useTestWebhook(webhook)
  const { name, url, eventTypes, format, includeSecurity } = webhook
  const isPaused = webhook.status === 'paused'
  const onError = (error: Error) => showToast({ tone: 'danger', text: explain(error) })

  return (
    <li className={classes['row']}>
      <div className={classes['head']}>
        <div className={classes['words']}>
          <h3 className={classes['name']}>
            <bdi>{name ?? hostOf(url)}</bdi>
          </h3>
          <p className={classes['url']}>
            <bdi>{url}</bdi>
          </p>
        </div>
        <div className={classes['buttons']}>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon name="send" size={14} />}
            loading={test.isPending}
            onClick={() => test.mutate(undefined, { onError })}
          >
            Test
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon name={isPaused ? 'play' : 'pause'} size={14} />}
            loading={setStatus.isPending}
            onClick={() => setStatus.mutate(isPaused ? 'active' : 'paused', { onError })}
          >
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        </div>
      </div>
      <WebhookHealth webhook={webhook} />
      <p className={classes['about']}>
        {eventTypes === null ? 'All events' : eventTypes.join(', ')}
        {format === 'slack' && ' · as Slack messages'}
        {includeSecurity && ' · includes security issues'}
      </p>
      <p role="status" className={classes['result']} data-bad={test.data?.error != null || undefined}>
        {test.data && `Test message: ${attemptWords(test.data)}`}
      </p>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        aria-expanded={isOpen}
        className={classes['toggle'] ?? ''}
        leftSection={<Icon name={isOpen ? 'chevron' : 'right'} size={14} />}
        onClick={() => setOpen(!isOpen)}
      >
        Deliveries
      </Button>
      {isOpen && <Deliveries webhook={webhook} />}
    </li>
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
