import type { Texts } from '../dialects.ts'

/**
 * Gives an id to each report that was stored, or exported, by a release without report ids, and finds the issues that had been edited by
 * then: the text of their first report is not known. For one project that was imported, or with `null` for all. A migration of each
 * database consists of these statements, so they never change.
 */
export function fillReports(project: number | null): Readonly<Record<keyof Texts, readonly string[]>> {
  const isFilled = project === null ? 'TRUE' : `p.seq = ${project}`
  return {
    sqlite: [
      `UPDATE reports SET id = unhex(printf('%012x%04x%04x%02x', received_at & 281474976710655, 32768 | (p.ordinal >> 20),
           32768 | ((p.ordinal >> 6) & 16383), ((p.ordinal & 63) << 2) | (random() & 3)) || hex(randomblob(5)))
         FROM projects p WHERE p.seq = reports.issue_row >> 32 AND reports.id IS NULL AND ${isFilled}`,
      `UPDATE issues SET edited_at = e.at FROM (
           SELECT issue_row, min(at) AS at FROM events e JOIN projects p ON e.row > p.seq << 32 AND e.row < (p.seq + 1) << 32
           WHERE ${HAS_NEW_TEXT} AND ${isFilled} GROUP BY issue_row) e
         WHERE e.issue_row = issues.row AND issues.edited_at IS NULL`,
    ],
    postgres: [
      `UPDATE reports r SET id = (lpad(to_hex(r.received_at & 281474976710655), 12, '0')
           || lpad(to_hex(32768 | (p.ordinal >> 20)), 4, '0') || lpad(to_hex(32768 | ((p.ordinal >> 6) & 16383)), 4, '0')
           || lpad(to_hex(((p.ordinal & 63) << 2) | floor(random() * 4)::bigint), 2, '0')
           || right(gen_random_uuid()::text, 10))::uuid
         FROM projects p WHERE p.seq = r.project AND r.id IS NULL AND ${isFilled}`,
      `UPDATE issues i SET edited_at = e.at FROM (
           SELECT e.project, e.issue_number, min(e.at) AS at FROM events e JOIN projects p ON p.seq = e.project
           WHERE ${HAS_NEW_TEXT} AND ${isFilled} GROUP BY 1, 2) e
         WHERE e.project = i.project AND e.issue_number = i.number AND i.edited_at IS NULL`,
    ],
  }
}

/** Whether an event records a change of the title or the description. Texts in it are quoted, so none contains such a part. */
const HAS_NEW_TEXT = `e.type IN ('issue.updated', 'issue.status_changed')
  AND (e.details LIKE '%"member":"title"%' OR e.details LIKE '%"member":"description"%')`
