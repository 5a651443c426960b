import { describe, expect, it } from 'vitest'
import { setStorageStage } from '../../../test-support/storage-stage.ts'
import type { Storage } from '../storage.ts'
import { describeEvents } from './events.contract.ts'
import { describeIssues } from './issues.contract.ts'
import { describeKeys } from './keys.contract.ts'
import { describeProjects } from './projects.contract.ts'
import { describeSubmissions } from './submissions.contract.ts'

/** The suite that every database passes. `open` gives an empty database each time. */
export function describeStorage(name: string, open: () => Promise<Storage & AsyncDisposable>): void {
  describe(`storage: ${name}`, () => {
    const stage = setStorageStage(open)

    describeProjects(stage)
    describeKeys(stage)
    describeSubmissions(stage)
    describeIssues(stage)
    describeEvents(stage)

    it('can be probed, and after closing refuses everything', async () => {
      await stage.storage.probe()
      await stage.storage.close()
      await expect(stage.storage.probe()).rejects.toThrow(/closed/)
    })
  })
}
