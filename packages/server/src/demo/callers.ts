import type { KeyKind, Scope } from '@bugle/contract'
import type { Caller } from '../domain/access/access.ts'
import { mintKey } from '../domain/projects/keys.ts'
import { mintUnshardedId } from '../model/ids.ts'
import type { UserRecord } from '../model/people/users.ts'
import type { ProjectRecord } from '../model/projects.ts'
import type { Storage } from '../storage/storage.ts'
import { DEMO_KEYS } from './add-usage.ts'

/** The key that was created with the project; in any other project, a key that is not stored and cannot be used. */
export async function keyCaller(
  storage: Storage,
  project: ProjectRecord,
  kind: KeyKind,
  scopes: readonly Scope[],
): Promise<Caller> {
  const stored = await storage.keys.list(project.id)
  const own = stored.find(
    (key) => key.kind === kind && key.name === DEMO_KEYS[kind] && key.revokedAt === null,
  )
  if (own !== undefined) return { kind: 'key', key: own }
  const newKey = {
    projectId: project.id,
    kind,
    name: 'demo',
    scopes,
    origins: [],
    createdAt: project.createdAt,
  }
  return { kind: 'key', key: mintKey(newKey).key }
}

/** A person at that time, with a session that is not stored. */
export function personCaller(user: UserRecord, at: number): Caller {
  return {
    kind: 'user',
    user,
    signIn: {
      id: mintUnshardedId('sgn', at),
      userId: user.id,
      hash: new Uint8Array(),
      userAgent: null,
      createdAt: at,
      lastSeenAt: at,
    },
  }
}
