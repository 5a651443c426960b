import { canMove, type IssueStatus, isFinal } from '@bugle/contract/vocabulary'
import type { IssueId } from '../src/model/ids.ts'
import type { Lane } from '../src/model/lanes.ts'

/** What issues, their reports and their duplicates should be: written as plainly as possible, and slow. */
export interface MergeModel {
  ids(): readonly IssueId[]
  reportNumbersOf(id: IssueId): readonly number[]
  submit(id: IssueId, report: { lane: Lane; isSpam: boolean; fingerprint: string | null; at: number }): void
  merge(id: IssueId, into: IssueId): string
  unmerge(id: IssueId): string
  setStatus(id: IssueId, status: IssueStatus): string
  setLane(id: IssueId, lane: Lane): void
  /** Whether anything has changed. */
  setSpam(id: IssueId, isSpam: boolean): boolean
  deleteIssues(ids: readonly IssueId[]): void
  deleteReport(id: IssueId, reportNumber: number): void
  /** Everything that a reader could see. */
  show(): readonly ModelView[]
}

export interface ModelView {
  readonly id: IssueId
  readonly number: number
  readonly lane: Lane
  readonly isSpam: boolean
  readonly status: IssueStatus
  readonly fingerprint: string | null
  readonly duplicateOf: IssueId | null
  readonly reportCount: number
  readonly lastReportedAt: number
  /** The numbers of its duplicates, newest first. */
  readonly duplicates: readonly number[]
  /** The number of the issue and of the report, newest first. */
  readonly reports: readonly string[]
}

interface ModelIssue {
  readonly id: IssueId
  readonly number: number
  lane: Lane
  isSpam: boolean
  status: IssueStatus
  statusBefore: IssueStatus | null
  into: ModelIssue | null
  fingerprint: string | null
  reports: { readonly number: number; readonly at: number }[]
  lastReport: number
}

export function createMergeModel(): MergeModel {
  let issues: ModelIssue[] = []
  let lastNumber = 0

  const find = (id: IssueId) => issues.find((issue) => issue.id === id)
  const duplicatesOf = (issue: ModelIssue) => issues.filter(({ into }) => into === issue)

  function require(id: IssueId): ModelIssue {
    const issue = find(id)
    if (issue === undefined) throw new Error(`the model has no issue ${id}`)
    return issue
  }

  function separate(issue: ModelIssue): void {
    issue.status = issue.statusBefore ?? issue.status
    issue.statusBefore = null
    issue.into = null
  }

  /** Two issues with a fingerprint are never in the same place. */
  function dropTakenFingerprint(issue: ModelIssue, lane: Lane, isSpam: boolean): void {
    const others = issues.filter((one) => one.lane === lane && one.isSpam === isSpam)
    if (others.some(({ fingerprint }) => fingerprint === issue.fingerprint)) issue.fingerprint = null
  }

  return {
    ids: () => issues.map(({ id }) => id),
    reportNumbersOf: (id) => require(id).reports.map(({ number }) => number),

    submit(id, { lane, isSpam, fingerprint, at }) {
      const known = issues.find(
        (issue) =>
          fingerprint !== null &&
          issue.fingerprint === fingerprint &&
          issue.lane === lane &&
          issue.isSpam === isSpam,
      )
      if (known === undefined) {
        const reports = [{ number: 1, at }]
        const state = { status: 'open', statusBefore: null, into: null } as const
        issues.push({ id, number: ++lastNumber, lane, isSpam, fingerprint, reports, lastReport: 1, ...state })
        return
      }
      known.lastReport++
      known.reports.push({ number: known.lastReport, at })
      const judged = known.into ?? known
      if (judged.status === 'resolved') judged.status = 'open'
    },

    merge(id, into) {
      const issue = require(id)
      const named = find(into)
      if (named === undefined || named === issue || named.lane !== issue.lane) return 'no-target'
      if (named.isSpam || issue.isSpam) return 'no-target'
      const target = named.into ?? named
      if (target === issue) return 'own-duplicate'
      if (issue.into === target) return 'unchanged'
      for (const one of [issue, ...duplicatesOf(issue)]) {
        one.statusBefore ??= one.status
        if (!isFinal(one.status)) one.status = 'closed'
        one.into = target
      }
      return 'changed'
    },

    unmerge(id) {
      const issue = require(id)
      if (issue.into === null) return 'unchanged'
      separate(issue)
      return 'changed'
    },

    setStatus(id, status) {
      const issue = require(id)
      if (issue.status === status) return 'unchanged'
      if (issue.into !== null) return 'is-duplicate'
      if (!canMove(issue.status, status)) return 'invalid-transition'
      issue.status = status
      return 'changed'
    },

    setLane(id, lane) {
      const issue = require(id)
      if (issue.lane === lane) return
      for (const one of [issue, ...duplicatesOf(issue)]) separate(one)
      dropTakenFingerprint(issue, lane, issue.isSpam)
      issue.lane = lane
    },

    setSpam(id, isSpam) {
      const issue = require(id)
      if (issue.isSpam === isSpam) return false
      for (const one of [issue, ...duplicatesOf(issue)]) separate(one)
      dropTakenFingerprint(issue, issue.lane, isSpam)
      issue.isSpam = isSpam
      return true
    },

    deleteIssues(ids) {
      const gone = ids.map(require)
      issues = issues.filter((issue) => !gone.includes(issue))
      for (const issue of issues) if (issue.into !== null && gone.includes(issue.into)) separate(issue)
    },

    deleteReport(id, reportNumber) {
      const issue = require(id)
      issue.reports = issue.reports.filter(({ number }) => number !== reportNumber)
    },

    show: () =>
      issues.map((issue) => {
        const duplicates = duplicatesOf(issue)
        const reports = [issue, ...duplicates].flatMap((one) =>
          one.reports.map(({ number, at }) => ({ at, name: `${one.number}.${number}` })),
        )
        const { id, number, lane, isSpam, status, fingerprint } = issue
        return {
          ...{ id, number, lane, isSpam, status, fingerprint },
          duplicateOf: issue.into?.id ?? null,
          reportCount: reports.length,
          lastReportedAt: Math.max(...reports.map(({ at }) => at)),
          duplicates: duplicates.map((one) => one.number).sort((one, other) => other - one),
          reports: reports.sort((one, other) => other.at - one.at).map(({ name }) => name),
        }
      }),
  }
}
