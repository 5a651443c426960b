import type { ProjectId, WebhookId } from '../../model/ids.ts'
import type { Lane } from '../../model/lanes.ts'
import type {
  AttemptCommand,
  Claim,
  ClaimCommand,
  DeliveryHistory,
  DeliveryRecord,
  NewWebhook,
  SecretCommand,
  WebhookChangeCommand,
  WebhookCommand,
  WebhookRecord,
  WebhookTally,
} from '../../model/webhooks.ts'

export interface WebhookStorage {
  /**
   * Stores nothing if the project was deleted or has the maximum number of webhooks in the same lane. The other lane is
   * not counted, so that nothing is revealed about it.
   */
  create(webhook: NewWebhook): Promise<WebhookRecord | 'no-project' | 'too-many'>
  find(projectId: ProjectId, id: WebhookId): Promise<WebhookRecord | undefined>
  /** Oldest first, starting after `afterNumber`. */
  list(listing: {
    readonly projectId: ProjectId
    readonly lanes: readonly Lane[]
    readonly afterNumber: number
    readonly limit: number
  }): Promise<readonly WebhookRecord[]>
  /**
   * Changes, pauses or resumes a webhook. Returns `undefined` if it is missing, and `too-many` if it would move to a
   * lane that is full. On resume, deliveries that failed before the pause become pending again.
   */
  change(command: WebhookChangeCommand): Promise<WebhookRecord | 'too-many' | undefined>
  rotateSecret(command: SecretCommand): Promise<WebhookRecord | undefined>
  delete(command: WebhookCommand): Promise<'deleted' | 'missing'>
}

/** THE LOG IS THE OUTBOX: events become deliveries only here, on request. */
export interface DeliveryStorage {
  /** Webhooks that are behind the log and have room for more pending deliveries. */
  listBehind(limit: number): Promise<readonly Pick<WebhookRecord, 'id' | 'projectId'>[]>
  /**
   * Turns a batch of the next matching events into pending deliveries of a webhook. Returns false if there are none, or
   * if another node is already doing so.
   */
  fanOut(projectId: ProjectId, id: WebhookId, now: number): Promise<boolean>
  /** Whether there is something to claim. */
  isAnyDue(now: number): Promise<boolean>
  /** Claims due deliveries that are not yet claimed. Those that the webhook may no longer see are dropped instead. */
  claimDue(command: ClaimCommand): Promise<readonly Claim[]>
  /** Records an attempt and its consequences; returns nothing if the delivery no longer exists. */
  recordAttempt(command: AttemptCommand): Promise<void>
  /**
   * Newest event first, starting before `beforePosition`. Lists only deliveries of events in these lanes that are still
   * in the log. Here and below, positions are counted in these lanes.
   */
  list(
    listing: WebhookCommand & { readonly beforePosition: number; readonly limit: number },
  ): Promise<readonly DeliveryRecord[]>
  find(command: WebhookCommand, position: number): Promise<DeliveryHistory | undefined>
  countPending(webhook: WebhookRecord): Promise<number>
  /** Like {@link countPending}, for several webhooks of one project, in the given order. */
  countPendingOf(webhooks: readonly WebhookRecord[]): Promise<readonly number[]>
  /** Counts the webhooks of all projects, and their pending deliveries. */
  tally(): Promise<WebhookTally>
  /** Makes a delivery pending again, with the full retry schedule, and returns it as it is before its next attempt. */
  redeliver(command: WebhookCommand, position: number, now: number): Promise<DeliveryHistory | undefined>
  /** Deletes a batch of finished deliveries; false when there is nothing left to delete. */
  expireSome(projectId: ProjectId, before: number): Promise<boolean>
}
