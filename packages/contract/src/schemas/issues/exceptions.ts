import { Type } from 'typebox'
import * as limits from '../../vocabulary/limits.ts'
import { optional } from '../members.ts'

/** A call in a stack trace. */
export interface SubmittedFrame {
  readonly function?: string | null
  readonly file?: string | null
  readonly module?: string | null
  readonly line?: number | null
  readonly column?: number | null
  readonly inApp?: boolean | null
  readonly context?: SourceContext | null
}

/** The source lines around the line of a frame. */
export interface SourceContext {
  readonly before: readonly string[]
  readonly line: string
  readonly after: readonly string[]
}

export interface Mechanism {
  readonly type: string
  readonly handled: boolean | null
}

export interface SubmittedException {
  readonly type: string
  readonly value?: string
  readonly stack?: string
  readonly mechanism?: { readonly type: string; readonly handled?: boolean | null } | null
  readonly frames?: readonly SubmittedFrame[] | null
}

const NO_NUL = '^[^\\u0000]*$'

function exceptionText(description: string) {
  return { type: 'string', maxLength: limits.MAX_EXCEPTION_TEXT_CHARS, pattern: NO_NUL, description }
}

function frameText(description: string) {
  return {
    type: ['string', 'null'],
    maxLength: limits.MAX_FRAME_TEXT_CHARS,
    pattern: NO_NUL,
    description,
  }
}

function place(description: string) {
  return { type: ['integer', 'null'], minimum: 0, maximum: 2 ** 31 - 1, description }
}

const sourceLine = { type: 'string', maxLength: limits.MAX_SOURCE_LINE_CHARS, pattern: NO_NUL }

function sourceLines(description: string) {
  return {
    type: 'array',
    maxItems: limits.MAX_SOURCE_LINES,
    items: { ...sourceLine, description: 'A source line.' },
    description,
  }
}

const CONTEXT_LINES = {
  before: sourceLines('The lines before it, in the order of the file.'),
  line: { ...sourceLine, description: 'The line of the call.' },
  after: sourceLines('The lines after it.'),
}

const FRAME_TEXTS = {
  function: 'The function that was called.',
  file: 'Its file, as a path or an address.',
  module: 'Its module, package or class.',
  line: 'The line in the file, starting at 1.',
  column: 'The column in the line.',
  inApp: "Whether it is the app's own code, not that of a library.",
  context: 'The source lines around it.',
}

const submittedFrames = {
  type: ['array', 'null'],
  maxItems: limits.MAX_FRAMES,
  items: {
    type: 'object',
    title: 'SubmittedFrame',
    properties: {
      function: frameText(FRAME_TEXTS.function),
      file: frameText(FRAME_TEXTS.file),
      module: frameText(FRAME_TEXTS.module),
      line: place(FRAME_TEXTS.line),
      column: place(FRAME_TEXTS.column),
      inApp: { type: ['boolean', 'null'], description: FRAME_TEXTS.inApp },
      context: {
        type: ['object', 'null'],
        title: 'SubmittedSourceContext',
        properties: CONTEXT_LINES,
        required: ['before', 'line', 'after'],
        additionalProperties: false,
        description: FRAME_TEXTS.context,
      },
    },
    additionalProperties: false,
    description: 'A call.',
  },
  description:
    'Its stack trace, the innermost call first. Without it, the server reads `stack`, if a JavaScript engine wrote it.',
}

/** What was thrown. Crashes are grouped by it. */
export const submittedExceptions = optional<readonly SubmittedException[]>({
  type: ['array', 'null'],
  minItems: 1,
  maxItems: limits.MAX_EXCEPTIONS,
  items: {
    type: 'object',
    title: 'SubmittedException',
    properties: {
      type: {
        minLength: 1,
        ...exceptionText('Its type, such as `TypeError`.'),
      },
      value: exceptionText('Its message.'),
      stack: exceptionText('Its stack trace, as the runtime wrote it.'),
      mechanism: {
        type: ['object', 'null'],
        title: 'SubmittedMechanism',
        properties: {
          type: {
            type: 'string',
            minLength: 1,
            maxLength: limits.MAX_MECHANISM_CHARS,
            pattern: NO_NUL,
            description: 'What caught it, such as `onerror`.',
          },
          handled: { type: ['boolean', 'null'], description: 'Whether the app caught it.' },
        },
        required: ['type'],
        additionalProperties: false,
        description: 'How it was caught.',
      },
      frames: submittedFrames,
    },
    required: ['type'],
    additionalProperties: false,
    description: 'An error that was thrown.',
  },
  description:
    'What was thrown, followed by its causes. A report without a `fingerprint` is grouped by the first one: its type, its message without values, and the top frames of its stack. The stack traces as text become the description or, if there is one, are appended to it.',
})

/** What was thrown, as a report shows it. */
export interface Exception {
  readonly type: string
  readonly value: string | null
  readonly mechanism: Mechanism | null
  readonly frames: readonly Frame[]
}

export interface Frame {
  readonly function: string | null
  readonly file: string | null
  readonly module: string | null
  readonly line: number | null
  readonly column: number | null
  readonly inApp: boolean | null
  readonly context: SourceContext | null
}

const text = (description: string) => ({ type: 'string', description })
const textOrNull = (description: string) => ({ type: ['string', 'null'], description })
const lines = (description: string) => ({ type: 'array', items: text('A source line.'), description })

const frame = {
  type: 'object',
  title: 'Frame',
  properties: {
    function: textOrNull(FRAME_TEXTS.function),
    file: textOrNull(FRAME_TEXTS.file),
    module: textOrNull(FRAME_TEXTS.module),
    line: { type: ['integer', 'null'], description: FRAME_TEXTS.line },
    column: { type: ['integer', 'null'], description: FRAME_TEXTS.column },
    inApp: {
      type: ['boolean', 'null'],
      description: "Whether it is the app's own code, not that of a library; `null` if unknown.",
    },
    context: {
      type: ['object', 'null'],
      title: 'SourceContext',
      properties: {
        before: lines(CONTEXT_LINES.before.description),
        line: text(CONTEXT_LINES.line.description),
        after: lines(CONTEXT_LINES.after.description),
      },
      required: ['before', 'line', 'after'],
      additionalProperties: false,
      description: FRAME_TEXTS.context,
    },
  },
  required: ['function', 'file', 'module', 'line', 'column', 'inApp', 'context'],
  additionalProperties: false,
  description: 'A call.',
}

export const shownExceptions = Type.Unsafe<readonly Exception[] | null>({
  type: ['array', 'null'],
  items: {
    type: 'object',
    title: 'Exception',
    properties: {
      type: text('Its type, such as `TypeError`.'),
      value: textOrNull('Its message.'),
      mechanism: {
        type: ['object', 'null'],
        title: 'Mechanism',
        properties: {
          type: text('What caught it, such as `onerror`.'),
          handled: {
            type: ['boolean', 'null'],
            description: 'Whether the app caught it; `null` if unknown.',
          },
        },
        required: ['type', 'handled'],
        additionalProperties: false,
        description: 'How it was caught.',
      },
      frames: { type: 'array', items: frame, description: 'Its stack trace, the innermost call first.' },
    },
    required: ['type', 'value', 'mechanism', 'frames'],
    additionalProperties: false,
    description: 'An error that was thrown.',
  },
  description:
    'What was thrown, followed by its causes. `null` if the report has no exception, and whenever its text is missing. Reports with the same `textNumber` have the same exception.',
})
