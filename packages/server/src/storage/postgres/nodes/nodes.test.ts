import { describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { setNodes } from '../../../../test-support/several-nodes.ts'
import { makeWebhook } from '../../../domain/webhooks/webhooks.ts'
import type { ProjectId } from '../../../model/ids.ts'
import type { ProjectRecord } from '../../../model/projects.ts'
import type { Storage } from '../../storage.ts'

describe('several nodes on one database', () => {
  const stage = setNodes()
  const openNodes = async () =>
    [await stage.openNode(), await stage.openNode(), await stage.openNode()] as const

  it('number issues without gaps or duplicates, and events in the order of commits', async () => {
    const opened = await openNodes()
    const projects = [await addProject(opened[0]), await addProject(opened[0], 'other')] as const
    const followed = projects.map((project) => follow(opened[1], project.id))
    await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        opened[index % 3]?.issues.submit(
          plainReport(projects[index % 2 === 0 ? 0 : 1], index % 5 === 0 ? 'f' : null),
        ),
      ),
    )
    for (const [index, project] of projects.entries()) {
      const [{ seq } = { seq: 0 }] = await stage.query<{ seq: number }>(
        `SELECT seq FROM projects WHERE slug = '${project.slug}'`,
      )
      const numbers = await stage.query<{ number: number }>(
        `SELECT number FROM issues WHERE project = ${seq} ORDER BY number`,
      )
      expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, place) => place + 1))
      const positions = await followed[index]?.until(300)
      expect(positions).toEqual(Array.from({ length: 300 }, (_, place) => place + 1))
    }
  })

  it('store a submission once, whichever of them it arrives at', async () => {
    const opened = await openNodes()
    const project = await addProject(opened[0])
    const submission = { id: 'one', contentHash: '00'.repeat(16) }
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        opened[index % 2]?.issues.submit({ ...plainReport(project), submission }),
      ),
    )
    expect(outcomes.filter((outcome) => outcome?.kind === 'stored')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome?.kind === 'replayed')).toHaveLength(39)
  })

  it('notify each other immediately of their writes', async () => {
    const [writer, reader] = [await stage.openNode(), await stage.openNode()]
    const project = await addProject(writer)
    const told: (string | null)[] = []
    reader.events.subscribe((projectId) => told.push(projectId))
    const toldWriter: (string | null)[] = []
    writer.events.subscribe((projectId) => toldWriter.push(projectId))
    await using listener = await stage.connect()
    const payloads: string[] = []
    listener.on('notification', ({ payload = '' }) => payloads.push(payload))
    await listener.query('LISTEN bugle_events')
    // Both call their listeners once they have a connection for notifications.
    for (const each of [told, toldWriter]) await expect.poll(() => each).toContain(null)
    await writer.issues.submit(plainReport(project))
    await expect.poll(() => told, { interval: 5 }).toContain(project.id)
    await expect.poll(() => payloads).toContain(project.id)
  })

  it('detect writes without notifications too', async () => {
    const [reader, writer] = [await stage.openNode(), await stage.openNode()]
    const project = await addProject(writer)
    const told: (string | null)[] = []
    reader.events.subscribe((projectId) => told.push(projectId))
    // The writer has no subscribers, so it has no connection for notifications.
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    await writer.issues.submit(plainReport(project))
    await expect.poll(() => told).toContain(project.id)
  })

  it('combine notifications of many commits', async () => {
    const writer = await stage.openNode()
    const project = await addProject(writer)
    await using listener = await stage.connect()
    const payloads: string[] = []
    listener.on('notification', ({ payload = '' }) => payloads.push(payload))
    await listener.query('LISTEN bugle_events')
    const told: (string | null)[] = []
    writer.events.subscribe((projectId) => told.push(projectId))
    // It calls the listener once it is listening: only then does it have a connection for notifications.
    await expect.poll(() => told).toContain(null)
    const began = performance.now()
    for (let count = 0; count < 100; count++) await writer.issues.submit(plainReport(project))
    await expect.poll(() => payloads).toContain(project.id)
    // One in 20 ms, with a margin for inexact timers.
    expect(payloads.length).toBeLessThan((performance.now() - began) / 15 + 2)
    expect(new Set(payloads)).toEqual(new Set([project.id]))
  })

  it('claim each delivery once', async () => {
    const opened = await openNodes()
    const project = await addProject(opened[0])
    const created = await addWebhook(opened[0], project)
    await Promise.all(Array.from({ length: 60 }, () => opened[0].issues.submit(plainReport(project))))
    await Promise.all(opened.map((node) => node.deliveries.fanOut(project.id, created.id, Date.now())))
    const claims = await Promise.all(
      Array.from({ length: 60 }, (_, index) => opened[index % 3]?.deliveries.claimDue(claimCommand())),
    )
    const positions = claims.flatMap((some) => some?.map(({ event }) => event.position) ?? [])
    expect(new Set(positions).size).toBe(positions.length)
    expect(positions.length).toBeGreaterThan(0)
  })

  it('claim other deliveries while another node locks a webhook, without waiting', async () => {
    const [first, second] = await openNodes()
    const project = await addProject(first)
    const [held, free] = [await addWebhook(first, project), await addWebhook(first, project)]
    await first.issues.submit(plainReport(project))
    for (const { id } of [held, free]) await first.deliveries.fanOut(project.id, id, Date.now())
    await using holder = await stage.connect()
    await holder.query(`BEGIN; SELECT 1 FROM webhooks WHERE number = ${held.number} FOR UPDATE`)
    const claims = await second.deliveries.claimDue(claimCommand())
    expect(claims.map(({ webhook }) => webhook.id)).toEqual([free.id])
    await holder.query('ROLLBACK')
    const others = await second.deliveries.claimDue(claimCommand())
    expect(others.map(({ webhook }) => webhook.id)).toEqual([held.id])
  })

  it('hide a project that one of them deleted: that one immediately, the others within a second', async () => {
    const [first, second] = await openNodes()
    const project = await addProject(first)
    const report = plainReport(project)
    await first.issues.submit(report)
    const find = (node: Storage) => node.issues.find(project.id, report.issueId)
    for (const node of [first, second]) expect(await find(node)).toMatchObject({ issueNumber: 1 })
    // As in a deletion that still has rows to remove.
    await stage.query('UPDATE projects SET slug = NULL')
    await expect.poll(() => find(second), { timeout: 10_000 }).toBeUndefined()
    await stage.query("UPDATE projects SET slug = 'demo'")
    expect(await find(first)).toMatchObject({ issueNumber: 1 })
    await first.projects.delete(project.id)
    expect(await find(first)).toBeUndefined()
  })

  it('know their number, without nodes that are silent or have stopped', async () => {
    const opened = await openNodes()
    for (const node of opened) await node.beat()
    expect((await opened[0].beat()).nodes).toBe(3)
    await opened[1].close()
    expect((await opened[0].beat()).nodes).toBe(2)
    // One was killed some seconds ago, and another yesterday.
    await stage.query(`INSERT INTO nodes VALUES (gen_random_uuid(), now() - interval '6 seconds'),
      (gen_random_uuid(), now() - interval '1 day')`)
    expect((await opened[0].beat()).nodes).toBe(2)
    expect(await stage.query('SELECT count(*)::int AS count FROM nodes')).toEqual([{ count: 3 }])
  })

  it('recover after all their connections were cut', async () => {
    const [writer, reader] = await openNodes()
    const project = await addProject(writer)
    const told: (string | null)[] = []
    for (const node of [writer, reader]) node.events.subscribe((projectId) => told.push(projectId))
    await expect.poll(() => told.filter((one) => one === null)).toHaveLength(2)
    await stage.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bugle' AND datname = current_database()",
    )
    // Both listen again, and call their listeners.
    await expect.poll(() => told.filter((one) => one === null)).toHaveLength(4)
    const issue = plainReport(project)
    expect(await writer.issues.submit(issue)).toMatchObject({ kind: 'stored' })
    expect(await reader.issues.find(project.id, issue.issueId)).toMatchObject({ issueNumber: 1 })
  })
})

async function addWebhook({ webhooks }: Storage, project: ProjectRecord) {
  const fields = { url: 'https://a.example/', secret: 'whsec_a', createdAt: Date.now() }
  const made = await webhooks.create(makeWebhook(project, fields))
  if (typeof made === 'string') throw new Error(`the webhook was not created: ${made}`)
  return made
}

function claimCommand() {
  return { now: Date.now() + 1_000, leaseMs: 30_000, perWebhook: 100, limit: 7 }
}

/** Reads a project's log as it grows, as a reader that follows `after=` does. */
function follow(storage: Storage, projectId: ProjectId) {
  const seen: number[] = []
  return {
    async until(count: number): Promise<readonly number[]> {
      while (seen.length < count) {
        const after = seen.at(-1) ?? 0
        const part = await storage.events.list({ projectId, lanes: ['open'], types: null, after, limit: 20 })
        for (const { position } of part.events) seen.push(position)
      }
      return seen
    },
  }
}
