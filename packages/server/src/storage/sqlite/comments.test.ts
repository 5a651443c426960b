import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MAX_ISSUE_COMMENTS } from '@bugle/contract'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { addProject, NOW, reportOf } from '../../../test-support/transfer-projects.ts'
import { openSqliteInline } from './sqlite-storage.ts'

it('an issue can have only so many comments, including deleted ones', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const storage = openSqliteInline(path)
  const project = await addProject(storage, 'weather')
  const report = reportOf(project, null, 'Blank')
  await storage.issues.submit(report)
  const command = {
    ...{ projectId: project.id, issueId: report.issueId, lanes: ['open'] as const, actor: null, at: NOW },
    ...{ text: 'Seen', audience: 'team' as const, mentioned: [] },
  }
  await storage.comments.create({ ...command, commentId: 'a' })
  {
    using db = new DatabaseSync(path)
    db.exec(`UPDATE comments SET number = ${MAX_ISSUE_COMMENTS - 1}`)
  }
  expect(await storage.comments.create({ ...command, commentId: 'b' })).toMatchObject({ kind: 'created' })
  expect(await storage.comments.delete({ ...command, commentId: 'b', mayDeleteAny: false })).toBe('deleted')
  expect(await storage.comments.create({ ...command, commentId: 'c' })).toEqual({ kind: 'too-many' })
  // A retry is not a new comment.
  expect(await storage.comments.create({ ...command, commentId: 'a' })).toMatchObject({ kind: 'replayed' })
  await storage.close()
})
