import {
  MAX_EXCEPTION_TEXT_CHARS,
  MAX_EXCEPTIONS,
  MAX_FRAME_TEXT_CHARS,
  MAX_FRAMES,
  MAX_MECHANISM_CHARS,
  MAX_SOURCE_LINE_CHARS,
  MAX_SOURCE_LINES,
} from '@bugle/contract/vocabulary'
import { type TSchema, Type } from 'typebox'
import { count, object, orNull, text } from './values.ts'

/** A field that is absent if it is empty. */
function maybe<T extends TSchema>(schema: T) {
  return Type.Optional(orNull(schema))
}

const sourceLine = text(MAX_SOURCE_LINE_CHARS)
const sourceLines = Type.Array(sourceLine, { maxItems: MAX_SOURCE_LINES })
const frame = object({
  function: maybe(text(MAX_FRAME_TEXT_CHARS)),
  file: maybe(text(MAX_FRAME_TEXT_CHARS)),
  module: maybe(text(MAX_FRAME_TEXT_CHARS)),
  line: maybe(count),
  column: maybe(count),
  inApp: maybe(Type.Boolean()),
  context: maybe(object({ before: sourceLines, line: sourceLine, after: sourceLines })),
})

/** What was thrown, as it is stored. */
export const exceptions = Type.Array(
  object({
    type: text(MAX_EXCEPTION_TEXT_CHARS),
    value: maybe(text(MAX_EXCEPTION_TEXT_CHARS)),
    mechanism: maybe(object({ type: text(MAX_MECHANISM_CHARS), handled: maybe(Type.Boolean()) })),
    frames: Type.Array(frame, { maxItems: MAX_FRAMES }),
  }),
  { maxItems: MAX_EXCEPTIONS },
)
