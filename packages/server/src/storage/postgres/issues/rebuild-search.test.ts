import { expect, it } from 'vitest'
import { addProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { runBugle } from '../../../../test-support/run-bugle.ts'
import { setNodes } from '../../../../test-support/several-nodes.ts'
import { everyIssue } from '../../../model/issue-lists.ts'
import { parseSearch } from '../../../model/search/search-query.ts'

const stage = setNodes()

/** Whether searches use the index, and the file that it is in. */
async function describeIndex() {
  const [index] = await stage.query<{ isUsed: boolean; file: string }>(
    `SELECT indisvalid AS "isUsed", pg_relation_filepath(indexrelid) AS file
     FROM pg_index WHERE indexrelid = 'search_by_token'::regclass`,
  )
  return index
}

it('rebuilds the full-text index while a server runs', async () => {
  const storage = await stage.openNode()
  const project = await addProject(storage)
  await storage.issues.submit(plainReport(project))
  await stage.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'search_by_token'::regclass")
  const before = await describeIndex()
  expect(before?.isUsed).toBe(false)

  const { code, stderr } = await runBugle(['doctor', '--rebuild-search', '--json'], {
    BUGLE_DATABASE_URL: stage.url,
  })
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('    at ')])

  const after = await describeIndex()
  expect(after?.isUsed).toBe(true)
  expect(after?.file).not.toBe(before?.file)
  await storage.issues.submit(plainReport(project))
  const selection = { ...everyIssue(project.id, ['open']), search: parseSearch('blank') }
  const listing = { selection, sort: 'newest', start: { offset: 0 }, limit: 10 } as const
  expect((await storage.issues.list(listing)).issues).toHaveLength(2)
}, 120_000)
