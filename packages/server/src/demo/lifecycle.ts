import type { IssuePatch, IssueStatus } from '@bugle/contract'
import type { Random } from './random.ts'
import { DAY_MS, type Release } from './world.ts'

/** What happens to an issue after its first report. */
export interface Lifecycle {
  readonly changes: readonly Change[]
  /** When it was considered fixed. During this time reports come only from older releases; others would reopen it. */
  readonly fixes: readonly Fix[]
}

export interface Change {
  readonly at: number
  readonly patch: IssuePatch
}

export interface Fix {
  readonly from: number
  /** When it is reported again from a release that should contain the fix; infinite if never. */
  readonly until: number
  readonly fixedIn: Release
}

interface Circumstances {
  readonly bornAt: number
  readonly now: number
  readonly releases: readonly Release[]
  /** Whether it can regress. */
  readonly recurs: boolean
}

const FATES = { ignored: 14, acknowledged: 14, started: 10, fixed: 44, closed: 10, wontfix: 8 }
const CHANCE_OF_RETURN = 0.4
const CHANCE_OF_SECOND_FIX = 0.6
const SOONEST_MS = 12 * 60 * 1_000

const NOTES: Readonly<Partial<Record<IssueStatus, readonly string[]>>> = {
  acknowledged: ['Seen here too.', 'Reproduced on the second try.', 'Same cause as last week, I think.'],
  in_progress: ['Found it: two writers, one lock.', 'On it.', 'Has to wait for the new list view.'],
  resolved: [
    'The layout pass was skipped when nothing had changed.',
    'Reverted the cache change.',
    'One query instead of four.',
    'Covered by a test now.',
  ],
  closed: [
    'Cannot reproduce it, and nobody has seen it again.',
    'The same as an older issue; that one is fixed.',
    'A setting of the phone.',
  ],
  wontfix: [
    'Works as intended, though the wording could say so.',
    'The system does not let us.',
    'That screen goes away with the next big release.',
  ],
}

/** Generates a plausible history. It may extend into the future; that part has not happened yet. */
export function planLifecycle(random: Random, { bornAt, now, releases, recurs }: Circumstances): Lifecycle {
  const changes: Change[] = []
  const fixes: Fix[] = []
  let at = bornAt

  function move(status: IssueStatus, meanDays: number, patch: IssuePatch = {}): void {
    at += delay(random, meanDays)
    const note = random.chance(0.5) ? random.pick(NOTES[status] ?? []) : undefined
    changes.push({ at, patch: { status, ...(note !== undefined && { note }), ...patch } })
  }

  function fix(): Release {
    if (random.chance(0.7)) move('acknowledged', 1)
    if (random.chance(0.6)) move('in_progress', 2)
    const isReadyAt = at + delay(random, 3)
    const fixedIn = releases.find((release) => release.at > isReadyAt) ?? lastOf(releases)
    const { appVersion, buildNumber } = fixedIn
    at = isReadyAt
    move('resolved', 0, { fixedIn: { appVersion, buildNumber } })
    return fixedIn
  }

  const fate = random.pickWeighted(FATES)
  if (fate === 'acknowledged' || fate === 'started')
    move('acknowledged', 1, random.chance(0.2) ? { priority: random.pick(['low', 'high']) } : {})
  if (fate === 'started') move('in_progress', 3)
  if (fate === 'closed' || fate === 'wontfix') move(fate, 5)
  if (fate === 'fixed') {
    const fixedIn = fix()
    const from = at
    const returnsAt = fixedIn.at + delay(random, 3)
    const returns = recurs && returnsAt < now && random.chance(CHANCE_OF_RETURN)
    fixes.push({ from, until: returns ? returnsAt : Number.POSITIVE_INFINITY, fixedIn })
    if (returns && random.chance(CHANCE_OF_SECOND_FIX)) {
      at = returnsAt
      const fixedAgainIn = fix()
      fixes.push({ from: at, until: Number.POSITIVE_INFINITY, fixedIn: fixedAgainIn })
    }
  }
  return { changes, fixes }
}

/** Mostly short, sometimes long. */
function delay(random: Random, meanDays: number): number {
  return Math.round(SOONEST_MS - Math.log(1 - random.fraction()) * meanDays * DAY_MS)
}

function lastOf(releases: readonly Release[]): Release {
  const last = releases.at(-1)
  if (last === undefined) throw new RangeError('there is no release')
  return last
}
