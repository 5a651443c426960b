import {
  EVENT_TYPES,
  type EventType,
  MAX_WEBHOOKS,
  WEBHOOK_FORMATS,
  type WebhookFormat,
} from '@bugle/contract'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { showWebhook } from '../domain/webhook-views.ts'
import { makeWebhook } from '../domain/webhooks.ts'
import type { WebhookRecord } from '../model/webhooks.ts'
import { judgeUrl } from '../outbound/guard-destination.ts'
import { mintWebhookSecret } from '../outbound/sign-webhook.ts'
import type { Storage } from '../storage/storage.ts'
import { type Command, CommandError, type Input, type Result, UsageError } from './command.ts'
import { EVERY_LANE, missingWebhook, requireWebhook } from './find-webhook.ts'
import { findProjectOrFail } from './projects.ts'
import { pairs, table } from './terminal/printable.ts'
import { webhookDeliveryCommands } from './webhook-deliveries.ts'

const LIST_LIMIT = 1_000

const list: Command = {
  name: 'webhook list',
  summary: 'List the webhooks of a project, and how they are doing',
  positionals: [],
  options: { project: { type: 'string', value: 'SLUG', isRequired: true, meaning: 'the project' } },
  async run(input, { withStorage }) {
    return withStorage(async (storage) => {
      const { id: projectId } = await findProjectOrFail(storage, input.text('project') ?? '')
      const listing = { projectId, lanes: EVERY_LANE, afterNumber: 0, limit: LIST_LIMIT }
      const webhooks = await storage.webhooks.list(listing)
      if (webhooks.length === 0)
        return { json: [], text: 'There is no webhook yet. "bugle webhook add" makes one.' }
      const shown = await Promise.all(webhooks.map((webhook) => show(storage, webhook)))
      const rows = shown.map((one) => [
        one.id,
        one.name ?? '',
        one.status,
        one.failingSince === null ? '' : one.failingSince,
        String(one.pendingDeliveries),
        one.url,
      ])
      return { json: shown, text: table(['ID', 'NAME', 'STATUS', 'FAILING SINCE', 'PENDING', 'URL'], rows) }
    })
  },
}

const add: Command = {
  name: 'webhook add',
  summary: 'Send the events of a project to a URL from now on',
  positionals: [],
  options: {
    project: { type: 'string', value: 'SLUG', isRequired: true, meaning: 'the project' },
    url: { type: 'string', value: 'URL', isRequired: true, meaning: 'where to send them, https://…' },
    event: {
      type: 'string',
      value: 'TYPE',
      multiple: true,
      meaning: `only events of this type, else all: ${EVENT_TYPES.join(', ')}`,
    },
    'include-security': { type: 'boolean', meaning: 'also send events of security issues' },
    format: { type: 'string', value: 'FORMAT', meaning: `${WEBHOOK_FORMATS.join(' or ')}, else standard` },
    name: { type: 'string', value: 'NAME', meaning: 'what it is for' },
  },
  async run(input, { withStorage, config }) {
    const wish = readWish(input, config)
    return withStorage(async (storage) => {
      const project = await findProjectOrFail(storage, input.text('project') ?? '')
      const webhook = makeWebhook(project, wish)
      const created = await storage.webhooks.create(webhook)
      if (created === 'no-project') throw new CommandError('the project was just deleted')
      if (created === 'too-many')
        throw new CommandError(`the project has ${MAX_WEBHOOKS} webhooks already: remove one first`)
      const { json, text } = await describe(storage, created)
      return {
        json: { ...Object(json), secret: webhook.secret },
        text: `${text}\nsecret             ${webhook.secret}\n\nThis is the only time the secret is shown: keep it safe.`,
      }
    })
  },
}

const pause: Command = {
  name: 'webhook pause',
  summary: 'Hold back what is to be sent; nothing is lost',
  positionals: ['ID'],
  options: {},
  run: (input, { withStorage }) => withStorage((storage) => setStatus(storage, input, 'paused')),
}

const resume: Command = {
  name: 'webhook resume',
  summary: 'Go on sending, beginning with what was held back',
  positionals: ['ID'],
  options: {},
  run: (input, { withStorage }) => withStorage((storage) => setStatus(storage, input, 'active')),
}

const remove: Command = {
  name: 'webhook remove',
  summary: 'Delete a webhook with what is still to be sent',
  positionals: ['ID'],
  options: {},
  async run(input, { withStorage }) {
    return withStorage(async (storage) => {
      const { order } = await requireWebhook(storage, input)
      await storage.webhooks.delete(order)
      return { json: { id: order.webhookId }, text: `Removed ${order.webhookId}.` }
    })
  },
}

export const webhookCommands: readonly Command[] = [
  list,
  add,
  pause,
  resume,
  remove,
  ...webhookDeliveryCommands,
]

function readWish(input: Input, { allowPrivateWebhooks }: Config) {
  const url = input.text('url') ?? ''
  const refusal = judgeUrl(url, allowPrivateWebhooks)
  if (refusal !== undefined) throw new UsageError(`--url can not be used: ${refusal.detail}`)
  const eventTypes = input.texts('event').map(readEventType)
  return {
    url,
    name: input.text('name') ?? null,
    eventTypes: eventTypes.length === 0 ? null : [...new Set(eventTypes)],
    includeSecurity: input.isSet('include-security'),
    format: readFormat(input.text('format')),
    secret: mintWebhookSecret(),
    createdAt: systemClock(),
  }
}

function readEventType(text: string): EventType {
  const type = EVENT_TYPES.find((known) => known === text)
  if (type === undefined)
    throw new UsageError(`there is no event "${text}"; known are ${EVENT_TYPES.join(', ')}`)
  return type
}

function readFormat(text: string | undefined): WebhookFormat | null {
  if (text === undefined) return null
  const format = WEBHOOK_FORMATS.find((known) => known === text)
  if (format === undefined) throw new UsageError(`--format must be ${WEBHOOK_FORMATS.join(' or ')}`)
  return format
}

async function setStatus(storage: Storage, input: Input, status: WebhookRecord['status']): Promise<Result> {
  const { order } = await requireWebhook(storage, input)
  const change = { patch: { status }, actor: null, at: systemClock() }
  const webhook = await storage.webhooks.change({ ...order, ...change })
  if (typeof webhook !== 'object') throw missingWebhook(order.webhookId)
  return describe(storage, webhook)
}

async function show(storage: Storage, webhook: WebhookRecord) {
  return showWebhook(webhook, await storage.deliveries.countPending(webhook))
}

async function describe(storage: Storage, webhook: WebhookRecord): Promise<Result> {
  const shown = await show(storage, webhook)
  const entries = Object.entries(shown).map(([name, value]) => [name, wordsOf(value)] as const)
  return { json: shown, text: pairs(entries) }
}

function wordsOf(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : String(value ?? '-')
}
