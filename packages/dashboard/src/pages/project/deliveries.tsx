import type { Webhook } from '@bugle/contract'
import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { deliveriesQuery } from '../../api/projects/webhooks.ts'
import { InlineFailure } from '../../ui/feedback/inline-failure.tsx'
import classes from './deliveries.module.css'
import { DeliveryRow } from './delivery-row.tsx'
import page from './project-page.module.css'

/** The deliveries to a webhook, newest event first. */
export function Deliveries({ webhook: { id } }: { readonly webhook: Webhook }) {
  const list = useInfiniteQuery(deliveriesQuery(id))
  const deliveries = list.data?.pages.flatMap(({ data }) => data)
  if (deliveries === undefined) {
    return list.error === null ? (
      <Skeleton height={120} />
    ) : (
      <InlineFailure error={list.error} onRetry={() => void list.refetch()} />
    )
  }
  if (deliveries.length === 0) return <p className={page['quiet']}>No deliveries yet.</p>
  return (
    <>
      <ul className={classes['list']}>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.position} webhookId={id} delivery={delivery} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          size="compact-sm"
          variant="default"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show older deliveries
        </Button>
      )}
    </>
  )
}
