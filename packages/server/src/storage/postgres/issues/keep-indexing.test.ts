import { describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { setNodes } from '../../../../test-support/several-nodes.ts'
import type { Storage } from '../../storage.ts'

const BATCH = 250
/** The number of writes that are merged together. */
const BURST = 2_000

describe('the full-text index', () => {
  const stage = setNodes()

  /** The pages that a search has to read even if there are no matches. */
  async function pagesOfASearch(): Promise<number> {
    await using client = await stage.connect()
    await client.query('SET enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [Explained] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT 1 FROM search WHERE tokens @@ 'nothing'::tsquery`,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  }

  async function submitSome(storage: Storage, count: number): Promise<void> {
    // Autovacuum merges the index too, at any time.
    await stage.query('ALTER TABLE search SET (autovacuum_enabled = off)')
    const project = (await storage.projects.find('demo')) ?? (await addProject(storage))
    for (let stored = 0; stored < count; stored += BATCH) {
      await Promise.all(Array.from({ length: BATCH }, () => storage.issues.submit(plainReport(project))))
    }
  }

  it('is merged in the background, before searches have to scan much', async () => {
    const storage = await stage.openNode()
    await submitSome(storage, BURST - BATCH)
    expect(await pagesOfASearch()).toBeGreaterThan(20)
    await submitSome(storage, BATCH)
    await expect.poll(pagesOfASearch).toBeLessThan(10)
  })

  it('is complete after a node has stopped', async () => {
    const storage = await stage.openNode()
    await submitSome(storage, BURST - BATCH)
    expect(await pagesOfASearch()).toBeGreaterThan(20)
    await storage.close()
    expect(await pagesOfASearch()).toBeLessThan(10)
  })
})

interface Explained {
  readonly Plan: Readonly<Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>>
}
