import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cpuMsDuring } from '../../../../test-support/cpu-time.ts'
import { addProject, plainProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { everyIssue, type IssueListing } from '../../../model/issue-lists.ts'
import type { ProjectRecord } from '../../../model/projects.ts'
import { parseSearch } from '../../../model/search/search-query.ts'
import { ReadCancelled, StorageUnavailable } from '../../storage.ts'
import { openSqliteInline } from '../sqlite-storage.ts'
import { MAX_PENDING_READS, type ReadPool, readInThreads } from './read-pool.ts'

const BATCH = 256
const ISSUES = 16 * BATCH
/** One in this many issues contains the word: common enough to be searched for row by row, too rare to be found quickly. */
const NTH = 40
const ASKERS = 20
const READS_EACH = 10
const OTHER = plainProject('other').id

describe('reads in threads', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let path: string
  let project: ProjectRecord
  let reads: ReadPool
  const crashes: Error[] = []

  beforeAll(async () => {
    folder = temporaryFolder()
    path = join(folder.path, 'bugle.db')
    const storage = openSqliteInline(path)
    project = await addProject(storage)
    for (let stored = 0; stored < ISSUES; stored += BATCH) {
      await Promise.all(
        Array.from({ length: BATCH }, (_, index) => {
          const report = plainReport(project)
          const title = (stored + index) % NTH === 0 ? 'Seldom seen screen' : 'Blank screen'
          return storage.issues.submit({ ...report, content: { ...report.content, title } })
        }),
      )
    }
    await storage.close()
    reads = readInThreads(path, (error) => crashes.push(error))
  })
  afterAll(() => folder[Symbol.dispose]())

  /** Each thread has a message port, and vitest's own worker has none of this kind. */
  function countThreads(): number {
    return process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length
  }

  const demo = (signal?: AbortSignal) => ({ projectId: project.id, signal })

  function longListing(): IssueListing {
    const selection = { ...everyIssue(project.id, ['open', 'security']), search: parseSearch('seld*') }
    return { selection, sort: 'newest', start: { offset: 0 }, limit: 100 }
  }

  it('return the right result to each caller, however many are concurrent', async () => {
    const matches = Math.ceil(ISSUES / NTH)
    await Promise.all(
      Array.from({ length: ASKERS }, async (_, asker) => {
        for (let read = 1; read <= READS_EACH; read++) {
          const limit = asker + read * 5
          const { rows } = await reads.run(demo(), 'listIssues', { ...longListing(), limit })
          expect(rows).toHaveLength(limit)
          expect(await reads.run(demo(), 'countIssues', longListing().selection)).toBe(matches)
        }
      }),
    )
  })

  it('are refused when too many wait, and accepted again afterwards', async () => {
    const asked = Array.from({ length: MAX_PENDING_READS + 10 }, () =>
      reads.run(demo(), 'countIssues', everyIssue(project.id, ['open'])),
    )
    const outcomes = await Promise.allSettled(asked)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(10)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(StorageUnavailable)
    expect(await reads.run(demo(), 'countIssues', everyIssue(project.id, ['open']))).toBeGreaterThan(0)
  })

  it('take turns between projects, so that a quiet project does not wait for a busy one', async () => {
    const lastLittle = async () => {
      const settled: string[] = []
      const note = (name: string) => () => void settled.push(name)
      const much = Array.from({ length: 200 }, () =>
        reads.run(demo(), 'listIssues', longListing()).then(note('much')),
      )
      const little = Array.from({ length: 3 }, () =>
        reads.run({ projectId: OTHER }, 'readCounters', project.id).then(note('little')),
      )
      await Promise.all([...much, ...little])
      return settled.lastIndexOf('little')
    }
    // On each thread, at most one turn of the other project precedes each of its turns. The best of several, because a busy machine may suspend a thread.
    let last = 200
    for (let attempt = 0; attempt < 5 && last >= 20; attempt++) last = Math.min(last, await lastLittle())
    expect(last).toBeLessThan(20)
  })

  it('of a project that fills the queue make room for those of others', async () => {
    const much = Array.from({ length: MAX_PENDING_READS }, () =>
      reads.run(demo(), 'countIssues', everyIssue(project.id, ['open'])),
    )
    const other = reads.run({ projectId: OTHER }, 'countIssues', everyIssue(project.id, ['open']))
    const outcomes = await Promise.allSettled(much)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await other).toBe(ISSUES)
  })

  it('that no one waits for any more are not started, or stop at the next step', async () => {
    const gone = AbortSignal.abort()
    await expect(reads.run(demo(gone), 'listIssues', longListing())).rejects.toBeInstanceOf(ReadCancelled)
    const costOfLeaving = async () => {
      const leaving = new AbortController()
      const left = Array.from({ length: 500 }, () =>
        reads.run(demo(leaving.signal), 'listIssues', longListing()).catch((error: unknown) => error),
      )
      leaving.abort()
      const { cpuMs } = await cpuMsDuring(async () => {
        for (const outcome of await Promise.all(left)) expect(outcome).toBeInstanceOf(ReadCancelled)
        expect(await reads.run(demo(), 'countIssues', everyIssue(project.id, ['open']))).toBe(ISSUES)
      })
      return cpuMs
    }
    // All of them would take more than a second. The best of several, because the process does other work too.
    let cpuMs = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 5 && cpuMs >= 500; attempt++)
      cpuMs = Math.min(cpuMs, await costOfLeaving())
    expect(cpuMs).toBeLessThan(500)
  })

  it('fail separately', async () => {
    const broken = { ...longListing(), limit: 'many' as never }
    await expect(reads.run(demo(), 'listIssues', broken)).rejects.toThrow('A read failed.')
    expect(await reads.run(demo(), 'countIssues', everyIssue(project.id, ['open']))).toBe(ISSUES)
  })

  it('finish before closing, and leave no thread behind', async () => {
    await reads.close()
    const own = readInThreads(path, (error) => crashes.push(error))
    expect(countThreads()).toBe(0)
    await own.run(demo(), 'countIssues', everyIssue(project.id, ['open']))
    expect(countThreads()).toBe(2)
    const last = Array.from({ length: ASKERS }, () => own.run(demo(), 'listIssues', longListing()))
    await own.close()
    for (const { rows } of await Promise.all(last)) expect(rows).toHaveLength(100)
    expect(countThreads()).toBe(0)
    expect(crashes).toEqual([])
  })
})
