import { describe, expect, it } from 'vitest'
import { addProject } from '../../../../test-support/plain-reports.ts'
import { setNodes } from '../../../../test-support/several-nodes.ts'
import type { ProjectId } from '../../../model/ids.ts'
import { connect } from '../driver/connection.ts'
import { createConnector } from '../driver/connector.ts'
import { runOperation } from '../driver/operations.ts'
import { createWakeUp, positionReads, type ReadPositions } from './wake-up.ts'

const IDLE_PROJECTS = 2_500
const POLL_MS = 20

describe('polling for events', () => {
  const stage = setNodes()

  it('reads the same number of rows at a time with more projects, and misses none', async () => {
    await stage.query(
      `INSERT INTO projects (id, ordinal, slug, name, is_public, default_branch, created_at)
       SELECT gen_random_uuid(), -n, 'idle-' || n, 'Idle', false, 'main', 0 FROM generate_series(1, ${IDLE_PROJECTS}) n`,
    )
    const last = await addProject(await stage.openNode(), 'last')
    const connector = createConnector(stage.url)
    const database = connect(connector)
    const read: number[] = []
    const readPositions = positionReads(
      { read: (operation, ...args) => runOperation(database.execute, operation(...args)) },
      false,
    )
    const counting: ReadPositions = async (after, limit) => {
      const rows = await readPositions(after, limit)
      read.push(rows.length)
      return rows
    }
    const wakeUp = createWakeUp(connector, counting, POLL_MS)
    const told = new Set<ProjectId | null>()
    wakeUp.subscribe((projectId) => told.add(projectId))
    // After one cycle it knows all positions.
    await expect.poll(() => read.length).toBeGreaterThan(3)
    expect(told).not.toContain(last.id)
    await stage.query("UPDATE projects SET last_event_position = 7 WHERE slug = 'last'")
    await expect.poll(() => [...told]).toContain(last.id)
    expect(Math.max(...read)).toBeLessThanOrEqual(1_000)
    await wakeUp.close()
    await database.close()
  })

  it('never reads two pages at once, however slow the database is', async () => {
    const slow = Promise.withResolvers<void>()
    let reads = 0
    const wakeUp = createWakeUp(
      createConnector(stage.url),
      async () => {
        reads++
        await slow.promise
        return []
      },
      1,
    )
    wakeUp.subscribe(() => undefined)
    await expect.poll(() => reads).toBe(1)
    await new Promise((done) => setTimeout(done, 20))
    expect(reads).toBe(1)
    slow.resolve()
    await expect.poll(() => reads).toBeGreaterThan(3)
    await wakeUp.close()
  })
})
