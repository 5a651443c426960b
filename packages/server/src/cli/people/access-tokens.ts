import { systemClock } from '../../clock.ts'
import { isId } from '../../model/ids.ts'
import { type AccessTokenRecord, isExpired, scopesOfToken } from '../../model/people/access-tokens.ts'
import type { UserRecord } from '../../model/people/users.ts'
import { type Command, CommandError, UsageError } from '../command.ts'
import { type Column, table } from '../terminal/tables.ts'
import { findUserOrFail, listAll } from './users.ts'

const list: Command = {
  name: 'token list',
  summary: 'List personal access tokens, of all people or of one',
  positionals: [],
  options: { user: { type: 'string', value: 'EMAIL', meaning: 'only the tokens of this person' } },
  async run(input, { withStorage, terminal }) {
    const now = systemClock()
    const email = input.text('user')
    const owned = await withStorage(async (storage) => {
      const users = email === undefined ? await listAll(storage) : [await findUserOrFail(storage, email)]
      const found: { token: AccessTokenRecord; user: UserRecord }[] = []
      for (const user of users)
        for (const token of await storage.accessTokens.list(user.id)) found.push({ token, user })
      return found
    })
    if (owned.length === 0)
      return { json: [], text: 'No tokens. People create their own, on their profile page.' }
    const rows = owned.map(({ token, user }) => [
      token.id,
      user.email,
      token.name,
      `…${token.ending}`,
      isExpired(token, now) ? 'expired' : 'active',
      scopesOfToken({ token, user }).join(' '),
    ])
    return {
      json: owned.map(({ token, user }) => showToken(token, user)),
      text: table(COLUMNS, rows, terminal),
    }
  },
}

const COLUMNS: readonly (string | Column)[] = [
  'ID',
  { heading: 'OWNER', overflow: 'cut' },
  { heading: 'NAME', overflow: 'cut', leaveOut: 1 },
  'TOKEN',
  { heading: 'STATE', paint: (state, { good, faint }) => (state === 'active' ? good : faint)(state) },
  { heading: 'SCOPES', overflow: 'wrap', leaveOut: 2 },
]

const revoke: Command = {
  name: 'token revoke',
  summary: 'Revoke a personal access token; a running server applies it within a second',
  positionals: ['ID'],
  options: {},
  async run(input, { withStorage }) {
    const [id = ''] = input.positionals
    if (!isId('pat', id))
      throw new UsageError(`"${id}" is not the id of a token (pat_…); "bugle token list" shows them`)
    if ((await withStorage((storage) => storage.accessTokens.revoke(id))) === 'missing')
      throw new CommandError(`there is no token "${id}"; "bugle token list" shows them`)
    return { json: { id }, text: `Revoked ${id}.` }
  },
}

export const tokenCommands: readonly Command[] = [list, revoke]

/** `scopes` are those that a request with the token has now. */
function showToken(token: AccessTokenRecord, user: UserRecord) {
  const { hash: _, createdAt, expiresAt, lastUsedAt, ...rest } = token
  const timeOf = (time: number | null) => time && new Date(time).toISOString()
  return {
    ...rest,
    email: user.email,
    scopes: scopesOfToken({ token, user }),
    createdAt: timeOf(createdAt),
    expiresAt: timeOf(expiresAt),
    lastUsedAt: timeOf(lastUsedAt),
  }
}
