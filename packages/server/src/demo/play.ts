import { ALL_SCOPES } from '@bugle/contract'
import type { Caller } from '../domain/access/access.ts'
import type { Senders } from '../domain/access/senders.ts'
import { DEFAULT_ATTACHMENT_LIMITS } from '../domain/attachments/attachment-limits.ts'
import { createEventViews } from '../domain/events/event-views.ts'
import { createIssues } from '../domain/issues/issues.ts'
import { createCatalog } from '../domain/projects/catalog.ts'
import type { UserRecord } from '../model/people/users.ts'
import type { ProjectRecord } from '../model/projects.ts'
import type { Storage } from '../storage/storage.ts'
import { keyCaller, personCaller } from './callers.ts'
import type { Step } from './plan.ts'

/** One in this many reports is sent twice, as apps do after a bad connection. */
const REPLAYED = 45

interface Play {
  readonly storage: Storage
  readonly project: ProjectRecord
  readonly steps: readonly Step[]
  /** The person who makes the changes, if they may see the issue; otherwise a key does. */
  readonly people?: readonly UserRecord[]
  readonly onStep?: (done: number) => void
}

/** Sample data has no senders. */
const NO_SENDERS: Senders = { identify: async () => ({ sender: null, isBlocked: false }) }

/** Applies a plan to a project, step by step, each at its own time, with the same rules as the API. */
export async function playDemo({ storage, project, steps, people = [], onStep }: Play): Promise<void> {
  let now = project.createdAt
  const catalog = createCatalog(storage)
  const eventViews = createEventViews({ storage, catalog })
  const attachmentLimits = DEFAULT_ATTACHMENT_LIMITS
  const issues = createIssues({
    ...{ storage, catalog, eventViews, attachmentLimits },
    senders: NO_SENDERS,
    limiter: undefined,
    clock: () => now,
  })
  const app = await keyCaller(storage, project, 'public', [])
  const team = await keyCaller(storage, project, 'secret', ALL_SCOPES)
  const made = new Map<number, { readonly id: string; readonly isSecurity: boolean }>()
  let changes = 0

  function changer(isSecurity: boolean): Caller {
    const able = people.filter(({ canSeeSecurity }) => canSeeSecurity || !isSecurity)
    const person = able[changes++ % Math.max(1, able.length)]
    return person === undefined ? team : personCaller(person, now)
  }

  for (const [done, step] of steps.entries()) {
    now = step.at
    if (step.kind === 'report') {
      const { submission } = step
      const { record } = await issues.submit(app, submission, { ...submission, address: '' })
      if (done % REPLAYED === 0) await issues.submit(app, submission, { ...submission, address: '' })
      made.set(step.issue, { id: record.id, isSecurity: submission.category === 'security' })
    } else {
      const { id = '', isSecurity = false } = made.get(step.issue) ?? {}
      await issues.change(changer(isSecurity), id, step.patch, null)
    }
    onStep?.(done + 1)
  }
}
