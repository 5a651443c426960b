import { type IssuePatch, type IssueSubmission, PRIORITIES } from '@bugle/contract'
import { isoTime } from '../domain/iso-time.ts'
import { CRASHES } from './crashes.ts'
import { type Lifecycle, planLifecycle } from './lifecycle.ts'
import { OTHER_LANGUAGES } from './other-languages.ts'
import { createRandom, type Random } from './random.ts'
import { REPORTS } from './reports.ts'
import { FILLINGS, type Story } from './story.ts'
import {
  DAY_MS,
  pickDevice,
  pickMetadata,
  pickPlatform,
  pickRelease,
  planReleases,
  type Release,
} from './world.ts'

/** One step: a report arrives, or a person changes an issue. */
export type Step = { readonly at: number; readonly issue: number } & (
  | { readonly kind: 'report'; readonly submission: IssueSubmission & { readonly submissionId: string } }
  | { readonly kind: 'change'; readonly patch: IssuePatch }
)

interface PlanOptions {
  readonly count: number
  readonly days: number
  readonly seed: number
  readonly now: number
}

const STORY_WEIGHTS = { reports: 58, crashes: 28, otherLanguages: 14 }
const STORIES = { reports: REPORTS, crashes: CRASHES, otherLanguages: OTHER_LANGUAGES }
const MOST_REPORTS = 60
/** How often another title is tried if one is taken. Two people may write the same title, but that should be rare. */
const DRAWS = 12
/** More than there are issues, so that no two seeds share one. */
const SEED_STRIDE = 100_003
const SDK_VERSIONS = ['0.1.0', '0.1.0', '0.2.0', '0.3.1']

/** Everything that happens to the fictional app, in order. The same options give the same plan. */
export function planDemo({ count, days, seed, now }: PlanOptions): readonly Step[] {
  const releases = planReleases(now, days)
  const taken = new Set<string>()
  // Several runs on the same project must not share ids or fingerprints.
  const run = `${now.toString(36)}-${seed}`

  return Array.from({ length: count }, (_, issue) => {
    // Each issue has its own random numbers, so that the stories do not depend on the day.
    const random = createRandom(seed * SEED_STRIDE + issue)
    const story = pickStory(random, taken)
    const bornAt = pickMoment(random, now, days)
    const recurs = story.recurs === true
    const lifecycle = planLifecycle(random, { bornAt, now, releases, recurs })
    const report = createReporter(random, story, `${run}-${issue}`)
    const reports = [
      report(bornAt, releases),
      ...returnsOf(lifecycle).map(({ at, fixedIn }) => report(at, releases.slice(fixedIn.index))),
      ...(recurs ? repeatsOf(random, lifecycle, bornAt, now) : []).map(({ at, fixedIn }) =>
        report(at, releases.slice(0, fixedIn?.index)),
      ),
    ]
    return [
      ...reports.map((arrival) => ({ ...arrival, issue, kind: 'report' as const })),
      ...lifecycle.changes.map((change) => ({ ...change, issue, kind: 'change' as const })),
    ]
  })
    .flat()
    .filter(({ at }) => at <= now)
    .sort((a, b) => a.at - b.at)
}

/** A story with its placeholders filled in. If its title is already used, it happens only once. */
function pickStory(random: Random, taken: Set<string>): Story {
  let story = tellStory(random)
  for (let draw = 1; taken.has(story.title) && draw < DRAWS; draw++) story = tellStory(random)
  const { recurs: _, ...once } = story
  const isNew = !taken.has(story.title)
  taken.add(story.title)
  return isNew ? story : once
}

function tellStory(random: Random): Story {
  const story = random.pick<Story>(STORIES[random.pickWeighted(STORY_WEIGHTS)])
  const words = Object.entries(FILLINGS).map(
    ([name, choices]) => [`{${name}}`, random.pick(choices)] as const,
  )
  const fill = (text: string) => words.reduce((filled, [name, word]) => filled.replaceAll(name, word), text)
  return JSON.parse(JSON.stringify(story), (_, value) => (typeof value === 'string' ? fill(value) : value))
}

/** A time when people are awake; recent days are slightly more likely. */
function pickMoment(random: Random, now: number, days: number): number {
  const day = now - days * DAY_MS * random.fraction() ** 1.15
  const hour = 6 + 8 * (random.fraction() + random.fraction())
  const moment = Math.round(Math.floor(day / DAY_MS) * DAY_MS + (hour / 24) * DAY_MS)
  return Math.max(now - days * DAY_MS, moment < now ? moment : moment - DAY_MS)
}

/** Writes the reports of an issue, each from a device with one of the releases. */
function createReporter(random: Random, story: Story, name: string) {
  const { title, description, category, exception } = story
  // A fix applies to its platform: a report from another one would reopen the issue.
  const platform = pickPlatform(random, story.platforms)
  let count = 0
  return (at: number, releases: readonly Release[]) => {
    const base = { title, description, category, submissionId: `${name}-${++count}` }
    // Some apps send plain HTTP requests, without the SDK.
    if (story.recurs !== true && random.chance(0.12)) return { at, submission: base }
    const { appVersion, buildNumber, branch } = pickRelease(random, releases, at)
    return {
      at,
      submission: {
        ...base,
        ...{ appVersion, buildNumber, branch },
        ...pickDevice(random, platform),
        priority: random.chance(0.8) ? story.priority : random.pick(PRIORITIES),
        // An exception without a fingerprint would be grouped with others by its frames.
        ...((story.recurs || exception) && { fingerprint: `${category}:${name}` }),
        ...(random.chance(0.3) && { occurredAt: isoTime(at - random.integer(1, 90) * 60_000) }),
        metadata: pickMetadata(random),
        ...(exception && { exception }),
        sdk: { name: '@bugle/sdk', version: random.pick(SDK_VERSIONS) },
      },
    }
  }
}

/** When it occurs in a release that should contain the fix. */
function returnsOf({ fixes }: Lifecycle) {
  return fixes
    .filter(({ until }) => Number.isFinite(until))
    .map(({ until, fixedIn }) => ({ at: until, fixedIn }))
}

/** When it occurs again otherwise; while it is considered fixed, only for the few who did not update. */
function repeatsOf(random: Random, { fixes }: Lifecycle, bornAt: number, now: number) {
  const count = Math.floor(random.fraction() ** 3 * MOST_REPORTS)
  return Array.from({ length: count }, () => {
    const at = Math.round(bornAt + 1 + (now - bornAt) * random.fraction() ** 1.4)
    const fix = fixes.find(({ from, until }) => at >= from && at < until)
    return { at, fixedIn: fix?.fixedIn, isMet: fix === undefined || random.chance(0.3) }
  }).filter(({ isMet }) => isMet)
}
