import { systemClock } from '../../clock.ts'
import { showDelivery } from '../../domain/webhooks/webhook-views.ts'
import { type Command, CommandError, UsageError } from '../command.ts'
import { type Column, table } from '../terminal/tables.ts'
import { requireWebhook } from './find-webhook.ts'

const LIST_LIMIT = 50

const deliveries: Command = {
  name: 'webhook deliveries',
  summary: `List the latest ${LIST_LIMIT} deliveries of a webhook`,
  positionals: ['ID'],
  options: {},
  async run(input, { withStorage, terminal }) {
    return withStorage(async (storage) => {
      const { command, webhook } = await requireWebhook(storage, input)
      const listing = { ...command, beforePosition: Number.MAX_SAFE_INTEGER, limit: LIST_LIMIT }
      const found = await storage.deliveries.list(listing)
      const shown = found.map((delivery) => showDelivery(delivery, { webhook, lanes: command.lanes }))
      if (shown.length === 0) return { json: [], text: 'No deliveries yet.' }
      const rows = shown.map((one) => [
        String(one.position),
        one.eventType,
        one.status,
        String(one.attemptCount),
        one.nextAttemptAt ?? one.finishedAt ?? '',
      ])
      return { json: shown, text: table(COLUMNS, rows, terminal) }
    })
  },
}

const PAINTS: Readonly<Record<string, 'good' | 'bad' | 'warning'>> = {
  delivered: 'good',
  failed: 'bad',
  pending: 'warning',
}

const COLUMNS: readonly (string | Column)[] = [
  'POSITION',
  { heading: 'EVENT', overflow: 'cut' },
  { heading: 'STATUS', paint: (status, colours) => colours[PAINTS[status] ?? 'faint'](status) },
  { heading: 'ATTEMPTS', leaveOut: 1 },
  'NEXT OR LAST ATTEMPT',
]

const redeliver: Command = {
  name: 'webhook redeliver',
  summary: 'Send an event to a webhook again; a running server does it within a second',
  positionals: ['ID', 'POSITION'],
  options: {},
  async run(input, { withStorage }) {
    const position = Number(input.positionals[1])
    if (!Number.isSafeInteger(position) || position < 1)
      throw new UsageError(
        `"${input.positionals[1]}" is not a position; "bugle webhook deliveries" shows them`,
      )
    return withStorage(async (storage) => {
      const { command } = await requireWebhook(storage, input)
      if ((await storage.deliveries.redeliver(command, position, systemClock())) === undefined)
        throw new CommandError(`${command.webhookId} has no delivery at position ${position}`)
      return { json: { id: command.webhookId, position }, text: `Event ${position} will be sent again.` }
    })
  },
}

export const webhookDeliveryCommands: readonly Command[] = [deliveries, redeliver]
