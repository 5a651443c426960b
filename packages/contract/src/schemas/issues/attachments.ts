import { type Static, Type } from 'typebox'
import { OMISSION_REASONS } from '../../vocabulary/issues.ts'
import * as limits from '../../vocabulary/limits.ts'
import { answerObject, choice, nullable, optional } from '../members.ts'
import { pageOf } from '../pagination.ts'
import { ProjectParams } from '../projects/projects.ts'

/** A report with attachments needs a submission id that fits into a path without escapes. */
export const UPLOAD_SUBMISSION_ID_PATTERN = '^[A-Za-z0-9_-]{1,128}$'
const SHA256_PATTERN = '^[0-9a-f]{64}$'

export interface DeclaredAttachment {
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly sha256: string
}

const declaredAttachment = {
  type: 'object',
  title: 'DeclaredAttachment',
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: limits.MAX_ATTACHMENT_NAME_CHARS,
      pattern: '^[^\\u0000]*$',
      description:
        'The name of the file. Folders, control characters and characters that change the direction of text are removed.',
    },
    contentType: {
      type: 'string',
      minLength: 1,
      maxLength: limits.MAX_CONTENT_TYPE_CHARS,
      pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
      description: 'The media type, without parameters. How a file is served depends on its bytes instead.',
    },
    size: {
      type: 'integer',
      minimum: 0,
      maximum: limits.MAX_DECLARED_BYTES,
      description: 'The size in bytes.',
    },
    sha256: {
      type: 'string',
      pattern: SHA256_PATTERN,
      description: 'The SHA-256 digest of the bytes, in lower-case hexadecimal.',
    },
  },
  required: ['name', 'contentType', 'size', 'sha256'],
  additionalProperties: false,
  description: 'A file that belongs to a report or a comment. Its bytes are uploaded afterwards.',
}

/** The files that follow a comment. */
export const commentAttachments = optional<readonly DeclaredAttachment[]>({
  type: ['array', 'null'],
  maxItems: limits.MAX_ATTACHMENTS,
  items: declaredAttachment,
  description:
    'Files that follow, each uploaded with `PUT /v1/issues/{id}/comments/{commentId}/attachments/{sha256}`. In a change, the list replaces the one before: files that are not in it are removed, and those that are need not be uploaded again.',
})

/** The files that follow a report. */
export const declaredAttachments = optional<readonly DeclaredAttachment[]>({
  type: ['array', 'null'],
  minItems: 1,
  maxItems: limits.MAX_ATTACHMENTS,
  items: declaredAttachment,
  description:
    'Files that follow, each uploaded with `PUT /v1/submissions/{submissionId}/attachments/{sha256}`. Requires a `submissionId` of letters, digits, `_` and `-`.',
})

export const ATTACHMENT_STATES = ['received', 'pending', 'omitted', 'damaged'] as const
export type AttachmentState = (typeof ATTACHMENT_STATES)[number]

const OMITTED_REASONS = ['newer-reports', ...OMISSION_REASONS] as const
export type OmittedReason = (typeof OMITTED_REASONS)[number]

export const EXAMPLE_ATTACHMENT = {
  id: 'att_01m8z3v9q8e1r8m6n0p4s2t7wx',
  issueId: 'iss_01m8z3v9q8e1r8m6n0p4s2t7wx',
  reportNumber: 1,
  name: 'screenshot.png',
  contentType: 'image/png',
  declaredType: 'image/png',
  size: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  state: 'received',
  omittedReason: null,
  isInline: true,
  receivedAt: '2026-11-15T09:31:14.002Z',
}

const about = {
  name: Type.String({
    description:
      'The name of the file, as declared and made safe to save. The extension of a file with `isInline` is that of its `contentType`.',
  }),
  contentType: nullable<string>('string', {
    description: 'The media type that the bytes have; `null` if it is not known, or nothing was received.',
  }),
  declaredType: Type.String({ description: 'The media type that the sender declared. Do not rely on it.' }),
  size: Type.Integer({ description: 'The size in bytes.' }),
  sha256: Type.String({ description: 'The SHA-256 digest, in hexadecimal.' }),
}
const DAMAGED =
  '`damaged`: the stored bytes are no longer those that were received. Restore the store from a backup, or upload the file again.'
const shown = {
  isInline: Type.Boolean({
    description: 'Whether a browser may show it. All other files are served as downloads.',
  }),
  receivedAt: nullable<string>('string', {
    format: 'date-time',
    description: 'When the bytes were received.',
  }),
}

/** A file of a comment. */
export const CommentAttachment = answerObject(
  {
    id: Type.String({ description: 'Unique identifier, as in `GET /v1/attachments/{id}`.' }),
    ...about,
    state: choice(['received', 'pending', 'damaged'], {
      description: `\`pending\`: declared, but not received yet. ${DAMAGED}`,
    }),
    ...shown,
  },
  { title: 'CommentAttachment' },
)
export type CommentAttachment = Static<typeof CommentAttachment>

/** A file of a report. */
export const Attachment = answerObject(
  {
    id: Type.String({ description: 'Unique identifier.' }),
    issueId: Type.String({ description: 'The issue that the report belongs to.' }),
    reportNumber: Type.Integer({ description: 'The report within the issue.' }),
    ...about,
    state: choice(ATTACHMENT_STATES, {
      description: `\`pending\`: declared, but not received yet. \`omitted\`: not kept. ${DAMAGED}`,
    }),
    omittedReason: Type.Unsafe<OmittedReason | null>({
      type: ['string', 'null'],
      enum: [...OMITTED_REASONS, null],
      description: `\`newer-reports\`: files are kept only for the first ${limits.FIRST_REPORTS_WITH_FILES} and the latest ${limits.LATEST_REPORTS_WITH_FILES} reports of an issue. The other values: why the file of a Sentry SDK was not taken.`,
    }),
    ...shown,
  },
  { title: 'Attachment', examples: [EXAMPLE_ATTACHMENT] },
)
export type Attachment = Static<typeof Attachment>

export const AttachmentPage = pageOf(Attachment, {
  title: 'AttachmentPage',
  description: "The files of an issue's reports, those of the newest report first.",
})
export type AttachmentPage = Static<typeof AttachmentPage>

/** The response to an upload. */
export const AttachmentReceipt = answerObject(
  {
    id: Type.String({ description: 'The id of the attachment.' }),
    size: Type.Integer({ description: 'The number of bytes.' }),
    sha256: Type.String({ description: 'Their SHA-256 digest.' }),
    omitted: Type.Boolean({
      description: 'Whether the file was not stored, because newer reports of the issue have replaced it.',
    }),
  },
  {
    title: 'AttachmentReceipt',
    examples: [
      { id: EXAMPLE_ATTACHMENT.id, size: 48_213, sha256: EXAMPLE_ATTACHMENT.sha256, omitted: false },
    ],
  },
)
export type AttachmentReceipt = Static<typeof AttachmentReceipt>

export const UploadParams = Type.Object({
  submissionId: Type.String({ description: 'The `submissionId` of the report.' }),
  sha256: Type.String({ description: 'The digest that the report declared.' }),
})

export const ProjectUploadParams = Type.Object({
  ...ProjectParams.properties,
  submissionId: Type.String({ description: 'The `submissionId` of the issue.' }),
  sha256: Type.String({ description: 'The digest that was declared.' }),
})

export const AttachmentParams = Type.Object({
  id: Type.String({ description: "The attachment's id." }),
})

/** Files in the statistics of a project. */
export const AttachmentCounts = answerObject(
  {
    received: Type.Integer({ description: 'Files that were received.' }),
    pending: Type.Integer({ description: 'Files that were declared but not received yet.' }),
  },
  { title: 'AttachmentCounts', examples: [{ received: 40, pending: 2 }] },
)
export type AttachmentCounts = Static<typeof AttachmentCounts>
