import { describe, expect, it } from 'vitest'
import { setStorageStage } from '../../../test-support/storage-stage.ts'
import type { Storage } from '../storage.ts'
import { describeAuditLog } from './audit-log.contract.ts'
import { describeComments } from './comments.contract.ts'
import { describeEvents } from './events.contract.ts'
import { describeIssues } from './issues.contract.ts'
import { describeKeys } from './keys.contract.ts'
import { describeKnownIssues } from './known-issues.contract.ts'
import { describeProjects } from './projects.contract.ts'
import { describeReportExceptions } from './report-exceptions.contract.ts'
import { describeReportSearch } from './report-search.contract.ts'
import { describeReporters } from './reporters.contract.ts'
import { describeReports } from './reports.contract.ts'
import { describeSdkBuilds } from './sdk-builds.contract.ts'
import { describeSpam } from './spam.contract.ts'
import { describeSubmissions } from './submissions.contract.ts'

/** The suite that every database passes. `open` returns an empty database each time. */
export function describeStorage(name: string, open: () => Promise<Storage & AsyncDisposable>): void {
  describe(`storage: ${name}`, () => {
    const stage = setStorageStage(open)

    describeProjects(stage)
    describeKeys(stage)
    describeAuditLog(stage)
    describeSubmissions(stage)
    describeIssues(stage)
    describeReports(stage)
    describeReportSearch(stage)
    describeReportExceptions(stage)
    describeReporters(stage)
    describeComments(stage)
    describeKnownIssues(stage)
    describeEvents(stage)
    describeSpam(stage)
    describeSdkBuilds(stage)

    it('can be probed, and refuses everything after closing', async () => {
      await stage.storage.probe()
      await stage.storage.close()
      await expect(stage.storage.probe()).rejects.toThrow(/closed/)
    })
  })
}
