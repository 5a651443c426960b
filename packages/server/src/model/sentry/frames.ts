import type { SourceContext } from '@bugle/contract'
import {
  MAX_FRAME_TEXT_CHARS,
  MAX_FRAMES,
  MAX_SOURCE_LINE_CHARS,
  MAX_SOURCE_LINES,
} from '@bugle/contract/vocabulary'
import { clip } from '../crashes/clip-text.ts'
import type { CrashFrame } from '../crashes/frame-fingerprint.ts'
import { type Fields, fieldsOf, listOf, textOf, within } from './values.ts'

/**
 * The frames of a stack trace, the innermost first. Sentry sends them in the opposite order ("Stack Trace Interface" in
 * its developer documentation: "oldest first").
 */
export function framesOf(stacktrace: unknown): readonly CrashFrame[] {
  return listOf(fieldsOf(stacktrace)?.['frames']).slice(-MAX_FRAMES).reverse().map(toFrame)
}

function toFrame(frame: Fields): CrashFrame {
  const module = textOf(frame['module'], MAX_FRAME_TEXT_CHARS)
  const image = imageOf(frame)
  const { in_app: inApp } = frame
  return {
    function: textOf(frame['function'], MAX_FRAME_TEXT_CHARS) ?? null,
    file:
      textOf(frame['filename'], MAX_FRAME_TEXT_CHARS) ??
      textOf(frame['abs_path'], MAX_FRAME_TEXT_CHARS) ??
      null,
    module: module ?? null,
    line: placeOf(frame['lineno']),
    column: placeOf(frame['colno']),
    inApp: typeof inApp === 'boolean' ? inApp : null,
    context: contextOf(frame),
    image,
  }
}

/** The line or column of a call. */
function placeOf(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31 ? Number(value) : null
}

/** The source lines, which SDKs of interpreted languages send ("Stack Trace Interface", attributes `context_line` and others). */
function contextOf(frame: Fields): SourceContext | null {
  const { context_line: line } = frame
  if (typeof line !== 'string') return null
  return {
    before: linesOf(frame['pre_context']).slice(-MAX_SOURCE_LINES).map(toSourceLine),
    line: toSourceLine(line),
    after: linesOf(frame['post_context']).slice(0, MAX_SOURCE_LINES).map(toSourceLine),
  }
}

function linesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((line) => (typeof line === 'string' ? line : '')) : []
}

function toSourceLine(line: string): string {
  return clip(line, MAX_SOURCE_LINE_CHARS).trimEnd()
}

/** An address alone differs at each start of the app; its offset in the image does not. */
function imageOf(frame: Fields): CrashFrame['image'] {
  const name = textOf(frame['package'], MAX_FRAME_TEXT_CHARS)?.split(/[\\/]/).pop()
  const address = addressOf(frame['instruction_addr'])
  const start = addressOf(frame['image_addr'])
  if (!name) return undefined
  const isKnown = address !== undefined && start !== undefined && address >= start
  return { name, offset: isKnown ? `0x${(address - start).toString(16)}` : undefined }
}

function addressOf(value: unknown): bigint | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  return typeof value === 'string' && /^0x[\da-f]{1,16}$/i.test(value) ? BigInt(value) : undefined
}

/** The frame as reports contain it: a call in machine code is shown by its place in the image. */
export function toSubmittedFrame({ image, ...frame }: CrashFrame) {
  const isPlaced = frame.file !== null || frame.module !== null || image === undefined
  return isPlaced ? frame : { ...frame, file: clip(imageText(image), MAX_FRAME_TEXT_CHARS) }
}

function imageText({ name, offset }: NonNullable<CrashFrame['image']>): string {
  return offset === undefined ? name : `${name}+${offset}`
}

/** The stack trace of the thread that crashed, for SDKs that do not repeat it in the exception. */
export function crashedThreadOf(event: Fields): unknown {
  const threads = listOf(event['threads'])
  const thread =
    threads.find(({ crashed }) => crashed === true) ?? threads.find(({ current }) => current === true)
  return within(thread, 'stacktrace')
}
