import { type Static, Type } from 'typebox'
import { LINE_KINDS } from '../model/transfer/lines.ts'
import { VERSION } from '../version.ts'

/**
 * An export is NDJSON: a header, a line for each stored record, and a trailer with the number of lines of
 * each kind and a SHA-256 of all lines before it. It contains neither a date nor the kind of database: the
 * same data always gives the same file.
 */
const FORMAT = 'bugle-export'

/** Increases when a release can no longer read files of an older one, or the other way round. */
export const FORMAT_VERSION = 2

/** The end of every line. */
export const NEWLINE = '\n'

/** The bytes in one line of the kind `bytes`; the last one of a file may have fewer. A multiple of 3, for base64 without padding. */
export const PIECE_BYTES = 192 * 1024

/**
 * After the line of a file come its bytes, in lines of their own. If the store did not have them all, `fileLost`
 * comes in place of the rest, and the file is to be ignored.
 */
export const BYTES_KINDS = ['bytes', 'fileLost'] as const

const ALL_KINDS = [...LINE_KINDS, ...BYTES_KINDS] as const
/** Every kind of line between header and trailer. */
export const FILE_KINDS: readonly FileKind[] = ALL_KINDS
export type FileKind = (typeof ALL_KINDS)[number]

export type Counts = Readonly<Record<FileKind, number>>

/** The contents of a file, and its checksum. */
export interface FileSummary {
  readonly counts: Counts
  readonly sha256: string
}

export const Header = Type.Object({
  record: Type.Literal('header'),
  format: Type.Literal(FORMAT),
  version: Type.Integer({ minimum: 1 }),
  release: Type.String({ maxLength: 100 }),
})
export type Header = Static<typeof Header>

export const Trailer = Type.Object(
  {
    record: Type.Literal('trailer'),
    counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { additionalProperties: false },
)
export type Trailer = Static<typeof Trailer>

/** In base64, which is not checked by itself: what it decodes to must have the digest of the file. */
export const BytesLine = Type.Object(
  { record: Type.Literal('bytes'), data: Type.String() },
  { additionalProperties: false },
)
export type BytesLine = Static<typeof BytesLine>

export const LostLine = Type.Object({ record: Type.Literal('fileLost') }, { additionalProperties: false })
export type LostLine = Static<typeof LostLine>

export function headerLine(): string {
  const header: Header = { record: 'header', format: FORMAT, version: FORMAT_VERSION, release: VERSION }
  return JSON.stringify(header) + NEWLINE
}

export function trailerLine({ counts, sha256 }: FileSummary): string {
  const trailer: Trailer = { record: 'trailer', counts, sha256 }
  return JSON.stringify(trailer) + NEWLINE
}

/** Counts that are all zero, in the order of the file. */
export function noCounts(): Record<FileKind, number> {
  return Object.fromEntries(FILE_KINDS.map((kind) => [kind, 0])) as Record<FileKind, number>
}
