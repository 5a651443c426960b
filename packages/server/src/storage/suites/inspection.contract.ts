import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { NOW } from '../../../test-support/transfer-projects.ts'
import { tellTransferStory } from '../../../test-support/transfer-story.ts'
import { createFolderStore } from '../files/folder-store.ts'
import type { Inspection } from '../inspection.ts'
import type { Storage } from '../storage.ts'

export interface InspectedDatabase extends AsyncDisposable {
  readonly storage: Storage
  inspect(): Promise<Inspection>
  /** Changes it directly. */
  run(sql: string): Promise<void>
  /** Removes an issue from the full-text index. */
  readonly emptySearch: string
  /** The table with the last numbers of projects. */
  readonly heads: string
}

/** The recount that every database supports. */
export function describeInspection(name: string, open: () => Promise<InspectedDatabase>): void {
  describe(`inspection: ${name}`, () => {
    const folder = temporaryFolder()
    let database: InspectedDatabase

    beforeAll(async () => {
      database = await open()
      await tellTransferStory(database.storage, createFolderStore(folder.path))
    })
    afterAll(async () => {
      await database[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    })

    it('finds no faults after all kinds of data were stored', async () => {
      await using inspection = await database.inspect()
      const { counts, faults } = await inspection.audit()
      expect(faults).toEqual([])
      expect(await inspection.listDamage()).toEqual([])
      expect(inspection.schema.found).toBe(inspection.schema.known)
      expect(counts.projects).toBe(3)
      expect(counts.reports).toBeGreaterThan(counts.issues)
      expect(counts.events).toBeGreaterThan(counts.issues)
    })

    it('returns the measurements of the doctor', async () => {
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

    it('finds a removed index', async () => {
      const before = await database.inspect()
      expect(await before.listMissing()).toEqual([])
      await before[Symbol.asyncDispose]()
      await database.run('DROP INDEX issues_by_status')
      await using inspection = await database.inspect()
      expect(await inspection.listMissing()).toEqual(['issues_by_status'])
    })

    it.each<[what: string, sql: string]>([
      [
        'counters that differ',
        `INSERT INTO counters (project, lane, dimension, value, count) SELECT seq, 0, 'status', 'open', 1 FROM projects WHERE TRUE
         ON CONFLICT (project, lane, dimension, value) DO UPDATE SET count = counters.count + 1`,
      ],
      ['issues whose number of reporters is wrong', "DELETE FROM issue_reporters WHERE reporter = '4711'"],
      ['published issues that are hidden or spam', "UPDATE issues SET known_title = 'x' WHERE lane <> 0"],
      ['reporters in a different lane than their issue', 'UPDATE issue_reporters SET lane = 1 - lane'],
      ['issues without their first event', "DELETE FROM events WHERE type = 'issue.created'"],
      ['issues whose report count is wrong', 'DELETE FROM reports WHERE number = 2'],
      ['issues whose submission id is not stored', "UPDATE submissions SET id = 'other' WHERE id = 'sub-1'"],
      ['submission ids without an issue', "DELETE FROM issues WHERE submission_id = 'sub-1'"],
      ['projects that would reuse issue numbers', 'UPDATE :heads SET last_issue_number = 1'],
      ['projects that would reuse event positions', 'UPDATE :heads SET last_event_position = 1'],
      ['projects that would reuse event positions', 'UPDATE :heads SET last_open_position = 1'],
      ['projects whose files have another size', 'UPDATE projects SET file_bytes = file_bytes + 1'],
      ['received attachments without a file', 'DELETE FROM files WHERE size = 500000'],
      ['files that no report refers to', 'UPDATE attachments SET received_at = NULL'],
      ['issues that are missing from the full-text index', ''],
    ])('finds %s', async (what, sql) => {
      await database.run(sql.replace(':heads', database.heads) || database.emptySearch)
      await using inspection = await database.inspect()
      const { faults } = await inspection.audit()
      expect(faults.map((fault) => fault.slice(0, what.length))).toContain(what)
    })
  })
}
