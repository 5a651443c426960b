import {
  CATEGORIES,
  EVENT_TYPES,
  MAX_APP_VERSION_CHARS,
  MAX_BRANCH_CHARS,
  MAX_BUILD_NUMBER_CHARS,
  MAX_DESCRIPTION_CHARS,
  MAX_DEVICE_MODEL_CHARS,
  MAX_FINGERPRINT_CHARS,
  MAX_METADATA_KEY_CHARS,
  MAX_METADATA_MEMBERS,
  MAX_METADATA_STRING_CHARS,
  MAX_NOTE_CHARS,
  MAX_OS_VERSION_CHARS,
  MAX_PLATFORM_CHARS,
  MAX_SDK_NAME_CHARS,
  MAX_SDK_VERSION_CHARS,
  MAX_SUBMISSION_ID_CHARS,
  MAX_TITLE_CHARS,
  PRIORITIES,
} from '@bugle/contract/vocabulary'
import { Type } from 'typebox'
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
  object,
  orNull,
  position,
  positiveInteger,
  primitive,
  status,
  text,
  time,
} from './values.ts'

/** Where and in what a report says it happened. */
const circumstances = {
  appVersion: orNull(text(MAX_APP_VERSION_CHARS)),
  buildNumber: orNull(text(MAX_BUILD_NUMBER_CHARS)),
  osVersion: orNull(text(MAX_OS_VERSION_CHARS)),
  deviceModel: orNull(text(MAX_DEVICE_MODEL_CHARS)),
  platform: orNull(text(MAX_PLATFORM_CHARS)),
  branch: orNull(text(MAX_BRANCH_CHARS)),
  occurredAt: orNull(time),
}

const eventDetails = object({
  changes: Type.Array(
    object({
      member: text(MAX_OTHER_CHARS),
      from: orNull(Type.Union([primitive, entries(orNull(primitive), MAX_LIST_ITEMS, MAX_OTHER_CHARS)])),
      to: orNull(Type.Union([primitive, entries(orNull(primitive), MAX_LIST_ITEMS, MAX_OTHER_CHARS)])),
    }),
    { maxItems: MAX_LIST_ITEMS },
  ),
  note: orNull(text(MAX_NOTE_CHARS)),
  reason: orNull(text(MAX_OTHER_CHARS)),
  deletedIssueId: orNull(id('iss')),
  // Absent in files of 0.1.0.
  confirmed: Type.Optional(orNull(Type.Boolean())),
})

/** The issues of a project, what was reported and what happened. */
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
    metadata: orNull(
      entries(
        Type.Union([text(MAX_METADATA_STRING_CHARS), Type.Number(), Type.Boolean()]),
        MAX_METADATA_MEMBERS,
        MAX_METADATA_KEY_CHARS,
      ),
    ),
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
  }),
  report: object({
    issueNumber: positiveInteger,
    number: positiveInteger,
    receivedAt: time,
    ...circumstances,
    submissionId: orNull(text(MAX_SUBMISSION_ID_CHARS)),
  }),
  reportDay: object({ issueNumber: positiveInteger, day, count }),
  submission: object({
    id: text(MAX_SUBMISSION_ID_CHARS),
    contentHash: hash,
    issueNumber: positiveInteger,
    status,
    reportCount: positiveInteger,
  }),
  event: object({
    position,
    type: choice(EVENT_TYPES),
    at: time,
    actor: orNull(text(MAX_OTHER_CHARS)),
    issueNumber: orNull(positiveInteger),
    lane,
    details: orNull(eventDetails),
    // Within the open lane, if it is another there. Absent in files of earlier releases.
    openPosition: Type.Optional(orNull(position)),
  }),
}
