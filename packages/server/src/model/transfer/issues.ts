import {
  ANY_COMMENT_ID_PATTERN,
  CATEGORIES,
  COMMENT_AUDIENCES,
  CONVERSATION_STATES,
  EVENT_TYPES,
  MAX_APP_VERSION_CHARS,
  MAX_BRANCH_CHARS,
  MAX_BUILD_NUMBER_CHARS,
  MAX_COMMENT_CHARS,
  MAX_COMMENT_ID_CHARS,
  MAX_CONTEXT_FIELDS,
  MAX_CONTEXT_NAME_CHARS,
  MAX_CONTEXT_STRING_CHARS,
  MAX_DESCRIPTION_CHARS,
  MAX_FINGERPRINT_CHARS,
  MAX_ISSUE_LABELS,
  MAX_KNOWN_TEXT_CHARS,
  MAX_KNOWN_TITLE_CHARS,
  MAX_MENTIONS,
  MAX_METADATA_KEY_CHARS,
  MAX_METADATA_MEMBERS,
  MAX_METADATA_STRING_CHARS,
  MAX_NOTE_CHARS,
  MAX_REPORTER_CHARS,
  MAX_SDK_NAME_CHARS,
  MAX_SDK_VERSION_CHARS,
  MAX_SUBMISSION_ID_CHARS,
  MAX_TITLE_CHARS,
  MAX_USER_NAME_CHARS,
  mapReportFields,
  OMISSION_REASONS,
  PRIORITIES,
} from '@bugle/contract/vocabulary'
import { Type } from 'typebox'
import { isFieldOf010 } from '../reports/content-hashes.ts'
import { exceptions } from './exceptions.ts'
import {
  choice,
  count,
  day,
  entries,
  hash,
  id,
  lane,
  MAX_LIST_ITEMS,
  MAX_OTHER_CHARS,
  natural,
  object,
  orNull,
  position,
  positiveInteger,
  primitive,
  sha256,
  status,
  text,
  time,
  whole,
} from './values.ts'

/** Where and in which release it happened, according to the report. */
const circumstances = {
  ...mapReportFields(({ maxLength }, name) => {
    const schema = orNull(text(maxLength))
    // Absent in files of 0.1.0.
    return isFieldOf010(name) ? schema : (Type.Optional(schema) as typeof schema)
  }),
  occurredAt: orNull(time),
}

const metadata = entries(
  Type.Union([text(MAX_METADATA_STRING_CHARS), Type.Number(), Type.Boolean()]),
  MAX_METADATA_MEMBERS,
  MAX_METADATA_KEY_CHARS,
)

/** Absent in files of earlier releases. */
const origin = {
  context: Type.Optional(
    orNull(
      entries(
        Type.Union([text(MAX_CONTEXT_STRING_CHARS), Type.Number(), Type.Boolean()]),
        MAX_CONTEXT_FIELDS,
        MAX_CONTEXT_NAME_CHARS,
      ),
    ),
  ),
  reporter: Type.Optional(
    orNull(
      object({
        id: orNull(text(MAX_REPORTER_CHARS)),
        name: orNull(text(MAX_REPORTER_CHARS)),
        email: orNull(text(MAX_REPORTER_CHARS)),
      }),
    ),
  ),
  reporterKeyHash: Type.Optional(orNull(sha256)),
}

/** A value of a field, before or after a change. */
const changedValue = orNull(
  Type.Union([
    primitive,
    entries(orNull(primitive), MAX_LIST_ITEMS, MAX_OTHER_CHARS),
    Type.Array(text(MAX_OTHER_CHARS), { maxItems: MAX_LIST_ITEMS }),
  ]),
)

const eventDetails = object({
  changes: Type.Array(
    object({
      member: text(MAX_OTHER_CHARS),
      from: changedValue,
      to: changedValue,
    }),
    { maxItems: MAX_LIST_ITEMS },
  ),
  note: orNull(text(MAX_NOTE_CHARS)),
  reason: orNull(text(MAX_OTHER_CHARS)),
  deletedIssueId: orNull(id('iss')),
  // Absent in files of 0.1.0.
  confirmed: Type.Optional(orNull(Type.Boolean())),
})

/** The issues of a project, with their reports and events. */
export const ISSUE_LINES = {
  issue: object({
    number: positiveInteger,
    id: id('iss'),
    status,
    category: choice(CATEGORIES),
    priority: choice(PRIORITIES),
    title: text(MAX_TITLE_CHARS),
    description: orNull(text(MAX_DESCRIPTION_CHARS)),
    ...circumstances,
    fingerprint: orNull(text(MAX_FINGERPRINT_CHARS)),
    metadata: orNull(metadata),
    sdkName: orNull(text(MAX_SDK_NAME_CHARS)),
    sdkVersion: orNull(text(MAX_SDK_VERSION_CHARS)),
    submissionId: orNull(text(MAX_SUBMISSION_ID_CHARS)),
    reportCount: positiveInteger,
    lastReportedAt: time,
    fixedInVersion: orNull(text(MAX_APP_VERSION_CHARS)),
    fixedInBuild: orNull(text(MAX_BUILD_NUMBER_CHARS)),
    resolvedAt: orNull(time),
    firstLeftOpenAt: orNull(time),
    firstResolvedAt: orNull(time),
    createdAt: time,
    updatedAt: time,
    version: positiveInteger,
    createdPosition: position,
    // Absent in files of 0.1.0.
    unconfirmedVersion: Type.Optional(orNull(text(MAX_APP_VERSION_CHARS))),
    lastSeenVersion: Type.Optional(orNull(text(MAX_APP_VERSION_CHARS))),
    lastSeenBuild: Type.Optional(orNull(text(MAX_BUILD_NUMBER_CHARS))),
    onDefaultBranch: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 1 }))),
    deletedReports: Type.Optional(orNull(count)),
    editedAt: Type.Optional(orNull(time)),
    reportWords: Type.Optional(orNull(count)),
    assigneeId: Type.Optional(orNull(id('usr'))),
    labels: Type.Optional(orNull(Type.Array(positiveInteger, { maxItems: MAX_ISSUE_LABELS }))),
    reporterCount: Type.Optional(orNull(count)),
    ...origin,
    commentCount: Type.Optional(orNull(count)),
    duplicateOf: Type.Optional(orNull(id('iss'))),
    statusBeforeMerge: Type.Optional(orNull(status)),
    duplicateCount: Type.Optional(orNull(count)),
    duplicateReports: Type.Optional(orNull(count)),
    ownReportedAt: Type.Optional(orNull(time)),
    spamAt: Type.Optional(orNull(time)),
    messageCount: Type.Optional(orNull(count)),
    conversation: Type.Optional(orNull(choice(CONVERSATION_STATES))),
    knownTitle: Type.Optional(orNull(text(MAX_KNOWN_TITLE_CHARS))),
    knownText: Type.Optional(orNull(text(MAX_KNOWN_TEXT_CHARS))),
  }),
  report: object({
    issueNumber: positiveInteger,
    number: positiveInteger,
    receivedAt: time,
    ...circumstances,
    submissionId: orNull(text(MAX_SUBMISSION_ID_CHARS)),
    // Absent in files of earlier releases: then the report gets an id, and its text is not known.
    id: Type.Optional(orNull(id('rep'))),
    textNumber: Type.Optional(orNull(count)),
    metadata: Type.Optional(orNull(metadata)),
    sdkName: Type.Optional(orNull(text(MAX_SDK_NAME_CHARS))),
    sdkVersion: Type.Optional(orNull(text(MAX_SDK_VERSION_CHARS))),
    ...origin,
  }),
  // Absent in files of earlier releases.
  reportText: object({
    issueNumber: positiveInteger,
    number: positiveInteger,
    reportNumber: positiveInteger,
    hash,
    words: count,
    // A redacted text has none.
    title: orNull(text(MAX_TITLE_CHARS)),
    description: orNull(text(MAX_DESCRIPTION_CHARS)),
  }),
  // Absent in files of earlier releases.
  reportException: object({ issueNumber: positiveInteger, number: positiveInteger, exception: exceptions }),
  // Absent in files of earlier releases.
  attachment: object({
    issueNumber: positiveInteger,
    // Negative for files of comments.
    number: whole,
    id: id('att'),
    digest: sha256,
    name: text(MAX_OTHER_CHARS),
    declaredType: text(MAX_OTHER_CHARS),
    size: natural,
    // Set even if the file has no bytes of it: the import then stores it as not received.
    receivedAt: orNull(time),
    omitted: orNull(choice(OMISSION_REASONS)),
  }),
  // Absent in files of earlier releases, like the two optional fields of an issue: they are then counted from the reports.
  reportSource: object({
    issueNumber: positiveInteger,
    day,
    appVersion: text(MAX_APP_VERSION_CHARS),
    buildNumber: text(MAX_BUILD_NUMBER_CHARS),
    branch: text(MAX_BRANCH_CHARS),
    lane,
    count: positiveInteger,
    regressions: count,
    firstAt: time,
    lastAt: time,
  }),
  // Absent in files of earlier releases.
  issueLabel: object({ issueNumber: positiveInteger, label: positiveInteger, lane }),
  // Absent in files of earlier releases.
  issueReporter: object({
    issueNumber: positiveInteger,
    reporter: text(MAX_REPORTER_CHARS),
    lane,
    email: orNull(text(MAX_REPORTER_CHARS)),
    reports: positiveInteger,
  }),
  // Absent in files of earlier releases.
  comment: object({
    issueNumber: positiveInteger,
    number: positiveInteger,
    id: Type.String({ maxLength: MAX_COMMENT_ID_CHARS, pattern: ANY_COMMENT_ID_PATTERN }),
    author: orNull(text(MAX_OTHER_CHARS)),
    audience: choice(COMMENT_AUDIENCES),
    // A deleted comment has none, like the next two.
    text: orNull(text(MAX_COMMENT_CHARS)),
    mentions: orNull(
      Type.Array(object({ id: id('usr'), name: text(MAX_USER_NAME_CHARS) }), { maxItems: MAX_MENTIONS }),
    ),
    contentHash: orNull(hash),
    createdAt: time,
    editedAt: orNull(time),
    // Absent in files of earlier releases, like the next kind of lines.
    reportNumber: Type.Optional(orNull(positiveInteger)),
    lastReport: Type.Optional(orNull(positiveInteger)),
  }),
  readMark: object({
    issueNumber: positiveInteger,
    reportNumber: positiveInteger,
    commentNumber: positiveInteger,
  }),
  // Absent in files of earlier releases.
  blockedReporter: object({ keyHash: sha256, lane, at: time }),
  // Only in files of earlier releases: the sources have the days.
  reportDay: object({ issueNumber: positiveInteger, day, count }),
  submission: object({
    id: text(MAX_SUBMISSION_ID_CHARS),
    contentHash: hash,
    issueNumber: positiveInteger,
    status,
    reportCount: positiveInteger,
    // If it is another than the count, because reports were deleted. Absent in files of earlier releases.
    reportNumber: Type.Optional(orNull(positiveInteger)),
    receivedAt: Type.Optional(orNull(time)),
  }),
  event: object({
    position,
    type: choice(EVENT_TYPES),
    at: time,
    actor: orNull(text(MAX_OTHER_CHARS)),
    issueNumber: orNull(positiveInteger),
    lane,
    details: orNull(eventDetails),
    // The position within the open lane, if it is different. Absent in files of earlier releases.
    openPosition: Type.Optional(orNull(position)),
  }),
}
