import {
  EVENT_TYPES,
  type EventType,
  MAX_WEBHOOKS,
  WEBHOOK_FORMATS,
  type WebhookFormat,
} from '@bugle/contract'
import { systemClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { showWebhook } from '../../domain/webhooks/webhook-views.ts'
import { makeWebhook } from '../../domain/webhooks/webhooks.ts'
import type { WebhookRecord } from '../../model/webhooks.ts'
import { judgeUrl } from '../../outbound/guard-destination.ts'
import { mintWebhookSecret } from '../../outbound/sign-webhook.ts'
import type { Storage } from '../../storage/storage.ts'
import {
  type Command,
  type CommandContext,
  CommandError,
  type Input,
  type Result,
  UsageError,
} from '../command.ts'
import { findProjectOrFail } from '../projects/projects.ts'
import { type Column, pairs, type Screen, table } from '../terminal/tables.ts'
import { EVERY_LANE, missingWebhook, requireWebhook } from './find-webhook.ts'
import { webhookDeliveryCommands } from './webhook-deliveries.ts'

const LIST_LIMIT = 1_000

const list: Command = {
  name: 'webhook list',
  summary: 'List the webhooks of a project with their status',
  positionals: [],
  options: { project: { type: 'string', value: 'SLUG', isRequired: true, meaning: 'the project' } },
  async run(input, { withStorage, terminal }) {
    return withStorage(async (storage) => {
      const { id: projectId } = await findProjectOrFail(storage, input.text('project') ?? '')
      const listing = { projectId, lanes: EVERY_LANE, afterNumber: 0, limit: LIST_LIMIT }
      const webhooks = await storage.webhooks.list(listing)
      if (webhooks.length === 0)
        return { json: [], text: 'No webhooks yet. Create one with "bugle webhook add".' }
      const shown = await Promise.all(webhooks.map((webhook) => show(storage, webhook)))
      const rows = shown.map((one) => [
        one.id,
        one.name ?? '',
        one.status,
        one.failingSince === null ? '' : one.failingSince,
        String(one.pendingDeliveries),
        one.url,
      ])
      return { json: shown, text: table(COLUMNS, rows, terminal) }
    })
  },
}

const COLUMNS: readonly (string | Column)[] = [
  'ID',
  { heading: 'NAME', overflow: 'cut' },
  { heading: 'STATUS', paint: (status, { good, warning }) => (status === 'active' ? good : warning)(status) },
  { heading: 'FAILING SINCE', paint: (since, { bad }) => bad(since) },
  'PENDING',
  'URL',
]

const add: Command = {
  name: 'webhook add',
  summary: 'Create a webhook: sends the events of a project to a URL',
  positionals: [],
  options: {
    project: { type: 'string', value: 'SLUG', isRequired: true, meaning: 'the project' },
    url: { type: 'string', value: 'URL', isRequired: true, meaning: 'where to send them, https://…' },
    event: {
      type: 'string',
      value: 'TYPE',
      multiple: true,
      meaning: `only events of this type; default: all. Types: ${EVENT_TYPES.join(', ')}`,
    },
    'include-security': { type: 'boolean', meaning: 'also send events of security issues' },
    format: {
      type: 'string',
      value: 'FORMAT',
      meaning: `${WEBHOOK_FORMATS.join(' or ')}; default: standard`,
    },
    name: { type: 'string', value: 'NAME', meaning: 'what it is for' },
  },
  async run(input, { withStorage, config, terminal }) {
    const options = readOptions(input, config)
    return withStorage(async (storage) => {
      const project = await findProjectOrFail(storage, input.text('project') ?? '')
      const webhook = makeWebhook(project, options)
      const created = await storage.webhooks.create(webhook)
      if (created === 'no-project') throw new CommandError('the project has just been deleted')
      if (created === 'too-many')
        throw new CommandError(`the project already has ${MAX_WEBHOOKS} webhooks; remove one first`)
      const { json, text } = await describe(storage, created, terminal)
      return {
        json: { ...Object(json), secret: webhook.secret },
        text: `${text}\nsecret             ${webhook.secret}\n\nThe secret is shown only once. Store it in a safe place.`,
      }
    })
  },
}

const pause: Command = {
  name: 'webhook pause',
  summary: 'Pause a webhook; events are kept until it is resumed',
  positionals: ['ID'],
  options: {},
  run: (input, context) => setStatus(input, 'paused', context),
}

const resume: Command = {
  name: 'webhook resume',
  summary: 'Resume a webhook, starting with the events that were kept',
  positionals: ['ID'],
  options: {},
  run: (input, context) => setStatus(input, 'active', context),
}

const remove: Command = {
  name: 'webhook remove',
  summary: 'Delete a webhook with its pending deliveries',
  positionals: ['ID'],
  options: {},
  async run(input, { withStorage }) {
    return withStorage(async (storage) => {
      const { command } = await requireWebhook(storage, input)
      await storage.webhooks.delete(command)
      return { json: { id: command.webhookId }, text: `Removed ${command.webhookId}.` }
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

function readOptions(input: Input, { allowPrivateWebhooks }: Config) {
  const url = input.text('url') ?? ''
  const refusal = judgeUrl(url, allowPrivateWebhooks)
  if (refusal !== undefined) throw new UsageError(`--url cannot be used: ${refusal.detail}`)
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
    throw new UsageError(`there is no event type "${text}"; the types are ${EVENT_TYPES.join(', ')}`)
  return type
}

function readFormat(text: string | undefined): WebhookFormat | null {
  if (text === undefined) return null
  const format = WEBHOOK_FORMATS.find((known) => known === text)
  if (format === undefined) throw new UsageError(`--format must be ${WEBHOOK_FORMATS.join(' or ')}`)
  return format
}

function setStatus(
  input: Input,
  status: WebhookRecord['status'],
  { withStorage, terminal }: CommandContext,
): Promise<Result> {
  return withStorage(async (storage) => {
    const { command } = await requireWebhook(storage, input)
    const change = { patch: { status }, actor: null, at: systemClock() }
    const webhook = await storage.webhooks.change({ ...command, ...change })
    if (typeof webhook !== 'object') throw missingWebhook(command.webhookId)
    return describe(storage, webhook, terminal)
  })
}

async function show(storage: Storage, webhook: WebhookRecord) {
  return showWebhook(webhook, await storage.deliveries.countPending(webhook))
}

async function describe(storage: Storage, webhook: WebhookRecord, screen: Screen): Promise<Result> {
  const shown = await show(storage, webhook)
  const entries = Object.entries(shown).map(([name, value]) => [name, wordsOf(value)] as const)
  return { json: shown, text: pairs(entries, screen) }
}

function wordsOf(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : String(value ?? '-')
}
