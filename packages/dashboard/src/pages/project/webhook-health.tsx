import type { Webhook } from '@bugle/contract'
import { Ago, formatMoment } from '../../ui/time.tsx'
import { formatCount } from '../../ui/words.ts'
import classes from './webhook-health.module.css'

/** The state of a webhook, the worst first. */
export function WebhookHealth({ webhook }: { readonly webhook: Webhook }) {
  const { status, pausedReason, failingSince, lastSuccessAt, pendingDeliveries } = webhook
  const state = status === 'paused' ? 'paused' : failingSince !== null ? 'failing' : 'well'
  return (
    <p className={classes['health']}>
      <span className={classes['light']} data-state={state} aria-hidden="true" />
      <span>
        {state === 'paused' && <b>Paused</b>}
        {state === 'paused' && pausedReason !== null && `: ${pausedReason}`}
        {state === 'failing' && failingSince !== null && (
          <>
            <b>Failing</b> since <time dateTime={failingSince}>{formatMoment(failingSince)}</time>
          </>
        )}
        {state === 'well' && <b>Active</b>}
        {lastSuccessAt === null ? (
          ' · no deliveries yet'
        ) : (
          <>
            {' · last delivery '}
            <Ago at={lastSuccessAt} />
          </>
        )}
        {pendingDeliveries > 0 && ` · ${formatCount(pendingDeliveries)} pending`}
      </span>
    </p>
  )
}
