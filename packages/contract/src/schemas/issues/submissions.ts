import { type Static, Type } from 'typebox'
import {
  CATEGORIES,
  DEFAULT_CATEGORY,
  DEFAULT_PRIORITY,
  ISSUE_STATUSES,
  PRIORITIES,
} from '../../vocabulary/issues.ts'
import * as limits from '../../vocabulary/limits.ts'
import {
  answerObject,
  choice,
  optional,
  optionalChoice,
  optionalText,
  requiredText,
  timestamp,
} from '../members.ts'
import { type DeclaredAttachment, declaredAttachments, UPLOAD_SUBMISSION_ID_PATTERN } from './attachments.ts'
import { submittedExceptions } from './exceptions.ts'
import { exampleTexts, submittedTexts, submittedValues } from './report-values.ts'

export const EXAMPLE_ISSUE_ID = 'iss_01m8z3v9q8e1r8m6n0p4s2t7wx'

/** Visible ASCII, so that it can also be a header value. */
export const SUBMISSION_ID_PATTERN = '^[\\u0021-\\u007e]+$'

/** Bare, or a quoted string as in RFC 8941. */
export const IDEMPOTENCY_KEY_PATTERN = `^(?:[!-~]{1,${limits.MAX_SUBMISSION_ID_CHARS}}|"(?:[!#-\\[\\]-~]|\\\\["\\\\]){1,${limits.MAX_SUBMISSION_ID_CHARS}}")$`

/** The header that identifies a submission. */
export const IdempotencyKey = Type.String({
  pattern: IDEMPOTENCY_KEY_PATTERN,
  description: `Identifies the submission, like the field \`submissionId\`: 1 to ${limits.MAX_SUBMISSION_ID_CHARS} visible ASCII characters, bare or quoted.`,
})

/** What a client sends to report a problem. Only `title` is required; a field that is `null` counts as absent. */
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
      description: 'How urgent it is to the reporter.',
      absent: DEFAULT_PRIORITY,
    }),
    ...submittedTexts,
    submissionId: optional<string>({
      type: ['string', 'null'],
      minLength: 1,
      maxLength: limits.MAX_SUBMISSION_ID_CHARS,
      pattern: SUBMISSION_ID_PATTERN,
      description:
        'Created by the client. The same id with the same content is stored once and gets the same response each time. The header `Idempotency-Key` does the same.',
    }),
    ...submittedValues,
    knownIssueId: optional<string>({
      type: ['string', 'null'],
      maxLength: limits.MAX_ID_CHARS,
      pattern: '^[^\\u0000]*$',
      description:
        'The `id` of a known issue, as found with `POST /v1/known-issues/search`: the report is counted on that issue, whatever its fingerprint. Ignored if the issue is not published in this project, and for category `security`. It is never shown.',
    }),
    exception: submittedExceptions,
    attachments: declaredAttachments,
  },
  {
    additionalProperties: false,
    title: 'IssueSubmission',
    examples: [
      {
        title: 'Settings screen stays blank',
        description: '1. Open settings\n2. Nothing is drawn until the phone is turned',
        category: 'ui_ux',
        ...exampleTexts,
        submissionId: '0199a8f2-6f0c-7d53-a4b1-3f1f6c1f0a11',
      },
    ],
  },
)
export type IssueSubmission = Static<typeof IssueSubmission>

/** What a person of the team sends to create an issue. */
export const IssueCreation = Type.Object(
  {
    submissionId: Type.String({
      pattern: UPLOAD_SUBMISSION_ID_PATTERN,
      description:
        'Created by the client, 1 to 128 letters, digits, `_` and `-`. The same id with the same content is stored once and gets the same response each time.',
    }),
    title: IssueSubmission.properties.title,
    description: IssueSubmission.properties.description,
    category: IssueSubmission.properties.category,
    priority: IssueSubmission.properties.priority,
    attachments: optional<readonly DeclaredAttachment[]>({
      ...IssueSubmission.properties.attachments,
      description:
        'Files that follow, each uploaded with `PUT /v1/projects/{idOrSlug}/submissions/{submissionId}/attachments/{sha256}`.',
    }),
  },
  {
    additionalProperties: false,
    title: 'IssueCreation',
    examples: [
      {
        submissionId: '0199a8f2-6f0c-7d53-a4b1-3f1f6c1f0a12',
        title: 'The printer on the second floor prints blank pages',
        category: 'bug',
      },
    ],
  },
)
export type IssueCreation = Static<typeof IssueCreation>

/** The fields of the specification's issue record. */
export const record = {
  id: Type.String({ description: 'Unique identifier.' }),
  issueNumber: Type.Integer({ description: 'Sequential number within the project, for people.' }),
  title: Type.String({ description: 'Short summary of the problem.' }),
  status: choice(ISSUE_STATUSES, { description: 'The status of the issue.' }),
  createdAt: timestamp({ description: 'When the issue was created.' }),
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
          'The number of reports of the issue, including this one. Only when the report joined an existing issue, and only for keys with `issues:read`.',
      }),
    ),
  },
  {
    title: 'IssueRecord',
    description:
      'The issue that a report became or joined. `title` is the submitted one. If the report joined an existing issue, `status` and `createdAt` are those of the issue for a key with `issues:read`; for any other key they describe only the report: `open`, and the time it arrived.',
    examples: [exampleRecord],
  },
)
export type IssueRecord = Static<typeof IssueRecord>
