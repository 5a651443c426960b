import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { plainReport } from '../../../test-support/plain-reports.ts'
import { startApp } from '../../../test-support/start-app.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { everyIssue } from '../../model/issue-lists.ts'
import { parseSearch } from '../../model/search/search-query.ts'
import { ReadCancelled } from '../storage.ts'

/** Earlier searches, which the last one has to wait for. */
const SEARCHES_BEFORE = 500
const ISSUES = 512

it('a search whose client has disconnected is not run', async () => {
  using folder = temporaryFolder()
  await using api = await startApp({ databaseUrl: `sqlite:${join(folder.path, 'bugle.db')}` })
  const { issues } = api.app.storage
  const project = await api.addProject()
  await Promise.all(Array.from({ length: ISSUES }, () => issues.submit(plainReport(project))))
  const selection = { ...everyIssue(project.id, ['open']), search: parseSearch('blank sett*') }
  const before = Array.from({ length: SEARCHES_BEFORE }, () => issues.count(selection))

  const listing = vi.spyOn(issues, 'list')
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  socket.write(
    `GET /v1/issues?q=blank+sett* HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${project.secretKey}\r\n\r\n`,
  )
  await expect.poll(() => listing.mock.results.length, { interval: 5 }).toBe(1)
  socket.destroy()
  await expect(listing.mock.results[0]?.value).rejects.toBeInstanceOf(ReadCancelled)
  await Promise.all(before)
})
