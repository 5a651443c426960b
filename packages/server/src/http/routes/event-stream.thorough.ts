import { describeCutReaders } from '../../../test-support/cut-readers.ts'
import { setIssueStage } from '../../../test-support/issue-stage.ts'

const LONG = { events: 10_000, cuts: 100 }

describeCutReaders(setIssueStage({ isOnDisk: true }), LONG)
