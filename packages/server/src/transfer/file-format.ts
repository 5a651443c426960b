import { type Static, Type } from 'typebox'
import { LINE_KINDS, type LineKind } from '../model/transfer/lines.ts'
import { VERSION } from '../version.ts'

/**
 * An export is NDJSON: a header, a line for each thing that is stored, and a trailer with how many there are of each
 * kind and a SHA-256 of all lines before it. It says neither when nor from which database it was made: of the same
 * things it is the same file.
 */
const FORMAT = 'bugle-export'

/** Rises when a release can no longer read what an older one writes, or the other way round. */
export const FORMAT_VERSION = 2

/** The end of every line. */
export const NEWLINE = '\n'

export type Counts = Readonly<Record<LineKind, number>>

/** What a file holds, and by what it is known. */
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

export function headerLine(): string {
  const header: Header = { record: 'header', format: FORMAT, version: FORMAT_VERSION, release: VERSION }
  return JSON.stringify(header) + NEWLINE
}

export function trailerLine({ counts, sha256 }: FileSummary): string {
  const trailer: Trailer = { record: 'trailer', counts, sha256 }
  return JSON.stringify(trailer) + NEWLINE
}

/** Counts that are all zero, in the order of the file. */
export function noCounts(): Record<LineKind, number> {
  return Object.fromEntries(LINE_KINDS.map((kind) => [kind, 0])) as Record<LineKind, number>
}
