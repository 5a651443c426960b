import type { Clock } from '../clock.ts'
import { overBefore } from '../domain/people/session-lifetime.ts'
import { type ProjectPlace, type ProjectRecord, placeOf } from '../model/projects.ts'
import type { Storage } from '../storage/storage.ts'

const DAY_MS = 86_400_000
const PROJECT_STEP = 100

interface Retention {
  readonly storage: Pick<Storage, 'projects' | 'events' | 'deliveries' | 'users' | 'signIns'>
  readonly clock: Clock
  /** For how long the feed of events is promised. */
  readonly eventDays: number
  /** For how long it can be read what was sent to webhooks. */
  readonly deliveryDays: number
}

/** Lets go of what is older than was promised, project by project and in small steps; and of sign-ins and links that are over. */
export async function enforceRetention({
  storage,
  clock,
  eventDays,
  deliveryDays,
}: Retention): Promise<void> {
  const now = clock()
  for await (const { id } of allProjects(storage)) {
    while (await storage.events.expireSome(id, now - eventDays * DAY_MS));
    while (await storage.deliveries.expireSome(id, now - deliveryDays * DAY_MS));
  }
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
