import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { addProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { everyIssue, LIST_BOUNDS } from '../../../model/issue-lists.ts'
import { parseSearch } from '../../../model/search/search-query.ts'
import { keyRange } from '../driver/row-keys.ts'
import { openSqliteInline } from '../sqlite-storage.ts'
import { prepareScan } from './scan-matches.ts'

const VISIBLE = 12
const SCANNED = 10

it('a scan of indexed issues goes on after spam, which the index does not know', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const storage = openSqliteInline(path)
  const project = await addProject(storage)
  const submit = (isSpam: boolean) => {
    const report = plainReport(project)
    return storage.issues.submit({ ...report, content: { ...report.content, title: 'Some word' }, isSpam })
  }
  for (let number = 1; number <= VISIBLE + 1; number++) await submit(number === 3)
  const db = new DatabaseSync(path, { readOnly: true })
  const selectSeq = db.prepare('SELECT seq FROM projects WHERE last_issue_number = indexed_number')
  await expect.poll(() => selectSeq.get()).toBeDefined()
  const { seq } = selectSeq.get() as { seq: number }

  const { find } = prepareScan(db, { ...LIST_BOUNDS, scannedRows: SCANNED }, () => {})
  const range = keyRange(seq)
  const selection = { ...everyIssue(project.id, ['open']), search: parseSearch('word') }
  for (const direction of ['ASC', 'DESC'] as const) {
    const plan = { seq, selection, range, direction, examined: 100, counted: 100 }
    const first = find({ plan, range, match: 'word' })
    expect(first).toMatchObject({ rows: { length: SCANNED }, total: null })
    const last = Number(first.stoppedAt)
    const rest = direction === 'ASC' ? { low: last, high: range.high } : { low: range.low, high: last }
    const second = find({ plan, range: rest, match: 'word' })
    expect(second).toMatchObject({ stoppedAt: null, total: VISIBLE - SCANNED })
    expect(new Set([...first.rows, ...second.rows])).toHaveProperty('size', VISIBLE)
  }
  db.close()
  await storage.close()
})
