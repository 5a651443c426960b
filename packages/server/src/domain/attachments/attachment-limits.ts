import { MAX_ATTACHMENTS } from '@bugle/contract/vocabulary'

const MIB = 1024 * 1024
const GIB = 1024 * MIB

/** How much a report, a project and a client may store. A setting changes each of them. */
export const DEFAULT_ATTACHMENT_LIMITS = {
  /** Files that one report may declare. */
  count: MAX_ATTACHMENTS,
  /** Bytes of one file. */
  file: 10 * MIB,
  /** Bytes of all files of one report. */
  report: 25 * MIB,
  /** Bytes of all files of one project. */
  project: 10 * GIB,
  /** Bytes that one key may upload from one address in an hour. */
  hour: 500 * MIB,
  /** Uploads in progress, on this server. */
  uploads: 128,
} as const

export type AttachmentLimits = Readonly<Record<keyof typeof DEFAULT_ATTACHMENT_LIMITS, number>>

/** Uploads are refused while less than this is free on the disk of the store, or a tenth of it if that is less. */
const RESERVED_BYTES = GIB
const RESERVED_SHARE = 0.1

/** The space that is reserved for the database. */
export function reserveOf(totalBytes: number): number {
  return Math.min(RESERVED_BYTES, totalBytes * RESERVED_SHARE)
}
