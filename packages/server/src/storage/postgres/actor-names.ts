import type { Actor } from '../../model/events.ts'
import { isId } from '../../model/ids.ts'
import type { EventStorage } from '../storage.ts'
import { type Database, prepared } from './connection.ts'
import { idOf, uuidOf } from './uuids.ts'

const SELECT_NAMES = prepared(
  'actor_names',
  `SELECT 'key' AS prefix, id, name FROM keys WHERE id = ANY ($1) AND name IS NOT NULL
   UNION ALL SELECT 'usr', id, name FROM users WHERE id = ANY ($2)`,
)

export function actorNames(database: Database): EventStorage['findActorNames'] {
  return async (actors) => {
    const keys = actors.filter((actor) => isId('key', actor)).map(uuidOf)
    const users = actors.filter((actor) => isId('usr', actor)).map(uuidOf)
    const rows = await database.run<NameRow>(SELECT_NAMES(keys, users))
    return new Map<Actor, string>(rows.map(({ prefix, id, name }) => [idOf(prefix, id), name]))
  }
}

interface NameRow {
  readonly prefix: 'key' | 'usr'
  readonly id: string
  readonly name: string
}
