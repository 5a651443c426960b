import type { Exception, Frame, SourceContext, SubmittedException, SubmittedFrame } from '@bugle/contract'
import { MAX_FRAME_TEXT_CHARS, MAX_STORED_EXCEPTION_CHARS } from '@bugle/contract/vocabulary'
import { clip } from './clip-text.ts'
import { isForeign, writtenFramesOf } from './stack-frames.ts'

/** The exceptions of a report as they are stored: JSON without the fields that are `null`. */
export type StoredExceptions = string

/** What is stored of the exceptions of a report. */
export function storeExceptions(
  exceptions: readonly SubmittedException[],
  maxChars = MAX_STORED_EXCEPTION_CHARS,
): StoredExceptions {
  return JSON.stringify(fitExceptions(exceptions.map(withFrames), maxChars))
}

/** The exceptions of a report as the API shows them. */
export function showExceptions(stored: StoredExceptions): readonly Exception[] {
  const exceptions = JSON.parse(stored) as readonly StoredException[]
  return exceptions.map(({ type, value = null, mechanism, frames }) => ({
    type,
    value,
    mechanism: mechanism ? { type: mechanism.type, handled: mechanism.handled ?? null } : null,
    frames: frames.map((frame) => ({ ...EMPTY_FRAME, ...frame })),
  }))
}

type StoredException = Omit<SubmittedException, 'stack' | 'frames'> & {
  readonly frames: readonly SubmittedFrame[]
}

const EMPTY_FRAME: Frame = {
  function: null,
  file: null,
  module: null,
  line: null,
  column: null,
  inApp: null,
  context: null,
}

/** The frames of the report or, without any, those that its stack describes. */
function withFrames({ type, value, mechanism, frames, stack }: SubmittedException): StoredException {
  const own = frames?.map(withoutNulls) ?? framesOfStack(stack ?? '', value ?? '')
  return { type, ...(value && { value }), ...(mechanism && { mechanism }), frames: own }
}

function framesOfStack(stack: string, message: string): readonly SubmittedFrame[] {
  return writtenFramesOf(stack, message).map(({ name, file, line, column }) => ({
    ...(name !== '' && { function: clip(name, MAX_FRAME_TEXT_CHARS) }),
    file: clip(file, MAX_FRAME_TEXT_CHARS),
    line,
    ...(column !== undefined && { column }),
    inApp: !isForeign(file),
  }))
}

function withoutNulls(frame: SubmittedFrame): SubmittedFrame {
  return Object.fromEntries(
    Object.entries(frame).filter(([, value]) => value !== null && value !== undefined),
  )
}

/**
 * Leaves out what does not fit: first the source lines of libraries, then those of the app, then the outermost frames, then the last
 * causes. Each part is measured once, so that a report with very many frames takes no longer than it must.
 */
function fitExceptions(exceptions: readonly StoredException[], maxChars: number): readonly StoredException[] {
  let room = maxChars - '[]'.length
  const fits = (part: unknown) => {
    const chars = JSON.stringify(part).length + OVERHEAD_CHARS
    if (chars > room) return false
    room -= chars
    return true
  }
  const heads = takeWhile(exceptions, ({ frames: _, ...head }) => fits(head))
  const contexts = new Map<SubmittedFrame, SourceContext | null>()
  const kept = heads.map(({ frames, ...head }) => {
    const bare = frames.map(({ context = null, ...frame }) => {
      contexts.set(frame, context)
      return frame
    })
    return { ...head, frames: takeWhile(bare, fits) }
  })
  const all = kept.flatMap(({ frames }) => frames)
  const shown = new Set<SubmittedFrame>()
  for (const frame of [...all.filter(({ inApp }) => inApp), ...all.filter(({ inApp }) => !inApp)]) {
    const context = contexts.get(frame)
    if (context && fits(context)) shown.add(frame)
  }
  return kept.map(({ frames, ...head }) => ({
    ...head,
    frames: frames.map((frame) =>
      shown.has(frame) ? { ...frame, context: contexts.get(frame) ?? null } : frame,
    ),
  }))
}

/** The names and separators around a part. */
const OVERHEAD_CHARS = 16

function takeWhile<T>(list: readonly T[], isTaken: (entry: T) => boolean): readonly T[] {
  const end = list.findIndex((entry) => !isTaken(entry))
  return end === -1 ? list : list.slice(0, end)
}
