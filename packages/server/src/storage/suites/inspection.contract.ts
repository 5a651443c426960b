import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOW, tellTransferStory } from '../../../test-support/transfer-story.ts'
import type { Inspection } from '../inspection.ts'
import type { Storage } from '../storage.ts'

export interface InspectedDatabase extends AsyncDisposable {
  readonly storage: Storage
  inspect(): Promise<Inspection>
  /** Changes it behind our back. */
  run(sql: string): Promise<void>
  /** Takes an issue out of the full-text index. */
  readonly emptySearch: string
}

/** The recount that every database can be asked for. */
export function describeInspection(name: string, open: () => Promise<InspectedDatabase>): void {
  describe(`inspection: ${name}`, () => {
    let database: InspectedDatabase

    beforeAll(async () => {
      database = await open()
      await tellTransferStory(database.storage)
    })
    afterAll(() => database[Symbol.asyncDispose]())

    it('finds nothing wrong after something of everything was stored', async () => {
      await using inspection = await database.inspect()
      const { counts, faults } = await inspection.audit()
      expect(faults).toEqual([])
      expect(await inspection.listDamage()).toEqual([])
      expect(inspection.schema.found).toBe(inspection.schema.known)
      expect(counts.projects).toBe(2)
      expect(counts.reports).toBeGreaterThan(counts.issues)
      expect(counts.events).toBeGreaterThan(counts.issues)
    })

    it('measures what a doctor wants to know', async () => {
      await using inspection = await database.inspect()
      expect(await inspection.countUnindexed()).toBeGreaterThanOrEqual(0)
      expect(await inspection.findNewestEventTime()).toBe(NOW)
      const { bytes, logBytes } = await inspection.measureSize()
      expect(bytes + (logBytes ?? 0)).toBeGreaterThan(10_000)
      expect(Math.abs(await inspection.measureClockLead())).toBeLessThan(60_000)
      const { oneByOne, together } = await inspection.measureWrites()
      expect(oneByOne).toBeGreaterThan(0)
      expect(together).toBeGreaterThan(oneByOne)
    })

    it('finds an index that somebody has removed', async () => {
      const before = await database.inspect()
      expect(await before.listMissing()).toEqual([])
      await before[Symbol.asyncDispose]()
      await database.run('DROP INDEX issues_by_status')
      await using inspection = await database.inspect()
      expect(await inspection.listMissing()).toEqual(['issues_by_status'])
    })

    it.each<[what: string, sql: string]>([
      ['counters that differ', "UPDATE counters SET count = count + 1 WHERE dimension = 'status'"],
      ['issues without their first event', "DELETE FROM events WHERE type = 'issue.created'"],
      ['issues with another number of reports', 'DELETE FROM reports WHERE number = 2'],
      ['issues whose submission id is free', "UPDATE submissions SET id = 'other' WHERE id = 'sub-1'"],
      ['submission ids that lead to no issue', "DELETE FROM issues WHERE submission_id = 'sub-1'"],
      ['projects that would give out issue numbers', 'UPDATE projects SET last_issue_number = 1'],
      ['projects that would give out event positions', 'UPDATE projects SET last_event_position = 1'],
      ['projects that would give out event positions', 'UPDATE projects SET last_open_position = 1'],
      ['issues that are missing from the full-text index', ''],
    ])('finds %s', async (what, sql) => {
      await database.run(sql || database.emptySearch)
      await using inspection = await database.inspect()
      const { faults } = await inspection.audit()
      expect(faults.map((fault) => fault.slice(0, what.length))).toContain(what)
    })
  })
}
