import { ALL_SCOPES, KEY_KINDS, type KeyKind, type Scope } from '@bugle/contract'
import { systemClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { dsnOf, isOrigin, mintKey } from '../../domain/projects/keys.ts'
import { isId } from '../../model/ids.ts'
import type { KeyRecord } from '../../model/keys.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Command, CommandError, type Input, UsageError } from '../command.ts'
import { serverUrl } from '../listening.ts'
import { type Column, pairs, type Screen, table } from '../terminal/tables.ts'
import { findProjectOrFail, listProjects } from './projects.ts'

const create: Command = {
  name: 'key create',
  summary: 'Create a key; it works immediately',
  positionals: [],
  options: {
    project: { type: 'string', value: 'SLUG', meaning: 'the project it belongs to' },
    'all-projects': { type: 'boolean', meaning: 'a secret key for all projects; it cannot submit' },
    kind: {
      type: 'string',
      value: 'KIND',
      isRequired: true,
      meaning: 'public (for apps) or secret (with scopes)',
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
      meaning: 'limit a public key to pages of this origin, https://app.example',
    },
    name: { type: 'string', value: 'NAME', meaning: 'a name' },
  },
  missing: (input) => [
    ...(input.text('project') === undefined && !input.isSet('all-projects')
      ? ['--project SLUG or --all-projects']
      : []),
    ...(input.text('kind') === 'secret' && input.texts('scope').length === 0 ? ['--scope SCOPE'] : []),
  ],
  async run(input, { withStorage, terminal, config }) {
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
        throw new CommandError('the project has just been deleted')
      const warning = kind === 'secret' ? '\n\nThe key is shown only once. Store it in a safe place.' : ''
      return { json: { ...showKey(key, config), token }, text: `${describe(key, token, terminal)}${warning}` }
    })
  },
}

const list: Command = {
  name: 'key list',
  summary: 'List keys, of all projects or of one',
  positionals: [],
  options: {
    project: { type: 'string', value: 'SLUG', meaning: 'only the keys of this project' },
    'all-projects': { type: 'boolean', meaning: 'only the keys that are valid for all projects' },
  },
  async run(input, { withStorage, terminal, config }) {
    checkOwner(input, undefined)
    const keys = await withStorage((storage) => findKeys(storage, input))
    if (keys.length === 0) return { json: [], text: 'No keys yet. Create one with "bugle key create".' }
    const rows = keys.map(({ key, slug }) => [
      key.id,
      slug ?? 'all projects',
      key.kind,
      key.name ?? '',
      shownToken(key),
      stateOf(key),
      key.scopes.join(' '),
    ])
    return { json: keys.map(({ key }) => showKey(key, config)), text: table(COLUMNS, rows, terminal) }
  },
}

const COLUMNS: readonly (string | Column)[] = [
  'ID',
  'PROJECT',
  'KIND',
  { heading: 'NAME', overflow: 'cut' },
  'KEY',
  { heading: 'STATE', paint: (state, { good, faint }) => (state === 'active' ? good : faint)(state) },
  { heading: 'SCOPES', overflow: 'wrap' },
]

interface OwnedKey {
  readonly key: KeyRecord
  /** The project's; `null` for a key that is valid for all projects. */
  readonly slug: string | null
}

/** The keys of the given project, or of all; keys for all projects come first. */
async function findKeys(storage: Storage, input: Input): Promise<readonly OwnedKey[]> {
  const wanted = input.text('project')
  const projects = wanted === undefined ? [] : [await findProjectOrFail(storage, wanted)]
  const isEverything = wanted === undefined && !input.isSet('all-projects')
  const owners = [
    ...(wanted === undefined ? [{ id: null, slug: null }] : projects),
    ...(isEverything ? await listProjects(storage) : []),
  ]
  const found: OwnedKey[] = []
  for (const { id, slug } of owners) for (const key of await storage.keys.list(id)) found.push({ key, slug })
  return found
}

const revoke: Command = {
  name: 'key revoke',
  summary: 'Revoke a key permanently; a running server applies it within a second',
  positionals: ['ID'],
  options: {},
  async run(input, { withStorage }) {
    const [id = ''] = input.positionals
    if (!isId('key', id))
      throw new UsageError(`"${id}" is not the id of a key (key_…); "bugle key list" shows them`)
    const outcome = await withStorage((storage) => storage.keys.revoke(id, systemClock()))
    if (outcome === 'missing') throw new CommandError(`there is no key "${id}"; "bugle key list" shows them`)
    return {
      json: { id, outcome },
      text: outcome === 'revoked' ? `Revoked ${id}.` : `${id} was already revoked.`,
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
    throw new UsageError('a public key has no scopes: it can submit issues and read the SDK configuration')
  const unknown = words.find((word) => !ALL_SCOPES.some((scope) => scope === word))
  if (unknown !== undefined)
    throw new UsageError(`there is no scope "${unknown}"; the scopes are ${ALL_SCOPES.join(', ')}`)
  return ALL_SCOPES.filter((scope) => words.includes(scope))
}

function readOrigins(input: Input, kind: KeyKind): readonly string[] {
  const origins = input.texts('origin')
  if (kind === 'secret' && origins.length > 0)
    throw new UsageError('a secret key must never be in a page, so it has no --origin')
  return origins.map((text) => {
    if (!isOrigin(text))
      throw new UsageError(`"${text}" is not an origin; write it like https://app.example.com`)
    return text
  })
}

function checkOwner(input: Input, kind: KeyKind | undefined): void {
  const isInstance = input.isSet('all-projects')
  if (isInstance && input.text('project') !== undefined)
    throw new UsageError('--project and --all-projects cannot be combined')
  if (isInstance && kind === 'public')
    throw new UsageError('a public key belongs to one project; use --project')
}

async function projectIdOf(storage: Storage, input: Input) {
  const slug = input.text('project')
  return slug === undefined ? null : (await findProjectOrFail(storage, slug)).id
}

function showKey({ hash: _, createdAt, revokedAt, ...key }: KeyRecord, config: Config) {
  return {
    ...key,
    dsn: dsnOf(key, serverUrl(config)),
    createdAt: new Date(createdAt).toISOString(),
    revokedAt: revokedAt === null ? null : new Date(revokedAt).toISOString(),
  }
}

function describe(key: KeyRecord, token: string, screen: Screen): string {
  return pairs(
    [
      ['id', key.id],
      ['kind', key.kind],
      ['name', key.name ?? '-'],
      ['project', key.projectId ?? 'all'],
      ['scopes', key.scopes.join(' ') || '-'],
      ['origins', key.origins.join(' ') || 'all'],
      ['key', token],
    ],
    screen,
  )
}

function shownToken(key: KeyRecord): string {
  return key.token ?? `…${key.ending}`
}

function stateOf(key: KeyRecord): string {
  return key.revokedAt === null ? 'active' : 'revoked'
}
