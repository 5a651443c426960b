import { basename } from 'node:path'
import { afterEach, beforeEach, type RunnerTestCase } from 'vitest'
import { beginFile, beginTest, hasSeenPages, saveEvidence } from './evidence.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The test had a page of a real browser. */
    inBrowser?: boolean
    /** What its pages showed, if it failed: paths of files. */
    evidence?: readonly string[]
  }
}

beginFile()

beforeEach(({ onTestFinished }) => {
  beginTest()
  // A fixture that checks its pages at the end fails after the hooks.
  onTestFinished(({ task }) => keepEvidence(task))
})

/** Most pages are closed right after the hooks. */
afterEach(({ task }) => keepEvidence(task))

/** What the runner shows of a test that failed in a browser. */
async function keepEvidence(task: RunnerTestCase): Promise<void> {
  if (!hasSeenPages()) return
  task.meta.inBrowser = true
  const folder = process.env['BUGLE_TEST_RESULTS']
  if (folder === undefined || task.result?.state !== 'fail' || task.meta.evidence) return
  const file = basename(task.file.filepath).replace(/\.ts$/, '')
  task.meta.evidence = await saveEvidence(folder, `${file}-${task.id}`)
}
