import type { Clock } from '../clock.ts'
import { expiredBefore } from '../domain/people/session-lifetime.ts'
import type { ProjectId } from '../model/ids.ts'
import type { DeleteOutcome } from '../model/issues.ts'
import type { Lane } from '../model/lanes.ts'
import { type ProjectPlace, type ProjectRecord, placeOf } from '../model/projects.ts'
import { firstSenderDay, spamKeptSince } from '../model/reports/senders.ts'
import type { Storage } from '../storage/storage.ts'

const DAY_MS = 86_400_000
const PROJECT_STEP = 100

interface Retention {
  readonly storage: Pick<
    Storage,
    'projects' | 'events' | 'issues' | 'senders' | 'deliveries' | 'users' | 'signIns' | 'auditLog'
  >
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
    await removeSpam(storage, id, now)
    await storage.senders.expireBlocked(id, firstSenderDay(now))
  }
  if (auditDays !== null) while (await storage.auditLog.expireSome(now - auditDays * DAY_MS));
  await storage.senders.expireKeys(firstSenderDay(now))
  await storage.users.expireLinks(now)
  while (await storage.signIns.expireSome(expiredBefore(now)));
}

/** Spam is deleted one by one, so that submissions are handled in between. An issue that was changed meanwhile is left for the next time. */
async function removeSpam({ issues }: Pick<Storage, 'issues'>, projectId: ProjectId, now: number) {
  for (;;) {
    const some = await issues.listSpam(projectId, spamKeptSince(now), SPAM_STEP)
    const by = { projectId, lanes: ALL_LANES, actor: null, at: now }
    const outcomes: DeleteOutcome[] = []
    for (const { issueId, version } of some)
      outcomes.push(await issues.delete({ ...by, issueId, ifVersions: [version] }))
    if (some.length < SPAM_STEP || !outcomes.includes('deleted')) return
  }
}

const SPAM_STEP = 100
const ALL_LANES: readonly Lane[] = ['open', 'security']

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
