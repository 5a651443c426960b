import type { Clock } from '../clock.ts'
import { ordinalOf } from '../ids.ts'
import type { ProjectRecord } from '../storage/records.ts'
import type { Storage } from '../storage/storage.ts'

const DAY_MS = 86_400_000
const PROJECT_STEP = 100

interface Retention {
  readonly storage: Pick<Storage, 'projects' | 'events'>
  readonly clock: Clock
  /** For how long the feed of events is promised. */
  readonly eventDays: number
}

/** Lets go of what is older than was promised, project by project and in small steps. */
export async function enforceRetention({ storage, clock, eventDays }: Retention): Promise<void> {
  const before = clock() - eventDays * DAY_MS
  for await (const { id } of allProjects(storage)) {
    while (await storage.events.expireSome(id, before));
  }
}

async function* allProjects({ projects }: Pick<Storage, 'projects'>): AsyncGenerator<ProjectRecord> {
  let last: number | null = null
  for (;;) {
    const some: readonly ProjectRecord[] = await projects.list(last, PROJECT_STEP)
    yield* some
    const final = some.at(-1)
    if (final === undefined || some.length < PROJECT_STEP) return
    last = ordinalOf(final.id)
  }
}
