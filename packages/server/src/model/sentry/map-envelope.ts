import type { DeclaredAttachment, IssueSubmission } from '@bugle/contract'
import {
  ATTACHMENT,
  type EnvelopeHeader,
  type EnvelopeItem,
  type FileSink,
  MALFORMED,
  type PassedFile,
  type Payload,
} from './envelope-reader.ts'
import { submissionOfEvent, submissionOfFeedback, submissionOfUserReport } from './map-event.ts'
import { type Fields, fieldsOf } from './values.ts'

/** What an envelope becomes. */
export interface MappedEnvelope {
  readonly reports: readonly MappedReport[]
  /** Why items were not kept, once for each item. */
  readonly skipped: readonly SkipReason[]
  /** The id of the event, as the SDK knows it. */
  readonly eventId: string | null
}

export interface MappedReport {
  readonly submission: IssueSubmission
  /** `null`: it cannot be recognised if it is sent again. */
  readonly submissionId: string | null
  readonly files: readonly File[]
}

export interface File {
  readonly declared: DeclaredAttachment
  /** Where its bytes went. */
  readonly sink: FileSink
}

/** The item types that are counted by name when they are skipped. Senders can make up others. */
const SKIPPED_TYPES = {
  transaction: 'transaction',
  span: 'span',
  session: 'session',
  sessions: 'session',
  replay_event: 'replay',
  replay_recording: 'replay',
  replay_video: 'replay',
  profile: 'profile',
  profile_chunk: 'profile',
  log: 'log',
  check_in: 'check-in',
  statsd: 'metric',
  metric_buckets: 'metric',
  trace_metric: 'metric',
  client_report: 'client-report',
  attachment: 'attachment',
  event: 'event',
  feedback: 'feedback',
  user_report: 'user-report',
  [MALFORMED]: 'malformed',
} as const

export type SkipReason = (typeof SKIPPED_TYPES)[keyof typeof SKIPPED_TYPES] | 'other'

/** Item types that are read; of each but attachments, an envelope has at most one ("Envelope Items"). */
export const READ_TYPES = ['event', 'feedback', 'user_report'] as const

/**
 * The reports of an envelope. `parse` reads a payload as JSON, and returns `undefined` if it is malformed. Files belong to the event,
 * or else to the feedback.
 */
export function mapEnvelope(
  { header, items }: { readonly header: EnvelopeHeader; readonly items: readonly EnvelopeItem[] },
  parse: (payload: Payload) => unknown,
): MappedEnvelope {
  const skipped: SkipReason[] = []
  const found: Partial<Record<(typeof READ_TYPES)[number], Fields>> = {}
  for (const item of items.filter(({ type }) => type !== ATTACHMENT)) {
    const type = READ_TYPES.find((known) => known === item.type)
    const fields = type && !found[type] && isWhole(item) ? fieldsOf(parse(item.payload)) : undefined
    if (type === undefined || fields === undefined) skipped.push(reasonOf(item))
    else found[type] = fields
  }
  const files = items.flatMap(({ file }) => (file === null ? [] : [toFile(file)]))
  const eventId =
    idOf(header.eventId) ?? idOf(found.event?.['event_id']) ?? idOf(found.feedback?.['event_id'])
  const event = found.event && { submission: submissionOfEvent(found.event), submissionId: eventId }
  const feedback =
    found.feedback && toReport(submissionOfFeedback(found.feedback), feedbackId(found, eventId))
  const userReport =
    found.user_report &&
    toReport(submissionOfUserReport(found.user_report), userReportId(found.user_report, header))
  if (found.feedback && !feedback) skipped.push('feedback')
  if (found.user_report && !userReport) skipped.push('user-report')
  const owner = event ?? feedback
  const others = [event, feedback, userReport].flatMap((report) => report ?? [])
  // Without an id, no file could be uploaded for the report.
  const kept = owner?.submissionId ? files : []
  const attachments = items.filter(({ type }) => type === ATTACHMENT).length
  for (let count = kept.length; count < attachments; count++) skipped.push('attachment')
  return {
    reports: others.map((report) => (report === owner ? withFiles(report, kept) : { ...report, files: [] })),
    skipped,
    eventId,
  }
}

type WholeItem = EnvelopeItem & { readonly payload: Payload }

function isWhole(item: EnvelopeItem): item is WholeItem {
  return item.payload !== null && !item.isMalformed
}

function reasonOf({ type }: EnvelopeItem): SkipReason {
  const known: Readonly<Record<string, SkipReason>> = SKIPPED_TYPES
  return Object.hasOwn(known, type) ? (known[type] ?? 'other') : 'other'
}

function toReport(submission: IssueSubmission | undefined, submissionId: string | null) {
  return submission && { submission, submissionId }
}

/** The header names the event of the envelope, which is the feedback if there is no other. */
function feedbackId(
  found: { readonly event?: Fields; readonly feedback?: Fields },
  eventId: string | null,
): string | null {
  return found.event ? idOf(found.feedback?.['event_id']) : eventId
}

/** A user report has the id of its crash, so that it needs another one as a submission. */
function userReportId(report: Fields, header: EnvelopeHeader): string | null {
  const id = idOf(report['event_id']) ?? idOf(header.eventId)
  return id === null ? null : `${id}-user-report`
}

/** A UUID, with or without hyphens ("Event Payloads", attribute `event_id`). */
function idOf(value: unknown): string | null {
  const id = typeof value === 'string' && value.length <= 36 ? value.replaceAll('-', '').toLowerCase() : ''
  return /^[0-9a-f]{32}$/.test(id) ? id : null
}

function withFiles(report: Omit<MappedReport, 'files'>, files: readonly File[]): MappedReport {
  if (files.length === 0) return { ...report, files }
  return {
    ...report,
    submission: { ...report.submission, attachments: files.map(({ declared }) => declared) },
    files,
  }
}

const CONTENT_TYPE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

function toFile({ sink, name, contentType, size, sha256 }: PassedFile): File {
  const type = contentType?.split(';', 1)[0]?.trim() ?? ''
  const declared = {
    name: name ?? 'attachment',
    contentType: CONTENT_TYPE.test(type) ? type : 'application/octet-stream',
    size,
    sha256,
  }
  return { declared, sink }
}
