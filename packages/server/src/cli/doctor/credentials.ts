import type { KeyRecord } from '../../model/keys.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { many } from '../data/transfer-texts.ts'
import { type Finding, ok, warning } from './findings.ts'

const CHECK = 'keys'
const UNUSED_MS = 90 * 86_400_000

/** Active keys that have not been used for long. */
export async function checkKeys(
  { keys }: Storage,
  projects: readonly ProjectRecord[],
  now: number,
): Promise<Finding> {
  const lists = await Promise.all([null, ...projects.map(({ id }) => id)].map((id) => keys.list(id)))
  const working = lists.flat().filter(({ revokedAt }) => revokedAt === null)
  const idle = working.filter((key) => (key.lastUsedAt ?? key.createdAt) < now - UNUSED_MS)
  if (idle.length === 0)
    return ok(CHECK, `${many(working.length, 'active key', 'active keys')}, all new or in use`)
  const found = `not used for 90 days: ${idle.slice(0, SHOWN).map(nameOf).join(', ')}${idle.length > SHOWN ? ', …' : ''}`
  return warning(CHECK, found, 'revoke the keys that are no longer needed: "bugle key revoke ID"')
}

const SHOWN = 5

function nameOf({ id, name, ending }: KeyRecord): string {
  return `${id} (${name ?? `…${ending}`})`
}
