import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { temporaryPostgresStorage, temporarySqliteStorage } from './temporary-storage.ts'
import { exportText, importText } from './transfer-files.ts'
import { addProject, reportOf } from './transfer-projects.ts'

const TOGETHER = 2_500

/** Many batches of a transfer; the number is a multiple of 2,500. */
export function testLargeTransfer(issues: number): void {
  it(`gives the same file of ${issues} issues from SQLite and from PostgreSQL`, {
    timeout: 900_000,
  }, async () => {
    using folder = temporaryFolder()
    await using source = await temporarySqliteStorage()
    const project = await addProject(source, 'big')
    for (let done = 0; done < issues; done += TOGETHER) {
      const some = Array.from({ length: TOGETHER }, (_, index) =>
        reportOf(project, null, `Report ${done + index}`),
      )
      await Promise.all(some.map((report) => source.issues.submit(report)))
    }
    const text = await exportText(source)
    await using target = await temporaryPostgresStorage()
    const { counts } = await importText(target, join(folder.path, 'export.ndjson'), text)
    expect(counts).toMatchObject({ project: 1, issue: issues, event: issues })
    expect((await exportText(target)) === text).toBe(true)
  })
}
