import type { DatabaseSync } from 'node:sqlite'
import type { Actor } from '../../model/events.ts'
import { idToBytes, isId } from '../../model/ids.ts'
import type { EventStorage } from '../storage.ts'

export function actorNames(reader: DatabaseSync): EventStorage['findActorNames'] {
  const selectKey = reader.prepare('SELECT name FROM keys WHERE id = ?')
  const selectUser = reader.prepare('SELECT name FROM users WHERE id = ?')
  return async (actors) => {
    const names = new Map<Actor, string>()
    for (const actor of actors) {
      const row = (isId('key', actor) ? selectKey : selectUser).get(idToBytes(actor))
      const name = (row as { name: string | null } | undefined)?.name
      if (name) names.set(actor, name)
    }
    return names
  }
}
