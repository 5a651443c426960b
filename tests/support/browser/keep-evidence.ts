import { basename } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { forgetClosedPages, hasSeenPages, saveEvidence } from './evidence.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The test had a page of a real browser. */
    inBrowser?: boolean
    /** What its pages showed, if it failed: paths of files. */
    evidence?: readonly string[]
  }
}

beforeEach(forgetClosedPages)

/** Before the pages of a test are closed: what the runner shows of a test that failed in a browser. */
afterEach(async ({ task }) => {
  if (!hasSeenPages()) return
  task.meta.inBrowser = true
  const folder = process.env['BUGLE_TEST_RESULTS']
  if (folder === undefined || task.result?.state !== 'fail') return
  const file = basename(task.file.filepath).replace(/\.ts$/, '')
  task.meta.evidence = await saveEvidence(folder, `${file}-${task.id}`)
})
