import type { KeyRecord } from '../../model/keys.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { many } from '../transfer-texts.ts'
import { type Finding, ok, warning } from './findings.ts'

const CHECK = 'keys'
const UNUSED_MS = 90 * 86_400_000

/** Keys that work, but that nobody seems to need. */
export async function checkKeys(
  { keys }: Storage,
  projects: readonly ProjectRecord[],
  now: number,
): Promise<Finding> {
  const lists = await Promise.all([null, ...projects.map(({ id }) => id)].map((id) => keys.list(id)))
  const working = lists.flat().filter(({ revokedAt }) => revokedAt === null)
  const idle = working.filter((key) => (key.lastUsedAt ?? key.createdAt) < now - UNUSED_MS)
  if (idle.length === 0) return ok(CHECK, `${many(working.length, 'works', 'work')}, all new or in use`)
  const found = `not used for 90 days: ${idle.slice(0, SHOWN).map(nameOf).join(', ')}${idle.length > SHOWN ? ', …' : ''}`
  return warning(CHECK, found, '"bugle key revoke ID" those that nobody needs')
}

const SHOWN = 5

function nameOf({ id, name, ending }: KeyRecord): string {
  return `${id} (${name ?? `…${ending}`})`
}
