import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cpuMsDuring } from '../../../test-support/cpu-time.ts'
import { NOW, projectOf, reportFor } from '../../../test-support/storage-stage.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { normaliseSubmission } from '../../model/reports/reports.ts'
import { openSqliteInline } from './sqlite-storage.ts'

/** Reports of one person, then as many of others as the events that are read at once. */
const OWN = 150
const OTHERS = 100
const ATTEMPTS = 5
const MAX_CPU_MS = 50
const FIELDS = Array.from({ length: 50 }, (_, field) => [`field ${field}`, '漢'.repeat(1_000)])

it('what a reporter sees, and what is new for all reporters, costs little, however large the reports are', async () => {
  using folder = temporaryFolder()
  const storage = openSqliteInline(join(folder.path, 'bugle.db'))
  await using _ = { [Symbol.asyncDispose]: () => storage.close() }
  const project = projectOf('large')
  const projectId = project.id
  await storage.projects.create(project)
  for (let number = 0; number < OWN + OTHERS; number++)
    await storage.issues.submit(largeReport(project, number))

  const listed = await cheapest(() => storage.myReports.list({ projectId, keyHash: hashOf(0) }, 100))
  expect(listed.value.reports).toHaveLength(100)
  expect(listed.cpuMs).toBeLessThan(MAX_CPU_MS)

  const { position } = await storage.myReports.readNews(projectId, -1)
  const news = await cheapest(() => storage.myReports.readNews(projectId, position - OTHERS))
  expect(news.value.changes?.map(({ keyHashes }) => keyHashes)).toEqual(
    Array.from({ length: OTHERS }, (_, index) => [hashOf(OWN + index)]),
  )
  expect(news.cpuMs).toBeLessThan(MAX_CPU_MS)
})

/** All on one issue. */
function largeReport(project: ProjectRecord, number: number) {
  const content = normaliseSubmission({
    title: 'Large',
    fingerprint: 'one',
    reporterKeyHash: hashOf(number < OWN ? 0 : number),
    metadata: Object.fromEntries(FIELDS),
  })
  return reportFor(project, { receivedAt: NOW + number, content })
}

function hashOf(number: number): string {
  return `${number}`.padStart(64, '0')
}

/** The attempt that took the least CPU time. */
async function cheapest<T>(work: () => Promise<T>) {
  const attempts = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) attempts.push(await cpuMsDuring(work))
  return attempts.reduce((best, next) => (next.cpuMs < best.cpuMs ? next : best))
}
