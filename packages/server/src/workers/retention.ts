import type { Clock } from '../clock.ts'
import { overBefore } from '../domain/people/session-lifetime.ts'
import { type ProjectPlace, type ProjectRecord, placeOf } from '../model/projects.ts'
import type { Storage } from '../storage/storage.ts'

const DAY_MS = 86_400_000
const PROJECT_STEP = 100

interface Retention {
  readonly storage: Pick<Storage, 'projects' | 'events' | 'deliveries' | 'users' | 'signIns' | 'auditLog'>
  readonly clock: Clock
  /** How long events stay in the feed. */
  readonly eventDays: number
  /** How long webhook deliveries are kept. */
  readonly deliveryDays: number
  /** How long entries of the audit log are kept; `null`: indefinitely. */
  readonly auditDays: number | null
}

/** Deletes data past its retention, project by project in small batches, and expired sessions and links. */
export async function enforceRetention({
  storage,
  clock,
  eventDays,
  deliveryDays,
  auditDays,
}: Retention): Promise<void> {
  const now = clock()
  for await (const { id } of allProjects(storage)) {
    while (await storage.events.expireSome(id, now - eventDays * DAY_MS));
    while (await storage.deliveries.expireSome(id, now - deliveryDays * DAY_MS));
  }
  if (auditDays !== null) while (await storage.auditLog.expireSome(now - auditDays * DAY_MS));
  await storage.users.expireLinks(now)
  while (await storage.signIns.expireSome(overBefore(now)));
}

async function* allProjects({ projects }: Pick<Storage, 'projects'>): AsyncGenerator<ProjectRecord> {
  let last: ProjectPlace | null = null
  for (;;) {
    const some: readonly ProjectRecord[] = await projects.list(last, PROJECT_STEP)
    yield* some
    const final = some.at(-1)
    if (final === undefined || some.length < PROJECT_STEP) return
    last = placeOf(final)
  }
}
