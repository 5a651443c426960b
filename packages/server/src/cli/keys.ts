import { ALL_SCOPES, KEY_KINDS, type KeyKind, type Scope } from '@bugle/contract'
import { systemClock } from '../clock.ts'
import { mintKey } from '../domain/keys.ts'
import { isId } from '../model/ids.ts'
import type { KeyRecord } from '../model/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { type Command, CommandError, type Input, UsageError } from './command.ts'
import { findProjectOrFail } from './projects.ts'
import { pairs, table } from './terminal/printable.ts'

const create: Command = {
  name: 'key create',
  summary: 'Make a key; it works at once',
  positionals: [],
  options: {
    project: { type: 'string', value: 'SLUG', meaning: 'the project it belongs to' },
    'all-projects': { type: 'boolean', meaning: 'a secret key for all projects; it can not submit' },
    kind: {
      type: 'string',
      value: 'KIND',
      isRequired: true,
      meaning: 'public (for apps) or secret (has scopes)',
    },
    scope: {
      type: 'string',
      value: 'SCOPE',
      multiple: true,
      meaning: `what a secret key may do: ${ALL_SCOPES.join(', ')}`,
    },
    origin: {
      type: 'string',
      value: 'ORIGIN',
      multiple: true,
      meaning: 'a page that may use a public key, https://app.example; else all',
    },
    name: { type: 'string', value: 'NAME', meaning: 'what it is for' },
  },
  async run(input, { withStorage }) {
    const kind = readKind(input)
    const scopes = readScopes(input, kind)
    const origins = readOrigins(input, kind)
    checkOwner(input, kind)
    return withStorage(async (storage) => {
      const { token, key } = mintKey({
        projectId: await projectIdOf(storage, input),
        kind,
        name: input.text('name') ?? null,
        scopes,
        origins,
        createdAt: systemClock(),
      })
      if ((await storage.keys.create(key)) === 'no-project')
        throw new CommandError('the project was just deleted')
      const warning = kind === 'secret' ? '\n\nThis is the only time the key is shown: keep it safe.' : ''
      return { json: { ...showKey(key), token }, text: `${describe(key, token)}${warning}` }
    })
  },
}

const list: Command = {
  name: 'key list',
  summary: 'List the keys of a project',
  positionals: [],
  options: {
    project: { type: 'string', value: 'SLUG', meaning: 'the project' },
    'all-projects': { type: 'boolean', meaning: 'the keys that belong to no single project' },
  },
  async run(input, { withStorage }) {
    checkOwner(input, undefined)
    const keys = await withStorage(async (storage) => storage.keys.list(await projectIdOf(storage, input)))
    if (keys.length === 0) return { json: [], text: 'There is no key yet. "bugle key create" makes one.' }
    const rows = keys.map((key) => [
      key.id,
      key.kind,
      key.name ?? '',
      shownToken(key),
      stateOf(key),
      key.scopes.join(' '),
    ])
    return { json: keys.map(showKey), text: table(['ID', 'KIND', 'NAME', 'KEY', 'STATE', 'SCOPES'], rows) }
  },
}

const revoke: Command = {
  name: 'key revoke',
  summary: 'Stop a key from working, for good; a running server follows within a second',
  positionals: ['ID'],
  options: {},
  async run(input, { withStorage }) {
    const [id = ''] = input.positionals
    if (!isId('key', id))
      throw new UsageError(`"${id}" is no id of a key, key_…; "bugle key list" shows them`)
    const outcome = await withStorage((storage) => storage.keys.revoke(id, systemClock()))
    if (outcome === 'missing') throw new CommandError(`there is no key "${id}"; "bugle key list" shows them`)
    return {
      json: { id, outcome },
      text: outcome === 'revoked' ? `Revoked ${id}.` : `${id} was revoked before.`,
    }
  },
}

export const keyCommands: readonly Command[] = [create, list, revoke]

function readKind(input: Input): KeyKind {
  const kind = KEY_KINDS.find((known) => known === input.text('kind'))
  if (kind === undefined) throw new UsageError(`--kind must be ${KEY_KINDS.join(' or ')}`)
  return kind
}

function readScopes(input: Input, kind: KeyKind): readonly Scope[] {
  const words = input.texts('scope').flatMap((text) => text.split(','))
  if (kind === 'public' && words.length > 0)
    throw new UsageError('a public key has no scopes: it submits and reads the SDK configuration')
  if (kind === 'secret' && words.length === 0)
    throw new UsageError(`a secret key needs --scope: ${ALL_SCOPES.join(', ')}`)
  const unknown = words.find((word) => !ALL_SCOPES.some((scope) => scope === word))
  if (unknown !== undefined)
    throw new UsageError(`there is no scope "${unknown}"; known are ${ALL_SCOPES.join(', ')}`)
  return ALL_SCOPES.filter((scope) => words.includes(scope))
}

function readOrigins(input: Input, kind: KeyKind): readonly string[] {
  const origins = input.texts('origin')
  if (kind === 'secret' && origins.length > 0)
    throw new UsageError('a secret key never belongs in a page, so it has no --origin')
  return origins.map((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    // The browser sends exactly this spelling; anything else would never match.
    if (url === undefined || url.origin !== text)
      throw new UsageError(`"${text}" is no origin; write it like https://app.example.com`)
    return text
  })
}

function checkOwner(input: Input, kind: KeyKind | undefined): void {
  const isInstance = input.isSet('all-projects')
  if (isInstance === (input.text('project') !== undefined))
    throw new UsageError('give either --project SLUG or --all-projects')
  if (isInstance && kind === 'public')
    throw new UsageError('a public key belongs to one project; give --project')
}

async function projectIdOf(storage: Storage, input: Input) {
  const slug = input.text('project')
  return slug === undefined ? null : (await findProjectOrFail(storage, slug)).id
}

function showKey({ hash: _, createdAt, revokedAt, ...key }: KeyRecord) {
  return {
    ...key,
    createdAt: new Date(createdAt).toISOString(),
    revokedAt: revokedAt === null ? null : new Date(revokedAt).toISOString(),
  }
}

function describe(key: KeyRecord, token: string): string {
  return pairs([
    ['id', key.id],
    ['kind', key.kind],
    ['name', key.name ?? '-'],
    ['project', key.projectId ?? 'all'],
    ['scopes', key.scopes.join(' ') || '-'],
    ['origins', key.origins.join(' ') || 'all'],
    ['key', token],
  ])
}

function shownToken(key: KeyRecord): string {
  return key.token ?? `…${key.ending}`
}

function stateOf(key: KeyRecord): string {
  return key.revokedAt === null ? 'works' : 'revoked'
}
