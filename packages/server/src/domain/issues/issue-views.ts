import { hash } from 'node:crypto'
import { Issue, IssueListItem, REPORT_FIELD_NAMES, REPORT_FIELDS, TRANSITIONS } from '@bugle/contract'
import type { ListedIssue } from '../../model/issue-lists.ts'
import type { RetrievedIssue, StoredIssue } from '../../model/issues.ts'
import { type LabelRecord, namesOfLabels } from '../../model/labels.ts'
import type { Sight } from '../access/access.ts'
import { isoReportedTime, isoTime } from '../iso-time.ts'

/** What a caller may see, and the labels of the project, which issues name by number. */
export interface IssueSight extends Sight {
  readonly labels: readonly LabelRecord[]
}

/** An issue as a response, and the tag for its `ETag`. */
export interface TaggedIssue {
  readonly issue: Issue
  readonly tag: string
}

/** An issue in full, as far as the caller may see it, and its tag. */
export function showIssue(issue: RetrievedIssue, sight: IssueSight): TaggedIssue {
  return { issue: showWhole(issue, sight), tag: tagOfIssue(issue, sight) }
}

function showWhole(issue: RetrievedIssue, sight: IssueSight): Issue {
  const shown = { ...EMPTY_ISSUE }
  showShared(shown, issue, sight)
  shown.description = issue.description
  shown.allowedTransitions = [...TRANSITIONS[issue.status]]
  if (!sight.seesPrivateMembers) return shown
  if (issue.duplicateOf !== null) shown.allowedTransitions = []
  shown.metadata = issue.metadata
  shown.context = issue.context
  shown.reporter = issue.reporter
  shown.sdk = issue.sdk
  shown.submissionId = issue.submissionId
  shown.known = issue.known
  return shown
}

/** An issue as an item of a list. */
export function showListItem(issue: ListedIssue, sight: IssueSight): IssueListItem {
  const shown = { ...EMPTY_ITEM }
  showShared(shown, issue, sight)
  shown.excerpt = issue.excerpt
  return shown
}

/**
 * Changes with the content, and with what the caller may see. A renamed label and a comment change no issue, but what is
 * shown of it.
 */
function tagOfIssue(issue: RetrievedIssue, { seesPrivateMembers, labels }: IssueSight): string {
  const parts = [issue.version, issue.reportCount, seesPrivateMembers ? 'full' : 'public']
  if (!seesPrivateMembers) return parts.join('.')
  const { attachmentState } = issue
  const tag = (attachmentState === null ? parts : [...parts, attachmentState]).join('.')
  const names = namesOfLabels(labels, issue.labels)
  const { commentCount, duplicateCount, conversation } = issue
  const isPlain = names.length === 0 && commentCount === 0 && duplicateCount === 0 && conversation === null
  if (isPlain) return tag
  const own = conversation === null ? [] : [conversation]
  const others = JSON.stringify([names, commentCount, duplicateCount, ...own])
  return `${tag}.${hash('sha256', others, 'base64url').slice(0, TAG_CHARS)}`
}

const TAG_CHARS = 8

/** Sets what both have. What the caller may not see stays `null`. */
function showShared(shown: Shared, issue: RetrievedIssue | ListedIssue, sight: IssueSight): void {
  shown.id = issue.id
  shown.issueNumber = issue.issueNumber
  shown.title = issue.title
  shown.status = issue.status
  shown.createdAt = isoTime(issue.createdAt)
  shown.projectId = issue.projectId
  shown.category = issue.category
  shown.priority = issue.priority
  for (const name of sight.seesPrivateMembers ? REPORT_FIELD_NAMES : PUBLIC_NAMES) shown[name] = issue[name]
  shown.fingerprint = issue.fingerprint
  shown.occurredAt = isoReportedTime(issue.occurredAt)
  shown.reportCount = issue.reportCount
  shown.lastReportedAt = isoTime(issue.lastReportedAt)
  shown.fixedIn = issue.fixedIn
  shown.updatedAt = isoTime(issue.updatedAt)
  shown.version = issue.version
  if (!sight.seesPrivateMembers) return
  shown.reporterCount = issue.reporterCount
  shown.assigneeId = issue.assigneeId
  shown.labels = namesOfLabels(sight.labels, issue.labels)
  shown.attachmentState = issue.attachmentState
  shown.commentCount = issue.commentCount
  shown.duplicateOf = issue.duplicateOf
  shown.duplicateCount = issue.duplicateCount
  shown.spamAt = issue.spamAt === null ? null : isoTime(issue.spamAt)
  shown.conversation = issue.conversation
  showSeen(shown, issue)
}

/** In which releases it was seen, and whether on the default branch. */
function showSeen(
  shown: Shared,
  { appVersion, buildNumber, lastSeenIn, onDefaultBranch }: StoredIssue | ListedIssue,
): void {
  shown.firstSeenIn = appVersion ? { appVersion, buildNumber } : null
  shown.lastSeenIn = lastSeenIn ?? shown.firstSeenIn
  shown.onDefaultBranch = onDefaultBranch
}

type Shared = Omit<IssueListItem, 'excerpt'>

const PUBLIC_NAMES = REPORT_FIELD_NAMES.filter((name) => !('isPrivate' in REPORT_FIELDS[name]))

// Copied and then filled: spreading several objects into one takes twice as long, and so does serialising the result.
const EMPTY_ISSUE = emptyRecord<Issue>(Issue.properties)
const EMPTY_ITEM = emptyRecord<IssueListItem>(IssueListItem.properties)

/** The fields of a schema in their order, all of them `null`. */
function emptyRecord<T>(properties: object): T {
  return JSON.parse(JSON.stringify(properties, (key, value) => (key === '' ? value : null))) as T
}
