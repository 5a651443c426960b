import { type Static, Type } from 'typebox'
import { CATEGORIES, DEFAULT_CATEGORY } from '../vocabulary/categories.ts'
import { ISSUE_STATUSES } from '../vocabulary/issue-status.ts'
import * as limits from '../vocabulary/limits.ts'
import { DEFAULT_PRIORITY, PRIORITIES } from '../vocabulary/priorities.ts'
import {
  answerObject,
  choice,
  optional,
  optionalChoice,
  optionalText,
  requiredText,
  timestamp,
} from './members.ts'

export const EXAMPLE_ISSUE_ID = 'iss_01m8z3v9q8e1r8m6n0p4s2t7wx'

/** Visible ASCII, so that it travels in a header too. */
export const SUBMISSION_ID_PATTERN = '^[\\u0021-\\u007e]+$'

/** Bare, or quoted as RFC 8941 quotes a string. */
export const IDEMPOTENCY_KEY_PATTERN = `^(?:[!-~]{1,${limits.MAX_SUBMISSION_ID_CHARS}}|"(?:[!#-\\[\\]-~]|\\\\["\\\\]){1,${limits.MAX_SUBMISSION_ID_CHARS}}")$`

/** The header that names a submission. */
export const IdempotencyKey = Type.String({
  pattern: IDEMPOTENCY_KEY_PATTERN,
  description: `Names the submission, like the field \`submissionId\`: 1 to ${limits.MAX_SUBMISSION_ID_CHARS} visible ASCII characters, bare or quoted.`,
})

/** What a client sends to report a problem. Only `title` is required; a member that is `null` is as good as absent. */
export const IssueSubmission = Type.Object(
  {
    title: requiredText(limits.MAX_TITLE_CHARS, { description: 'Short summary of the problem.' }),
    description: optionalText(limits.MAX_DESCRIPTION_CHARS, {
      description: 'Free text, for example the steps that lead to the problem. Never interpreted as markup.',
    }),
    category: optionalChoice(CATEGORIES, {
      description: 'What kind of problem it is.',
      absent: DEFAULT_CATEGORY,
    }),
    priority: optionalChoice(PRIORITIES, {
      description: 'How urgent the reporter finds it.',
      absent: DEFAULT_PRIORITY,
    }),
    appVersion: optionalText(limits.MAX_APP_VERSION_CHARS, {
      description: 'Version of the reporting application.',
    }),
    buildNumber: optionalText(limits.MAX_BUILD_NUMBER_CHARS, {
      description: 'Build number of the reporting application: a string, not a number.',
    }),
    osVersion: optionalText(limits.MAX_OS_VERSION_CHARS, {
      description: 'Operating system name and version.',
    }),
    deviceModel: optionalText(limits.MAX_DEVICE_MODEL_CHARS, { description: 'Device model name.' }),
    platform: optional<string>({
      type: ['string', 'null'],
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$',
      description:
        'Platform of the reporting device, stored in lower case. The list is open; known: ios, android, web, macos, windows, linux, tvos, watchos, node, electron, other.',
    }),
    branch: optionalText(limits.MAX_BRANCH_CHARS, { description: 'Source branch of the reported build.' }),
    submissionId: optional<string>({
      type: ['string', 'null'],
      minLength: 1,
      maxLength: limits.MAX_SUBMISSION_ID_CHARS,
      pattern: SUBMISSION_ID_PATTERN,
      description:
        'Made by the client. The same id with the same content is stored once and answered alike each time. The header `Idempotency-Key` does the same.',
    }),
    fingerprint: optional<string>({
      type: ['string', 'null'],
      minLength: 1,
      maxLength: limits.MAX_FINGERPRINT_CHARS,
      pattern: '^[^\\u0000]*$',
      description: 'Reports of a project with the same fingerprint are counted on one issue.',
    }),
    occurredAt: optional<string>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When it happened, if not now: RFC 3339 with an offset, in the years 1970 to 9999 in UTC.',
    }),
    metadata: optional<Record<string, string | number | boolean>>({
      type: ['object', 'null'],
      maxProperties: limits.MAX_METADATA_MEMBERS,
      propertyNames: {
        type: 'string',
        minLength: 1,
        maxLength: limits.MAX_METADATA_KEY_CHARS,
        pattern: '^(?!__proto__$)[^\\u0000]*$',
      },
      additionalProperties: {
        type: ['string', 'number', 'boolean'],
        title: 'SubmittedMetadataValue',
        maxLength: limits.MAX_METADATA_STRING_CHARS,
        pattern: '^[^\\u0000]*$',
        description: 'A value under a name of your own.',
      },
      description: 'Anything else worth knowing: a flat object of strings, numbers and booleans.',
    }),
    sdk: optional<{ name: string; version: string }>({
      type: ['object', 'null'],
      title: 'SubmittedSdk',
      properties: {
        name: {
          type: 'string',
          minLength: 1,
          maxLength: limits.MAX_SDK_NAME_CHARS,
          pattern: '^[^\\u0000]*$',
          description: 'Its name.',
        },
        version: {
          type: 'string',
          minLength: 1,
          maxLength: limits.MAX_SDK_VERSION_CHARS,
          pattern: '^[^\\u0000]*$',
          description: 'Its release.',
        },
      },
      required: ['name', 'version'],
      additionalProperties: false,
      description: 'What sent the report.',
    }),
  },
  {
    additionalProperties: false,
    title: 'IssueSubmission',
    examples: [
      {
        title: 'Settings screen stays blank',
        description: '1. Open settings\n2. Nothing is drawn until the phone is turned',
        category: 'ui_ux',
        appVersion: '2.4.1',
        buildNumber: '512',
        osVersion: 'iOS 26.1',
        deviceModel: 'iPhone 17',
        platform: 'ios',
        branch: 'release/2.4',
        submissionId: '0199a8f2-6f0c-7d53-a4b1-3f1f6c1f0a11',
      },
    ],
  },
)
export type IssueSubmission = Static<typeof IssueSubmission>

/** The members of the specification's issue record. */
export const record = {
  id: Type.String({ description: 'Unique identifier.' }),
  issueNumber: Type.Integer({ description: 'Sequential number within the project, for people.' }),
  title: Type.String({ description: 'Short summary of the problem.' }),
  status: choice(ISSUE_STATUSES, { description: 'Where the issue stands.' }),
  createdAt: timestamp({ description: 'When the issue was made.' }),
}

export const exampleRecord = {
  id: EXAMPLE_ISSUE_ID,
  issueNumber: 42,
  title: 'Settings screen stays blank',
  status: 'open',
  createdAt: '2026-11-15T09:31:12.345Z',
}

/** The response to a submission, whether it became an issue or joined one. */
export const IssueRecord = answerObject(
  {
    ...record,
    reportCount: Type.Optional(
      Type.Integer({
        description:
          'How many reports the issue has, this one included. Only when the report joined an existing issue, and only for keys with `issues:read`.',
      }),
    ),
  },
  {
    title: 'IssueRecord',
    description:
      'The issue that a report became or joined. `title` echoes what was submitted. If the report joined an existing issue, `status` and `createdAt` are those of the issue for a key with `issues:read`; for any other key they describe the report alone: `open`, and when it arrived.',
    examples: [exampleRecord],
  },
)
export type IssueRecord = Static<typeof IssueRecord>
