import type { Delivery, DeliveryStatus } from '@bugle/contract'
import { Button, Skeleton, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { deliveryQuery, useRedeliver } from '../../api/projects/webhooks.ts'
import { explain } from '../../ui/feedback/failure.tsx'
import { InlineFailure } from '../../ui/feedback/inline-failure.tsx'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { Icon } from '../../ui/icons/icons.tsx'
import { Ago, formatMoment } from '../../ui/time.tsx'
import { countOf } from '../../ui/words.ts'
import { attemptWords } from './attempt-words.ts'
import classes from './deliveries.module.css'
import page from './project-page.module.css'

const STATUS_WORDS: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
  dropped: 'Dropped',
}

interface DeliveryRowProps {
  readonly webhookId: string
  readonly delivery: Delivery
}

/** One delivery, with its attempts when it is expanded. */
export function DeliveryRow({ webhookId, delivery }: DeliveryRowProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { position, eventType, status, attemptCount, finishedAt, createdAt } = delivery
  return (
    <li className={classes['row']}>
      <UnstyledButton
        className={classes['head']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron' : 'right'} size={12} />
        <span className={classes['status']} data-status={status}>
          {STATUS_WORDS[status]}
        </span>
        <span className={classes['event']}>
          {eventType} <span className={classes['position']}>· event {position}</span>
        </span>
        <span className={classes['tries']}>{countOf(attemptCount, 'attempt')}</span>
        <span className={classes['when']}>
          <Ago at={finishedAt ?? createdAt} />
        </span>
      </UnstyledButton>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Attempts webhookId={webhookId} position={position} />}
      </div>
    </li>
  )
}

function Attempts({ webhookId, position }: { readonly webhookId: string; readonly position: number }) {
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(webhookId, position))
  const redeliver = useRedeliver(webhookId)
  if (delivery === undefined) {
    return error === null ? (
      <Skeleton height={56} />
    ) : (
      <InlineFailure error={error} onRetry={() => void refetch()} />
    )
  }
  return (
    <div className={classes['detail']}>
      {delivery.attempts.length === 0 && <p className={page['quiet']}>No attempts yet.</p>}
      <ol className={classes['attempts']}>
        {delivery.attempts.map((attempt) => (
          <li key={attempt.attemptNumber}>
            <span data-bad={attempt.error !== null || undefined} className={classes['outcome']}>
              {attemptWords(attempt)}
            </span>{' '}
            <time dateTime={attempt.attemptedAt} className={classes['when']}>
              {formatMoment(attempt.attemptedAt)}
            </time>
            {attempt.response !== null && attempt.response !== '' && (
              <pre className={classes['response']}>
                <bdi>{attempt.response}</bdi>
              </pre>
            )}
          </li>
        ))}
      </ol>
      {delivery.nextAttemptAt !== null && (
        <p className={page['quiet']}>Next attempt: {formatMoment(delivery.nextAttemptAt)}.</p>
      )}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="refresh" size={14} />}
        loading={redeliver.isPending}
        onClick={() =>
          redeliver.mutate(position, {
            onSuccess: () => showToast({ tone: 'plain', text: `Event ${position} is being redelivered.` }),
            onError: (failure) => showToast({ tone: 'danger', text: explain(failure) }),
          })
        }
      >
        Redeliver
      </Button>
    </div>
  )
}
