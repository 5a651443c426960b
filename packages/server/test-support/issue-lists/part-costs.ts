import { everyIssue, type IssueListing } from '../../src/model/issue-lists.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import type { Storage } from '../../src/storage/storage.ts'

/** Reading all issues of a large project takes longer than this many times the baseline. */
const MAX_COST = 5
const ATTEMPTS = 4

/**
 * Compares the time of each part of a list with a baseline: reading as many rows as may be examined for one part. Parts
 * that are too slow are measured again, with the baseline, because a busy machine delays single calls.
 */
export function createPartCosts(storage: Storage, project: ProjectRecord, examinedRows: number) {
  const baseline: IssueListing = {
    selection: everyIssue(project.id, ['open', 'security']),
    sort: 'newest',
    start: { offset: 0 },
    limit: examinedRows,
  }
  const tooSlow: string[] = []
  let baselineMs: number | undefined
  let highest = 0

  async function timeOf(listing: IssueListing): Promise<number> {
    const began = performance.now()
    await storage.issues.list(listing)
    return performance.now() - began
  }

  return {
    tooSlow,
    describe: () => `the slowest part of a list took ${highest.toFixed(1)} times the baseline`,
    async judge(listing: IssueListing, ms: number): Promise<void> {
      baselineMs ??= await timeOf(baseline)
      let cost = ms / baselineMs
      for (let attempt = 1; cost > MAX_COST && attempt < ATTEMPTS; attempt++) {
        baselineMs = await timeOf(baseline)
        cost = Math.min(cost, (await timeOf(listing)) / baselineMs)
      }
      highest = Math.max(highest, cost)
      if (cost > MAX_COST) tooSlow.push(`${cost.toFixed(1)} times: ${JSON.stringify(listing)}`)
    },
  }
}
