import { lastReportNumber } from '../../../model/decisions/duplicates.ts'
import type { IssueId } from '../../../model/ids.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import { type Lane, laneOf } from '../../../model/lanes.ts'
import { attachmentNumber } from '../../../model/reports/attachments.ts'
import { FIRST_TEXT } from '../../../model/reports/report-texts.ts'
import type { IssueReporter } from '../../../model/reports/reporters.ts'
import type { SearchedText } from '../../../model/search/tokens.ts'
import type { SourceReports } from '../../../model/seen-values.ts'
import { createCounts } from '../../issues/counts/counters.ts'
import { setIn } from '../../issues/counts/nested-maps.ts'
import { detailsOf, isReportEvent } from '../../issues/event-rows.ts'
import {
  hasManyRows,
  type IssueTables,
  type NewBulkChange,
  type NewReportRow,
  type NewSubmission,
  type NewText,
  type ProjectCounters,
  type Submission,
} from '../../issues/issue-tables.ts'
import { codeOf, LANE_CODES, lanesUpTo } from '../../issues/lane-codes.ts'
import { createSeenChanges } from '../../issues/seen/seen-changes.ts'
import type { AttachmentRow, Changes, EventRow, ExceptionRow, MovedEvents, ReportChange } from './changes.ts'
import type { LoadedRows } from './load-rows.ts'

/** The in-memory tables of one project as changed by a batch, and the changes to write at the end. */
export interface BatchTables extends IssueTables {
  readonly changes: Changes
}

export function createBatchTables(project: ProjectCounters | undefined, loaded: LoadedRows): BatchTables {
  const issues = new Map<number, StoredIssue>()
  const numbersById = new Map<IssueId, number>()
  const numbersByFingerprint = new Map<string, number>()
  const submissions = new Map(loaded.submissions)
  const inserted = new Map<number, number>()
  const updated = new Set<number>()
  const triaged = new Set<number>()
  const marked = new Set<number>()
  const counted = new Set<number>()
  const reindexed = new Set<number>()
  const moved = new Map<number, MovedEvents>()
  const removed = new Set<number>()
  const removedFirst = new Set<number>()
  const bulkChanges: NewBulkChange[] = []
  const checkedSources = new Set<number>()
  const labelled = new Map<number, StoredIssue>()
  const reporters = new Map<number, Map<string, IssueReporter>>()
  const counts = createCounts()
  const seen = createSeenChanges()
  let events: EventRow[] = []
  let attachments: AttachmentRow[] = []
  let exceptions: ExceptionRow[] = []
  const removedExceptions: (readonly [issueNumber: number, textNumber: number])[] = []
  let reports: (readonly [issueNumber: number, report: NewReportRow])[] = []
  const texts = new Map<number, NewTexts>()
  const reportChanges: ReportChange[] = []
  let newSubmissions: (readonly [issue: StoredIssue, submission: NewSubmission])[] = []
  for (const issue of loaded.issues) keep(issue)
  const countOwnKnown = () => [...issues.values()].filter(({ known }) => known !== null).length
  const otherKnown = loaded.knownCount - countOwnKnown()

  function keep(issue: StoredIssue): void {
    issues.set(issue.issueNumber, issue)
    numbersById.set(issue.id, issue.issueNumber)
    if (issue.fingerprint === null) return
    numbersByFingerprint.set(fingerprintKey(codeOf(issue), issue.fingerprint), issue.issueNumber)
  }

  function forget(number: number): void {
    const issue = issues.get(number)
    if (issue === undefined) return
    issues.delete(number)
    numbersById.delete(issue.id)
    if (issue.fingerprint === null) return
    numbersByFingerprint.delete(fingerprintKey(codeOf(issue), issue.fingerprint))
  }

  function isLarge(issue: StoredIssue): boolean {
    return hasManyRows(issue, loaded.eventCounts.get(issue.issueNumber) ?? NO_OTHER_ROWS)
  }

  function isInSight(issueNumber: number, lane: Lane): boolean {
    const issue = issues.get(issueNumber)
    return issue !== undefined && codeOf(issue) <= LANE_CODES[lane]
  }

  /** The texts that this batch has added to an issue, after those that are stored. */
  function textsOf({ issueNumber }: Pick<StoredIssue, 'issueNumber'>): NewTexts {
    const last = Math.max(FIRST_TEXT, loaded.texts.get(issueNumber)?.last ?? 0)
    return (
      texts.get(issueNumber) ??
      setIn(texts, issueNumber, { added: new Map(), removed: new Set(), redacted: new Set(), last })
    )
  }

  function searchedTexts(issue: StoredIssue): readonly SearchedText[] {
    const stored = loaded.searchedTexts.get(issue.issueNumber)
    const changed = texts.get(issue.issueNumber)
    if (changed === undefined) return stored ?? NO_TEXTS
    return [...(stored ?? []), ...addedTexts(issue)]
      .filter(({ number }) => !changed.removed.has(number) && !changed.redacted.has(number))
      .sort((one, other) => one.number - other.number)
  }

  function addedTexts(issue: StoredIssue): readonly (SearchedText & { readonly number: number })[] {
    const added = Array.from(texts.get(issue.issueNumber)?.added.values() ?? [])
    return added.flatMap(({ words, number, title, description }) =>
      words > 0 && title !== null ? [{ number, title, description }] : [],
    )
  }

  function existing(numbers: Iterable<number>): StoredIssue[] {
    return Array.from(numbers).flatMap((number) => issues.get(number) ?? [])
  }

  return {
    findProject: () => project,
    findIssue: (_, id) => issues.get(numbersById.get(id) ?? 0),
    findShortIssue: (_, id) => issues.get(numbersById.get(id) ?? 0),
    isIdTaken: (_, id) => numbersById.has(id) || loaded.reportIds.has(id),
    findByFingerprint: (_, code, fingerprint) =>
      issues.get(numbersByFingerprint.get(fingerprintKey(code, fingerprint)) ?? 0),
    duplicatesOf: (_, { id }) =>
      Array.from(issues.values())
        .filter(({ duplicateOf }) => duplicateOf === id)
        .sort((one, other) => one.issueNumber - other.issueNumber),
    countKnown: () => otherKnown + countOwnKnown(),
    findSubmission: (_, id) => submissions.get(id),
    isVersionKnown(project, lane, appVersion) {
      const stored = loaded.versions.get(appVersion)
      const isStored = lane === 'open' ? stored?.isInOpenLane : stored?.isInAnyLane
      return (
        isStored === true ||
        lanesUpTo(lane).some((code) => seen.reportsOf(project.seq, code, appVersion) > 0) ||
        reports.some(([number, report]) => report.appVersion === appVersion && isInSight(number, lane))
      )
    },
    sources: (_, { issueNumber }) => [
      ...(loaded.sources.get(issueNumber) ?? []),
      ...reports.filter(([number]) => number === issueNumber).map(([, report]) => toSource(report)),
    ],

    findText: (_, issue, hash) =>
      texts.get(issue.issueNumber)?.added.get(hash)?.number ??
      loaded.texts.get(issue.issueNumber)?.numbers.get(hash),
    lastTextNumber(_, { issueNumber }) {
      return texts.get(issueNumber)?.last ?? Math.max(FIRST_TEXT, loaded.texts.get(issueNumber)?.last ?? 0)
    },

    findReport: (_, { issueNumber }, reportNumber) =>
      loaded.report?.reports.find(
        (one) => one.issueNumber === issueNumber && one.reportNumber === reportNumber,
      ),
    latestReports: (_, { issueNumber }) =>
      loaded.report?.reports.filter((one) => one.issueNumber === issueNumber && one.isLatest) ?? [],
    findStoredText: (_, { issueNumber }, number) => {
      const text = loaded.report?.text
      return text?.issueNumber === issueNumber && text.number === number ? text : undefined
    },
    findTextUse: () => loaded.report?.textUse,
    redactText(_, { issueNumber }, number) {
      reportChanges.push(['redactText', issueNumber, number])
      textsOf({ issueNumber }).redacted.add(number)
    },
    changeReport(_, { issueNumber }, changes) {
      for (const [name, ...values] of changes) reportChanges.push([name, issueNumber, ...values])
    },
    removeFromSource: (_, { issueNumber }, { day, appVersion, buildNumber, branch }) =>
      void reportChanges.push(
        ['removeFromSource', issueNumber, day, appVersion ?? '', buildNumber ?? '', branch ?? ''],
        ['dropSources', issueNumber],
      ),

    insertIssue(_, issue, createdPosition) {
      keep(issue)
      inserted.set(issue.issueNumber, createdPosition)
      reindexed.add(issue.issueNumber)
    },
    updateIssue(_, issue) {
      forget(issue.issueNumber)
      keep(issue)
      updated.add(issue.issueNumber)
    },
    updateCounts(_, issue) {
      issues.set(issue.issueNumber, issue)
      counted.add(issue.issueNumber)
    },
    updateTriage(_, issue) {
      issues.set(issue.issueNumber, issue)
      triaged.add(issue.issueNumber)
    },
    updateSpam(_, issue) {
      forget(issue.issueNumber)
      keep(issue)
      marked.add(issue.issueNumber)
    },
    reindexIssue: (_, { issueNumber }) => void reindexed.add(issueNumber),
    removeIssue(_, issue) {
      const { issueNumber } = issue
      forget(issueNumber)
      if (!inserted.delete(issueNumber)) (isLarge(issue) ? removedFirst : removed).add(issueNumber)
      events = events.filter((row) => row.issue_number !== issueNumber)
      reports = reports.filter(([number]) => number !== issueNumber)
      texts.delete(issueNumber)
      reporters.delete(issueNumber)
      attachments = attachments.filter((row) => row.issue_number !== issueNumber)
      exceptions = exceptions.filter((row) => row.issue_number !== issueNumber)
      newSubmissions = newSubmissions.filter(([issue]) => issue.issueNumber !== issueNumber)
      for (const [id, { receipt }] of submissions) {
        if (receipt.issueNumber === issueNumber) submissions.delete(id)
      }
    },
    removeIssues(_, issues) {
      for (const { issueNumber } of issues) {
        forget(issueNumber)
        removedFirst.add(issueNumber)
      }
    },
    findBulkChange: (_, id) => loaded.bulkChanges.get(id),
    insertBulkChange: (_, change) => void bulkChanges.push(change),
    replaceLabels: (_, issue) => void labelled.set(issue.issueNumber, issue),
    findReporter: (_, { issueNumber }, reporter) =>
      reporters.get(issueNumber)?.get(reporter) ?? loaded.reporters.get(issueNumber)?.get(reporter),
    writeReporter: (_, { issueNumber }, entry) => {
      const own = reporters.get(issueNumber) ?? setIn(reporters, issueNumber, new Map())
      own.set(entry.reporter, entry)
    },
    insertReport: (_, { issueNumber }, report) => void reports.push([issueNumber, report]),
    insertText(_, issue, text) {
      const own = textsOf(issue)
      own.added.set(text.hash, text)
      own.last = Math.max(own.last, text.number)
    },
    removeText(_, issue, number) {
      const { added, removed } = textsOf(issue)
      const own = added.values().find((text) => text.number === number)
      if (own === undefined) removed.add(number)
      else added.delete(own.hash)
    },
    insertException: (_, { issueNumber }, number, exception) =>
      void exceptions.push({ issue_number: issueNumber, number, exception }),
    removeException(_, { issueNumber }, number) {
      exceptions = exceptions.filter((row) => row.issue_number !== issueNumber || row.number !== number)
      removedExceptions.push([issueNumber, number])
    },
    insertAttachments(_, issue, declared) {
      const rows = declared.map((attachment, place) => {
        const number = attachmentNumber(lastReportNumber(issue), place)
        return { issue_number: issue.issueNumber, number, attachment }
      })
      attachments.push(...rows)
    },
    checkSources: (_, { issueNumber }) => void checkedSources.add(issueNumber),
    insertSubmission(_, issue, submission) {
      if (submissions.has(submission.id)) return false
      newSubmissions.push([issue, submission])
      submissions.set(submission.id, toSubmission(issue, submission))
      return true
    },
    insertEvent(_, issue, { position, openPosition, event, by }) {
      const { type } = event
      events.push({
        position,
        open_position: openPosition ?? undefined,
        type,
        at: by.at,
        actor: by.actor ?? undefined,
        issue_number: issue.issueNumber,
        lane: LANE_CODES[laneOf(issue.category)],
        details: detailsOf(event, type === 'issue.deleted' ? issue.id : undefined) ?? undefined,
      })
    },
    moveToLane(counters, issue) {
      const { issueNumber } = issue
      const lane = laneOf(issue.category)
      const isHistory = isLarge(issue)
      const { lastEventPosition: upTo, lastOpenPosition: afterOpen } = counters
      const own = events.filter(
        (row) => row.issue_number === issueNumber && !(isHistory && isReportEvent(row)),
      )
      for (const row of own) row.lane = LANE_CODES[lane]
      moved.set(issueNumber, { issueNumber, lane, isHistory, upTo, afterOpen })
      if (lane !== 'open') return
      // The counts do not include the first event. If this batch has created the issue, no events are stored yet.
      const counted = loaded.eventCounts.get(issueNumber)?.[isHistory ? 'history' : 'all'] ?? 0
      const stored = inserted.has(issueNumber) ? 0 : 1 + counted
      own.forEach((row, index) => {
        row.open_position = afterOpen + stored + index + 1
      })
      counters.lastOpenPosition += stored + own.length
    },
    count: counts.add,
    seen,

    get changes() {
      return {
        inserted: Array.from(
          inserted,
          ([number, position]) => [issues.get(number), position] as const,
        ).filter((entry): entry is readonly [StoredIssue, number] => entry[0] !== undefined),
        updated: existing(updated).filter(({ issueNumber }) => !inserted.has(issueNumber)),
        triaged: existing(triaged),
        marked: existing(marked).filter(({ issueNumber }) => !inserted.has(issueNumber)),
        recoded: existing(new Set([...moved.keys(), ...marked])),
        counted: existing(counted).filter(
          ({ issueNumber }) => !inserted.has(issueNumber) && !updated.has(issueNumber),
        ),
        reindexed: existing(reindexed).map((issue) => [issue, searchedTexts(issue)] as const),
        indexed: existing(texts.keys())
          .filter(({ issueNumber }) => !reindexed.has(issueNumber))
          .map((issue) => [issue, addedTexts(issue)] as const)
          .filter(([, added]) => added.length > 0),
        removed: [...removed],
        removedFirst: [...removedFirst],
        bulkChanges,
        labelled: [...labelled.values()],
        events,
        moved: [...moved.values()].filter(({ issueNumber }) => issues.has(issueNumber)),
        reports: reports.flatMap(([number, report]) => {
          const issue = issues.get(number)
          return issue === undefined ? [] : [[issue, report] as const]
        }),
        texts: Array.from(texts, ([number, { added }]) =>
          Array.from(added.values(), (text) => [number, text] as const),
        ).flat(),
        removedTexts: Array.from(texts, ([issueNumber, { removed }]) =>
          Array.from(removed, (number) => [issueNumber, number] as const),
        ).flat(),
        exceptions,
        removedExceptions,
        reportChanges,
        attachments,
        reporters: Array.from(reporters, ([number, entries]) => {
          const issue = issues.get(number)
          return issue === undefined ? [] : Array.from(entries.values(), (entry) => [issue, entry] as const)
        }).flat(),
        submissions: newSubmissions,
        counts,
        seen,
        checkedSources: [...checkedSources],
      }
    },
  }
}

const NO_OTHER_ROWS = { files: 0, history: 0 }
const NO_TEXTS: readonly SearchedText[] = []

/** What a batch changes in the texts of an issue. */
interface NewTexts {
  /** By hash. */
  readonly added: Map<string, NewText>
  readonly removed: Set<number>
  readonly redacted: Set<number>
  /** The highest number. */
  last: number
}

function toSource({
  day,
  appVersion,
  buildNumber,
  branch,
  receivedAt,
  isRegression,
}: NewReportRow): SourceReports {
  const span = { firstAt: receivedAt, lastAt: receivedAt }
  return { day, appVersion, buildNumber, branch, count: 1, regressions: Number(isRegression), ...span }
}

function fingerprintKey(code: number, fingerprint: string): string {
  return `${code} ${fingerprint}`
}

function toSubmission(issue: StoredIssue, { contentHash }: NewSubmission): Submission {
  const { id: issueId, issueNumber, status, createdAt, lastReportedAt, reportCount } = issue
  // The submission is written together with its report, which is the latest one at that time.
  const receipt = { issueId, issueNumber, status, createdAt, receivedAt: lastReportedAt, reportCount }
  return { contentHash, receipt }
}
