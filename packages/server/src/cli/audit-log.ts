import { open } from 'node:fs/promises'
import { AUDIT_ACTIONS, type AuditAction } from '@bugle/contract'
import { showAuditEntry } from '../domain/administration/audit-log.ts'
import type { AuditEntry, AuditListing } from '../model/audit-log.ts'
import { isId } from '../model/ids.ts'
import type { Storage } from '../storage/storage.ts'
import { type Command, CommandError, failingWith, type Input, type Option, UsageError } from './command.ts'
import { makeWhole, refuseToOverwrite } from './data/part-files.ts'
import { jsonText } from './terminal/printable.ts'
import { type Column, table } from './terminal/tables.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 10_000
const EXPORT_STEP = 500
const STDOUT = '-'

const FILTERS = {
  actor: {
    type: 'string',
    value: 'ACTOR',
    meaning: 'only changes by this person (email or id), key (id) or account (os:NAME)',
  },
  action: { type: 'string', value: 'ACTION', meaning: `only this action: ${AUDIT_ACTIONS.join(', ')}` },
  project: { type: 'string', value: 'SLUG', meaning: 'only this project; its id, if it was deleted' },
  since: {
    type: 'string',
    value: 'TIME',
    meaning: 'from this time on, such as 2026-11-01 or 2026-11-01T12:00Z',
  },
  until: { type: 'string', value: 'TIME', meaning: 'before this time' },
} as const satisfies Record<string, Option>

const list: Command = {
  name: 'audit list',
  summary: 'List changes to projects, keys, people and settings, newest first',
  positionals: [],
  options: {
    ...FILTERS,
    limit: { type: 'string', value: 'N', meaning: `how many; default: ${DEFAULT_LIMIT}` },
  },
  async run(input, { withStorage, terminal }) {
    const limit = readLimit(input)
    return withStorage(async (storage) => {
      const entries = await storage.auditLog.list({ ...(await readFilters(storage, input)), limit })
      if (entries.length === 0) return { json: [], text: 'No entries.' }
      return { json: entries.map(showAuditEntry), text: table(COLUMNS, entries.map(rowOf), terminal) }
    })
  },
}

const exportEntries: Command = {
  name: 'audit export',
  summary: 'Write the audit log to a file, one JSON object per line, newest first; - is standard output',
  positionals: ['FILE'],
  options: FILTERS,
  async run(input, { withStorage, terminal }) {
    const [file = ''] = input.positionals
    const exportTo = (write: (text: string) => Promise<void>) =>
      withStorage(async (storage) => {
        let count = 0
        for await (const entry of everyEntry(storage, await readFilters(storage, input))) {
          await write(`${jsonText(showAuditEntry(entry))}\n`)
          count++
        }
        return count
      })
    if (file === STDOUT) {
      await exportTo((text) => terminal.write(text).catch(failingWith('standard output cannot be written')))
      return undefined
    }
    await refuseToOverwrite(file)
    const entries = await makeWhole(file, async (part) => {
      await using handle = await open(part, 'w')
      return await exportTo((text) => handle.writeFile(text).catch(failingWith(`${part} cannot be written`)))
    })
    return { json: { file, entries }, text: `Wrote ${entries} entries to ${file}.` }
  },
}

export const auditCommands: readonly Command[] = [list, exportEntries]

async function* everyEntry(
  { auditLog }: Storage,
  filters: Omit<AuditListing, 'limit'>,
): AsyncGenerator<AuditEntry> {
  let { before } = filters
  for (;;) {
    const entries = await auditLog.list({ ...filters, before, limit: EXPORT_STEP })
    yield* entries
    const last = entries.at(-1)
    if (last === undefined || entries.length < EXPORT_STEP) return
    before = last.id
  }
}

/** Access to the database is access to everything. */
async function readFilters(storage: Storage, input: Input): Promise<Omit<AuditListing, 'limit'>> {
  return {
    lanes: ['open', 'security'],
    reach: null,
    actor: await readActor(storage, input.text('actor')),
    action: readAction(input.text('action')),
    projectId: await readProject(storage, input.text('project')),
    since: readTime(input, 'since'),
    until: readTime(input, 'until'),
    before: null,
  }
}

/** People are also found by their email address, as long as they have not been removed. */
async function readActor({ users }: Storage, text: string | undefined): Promise<string | null> {
  if (text === undefined) return null
  if (!text.includes('@') || text.startsWith('os:')) return text
  const user = await users.find(text.toLowerCase())
  if (user === undefined)
    throw new CommandError(`no user has the email address "${text}"; of a removed one, give the id`)
  return user.id
}

function readAction(text: string | undefined): AuditAction | null {
  if (text === undefined) return null
  const action = AUDIT_ACTIONS.find((known) => known === text)
  if (action === undefined)
    throw new UsageError(`there is no action "${text}"; the actions are ${AUDIT_ACTIONS.join(', ')}`)
  return action
}

async function readProject({ projects }: Storage, text: string | undefined) {
  if (text === undefined) return null
  if (isId('prj', text)) return text
  const project = await projects.find(text)
  if (project === undefined)
    throw new CommandError(`no project has the slug "${text}"; of a deleted one, give the id`)
  return project.id
}

function readTime(input: Input, option: string): number | null {
  const text = input.text(option)
  if (text === undefined) return null
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new UsageError(`--${option} must be a time such as 2026-11-01T12:00Z, not "${text}"`)
  return time
}

function readLimit(input: Input): number {
  const text = input.text('limit') ?? String(DEFAULT_LIMIT)
  const limit = Number(text)
  if (!/^\d+$/.test(text) || limit < 1 || limit > MAX_LIMIT)
    throw new UsageError(`--limit must be a number from 1 to ${MAX_LIMIT}`)
  return limit
}

const COLUMNS: readonly (string | Column)[] = [
  'TIME',
  { heading: 'ACTOR', overflow: 'cut' },
  'ACTION',
  { heading: 'PROJECT', leaveOut: 1 },
  { heading: 'SUBJECT', overflow: 'cut' },
  { heading: 'CHANGES', overflow: 'wrap' },
]

function rowOf(entry: AuditEntry): readonly string[] {
  return [
    new Date(entry.at).toISOString(),
    entry.actorName ?? entry.actor,
    entry.action,
    entry.projectSlug ?? '',
    entry.subjectName ?? entry.subject ?? '',
    entry.changes.map(({ field, from, to }) => `${field}: ${from ?? '-'} → ${to ?? '-'}`).join('; '),
  ]
}
