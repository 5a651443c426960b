import type { Exception, Frame } from '@bugle/contract'
import { writeFrame } from '../../model/crashes/write-stack.ts'
import type { Colours } from '../terminal/colours.ts'
import { printable } from '../terminal/printable.ts'

/** What was thrown and its causes, with the source line of each call in the app's own code. Calls in libraries are faint. */
export function exceptionLines(exceptions: readonly Exception[], colours: Colours): readonly string[] {
  return exceptions.flatMap((exception, index) => {
    const hasOwn = exception.frames.some(({ inApp }) => inApp === true)
    const head = `${index === 0 ? '' : 'Caused by: '}${headOf(exception)}`
    return [
      ...head.split('\n').map((line) => colours.strong(printable(line))),
      ...exception.frames.flatMap((frame) => frameLines(frame, hasOwn && frame.inApp !== true, colours)),
    ]
  })
}

/** What a description says besides the exceptions that the server has added to it. */
export function wordsBeside(description: string, [thrown]: readonly Exception[]): string {
  if (thrown === undefined) return description
  const head = headOf(thrown)
  if (description.startsWith(head)) return ''
  const end = description.lastIndexOf(`\n\n${head}`)
  return end === -1 ? description : description.slice(0, end)
}

function headOf({ type, value }: Exception): string {
  return value === null ? type : `${type}: ${value}`
}

function frameLines(frame: Frame, isLibrary: boolean, { faint }: Colours): readonly string[] {
  const call = printable(writeFrame(frame))
  if (isLibrary) return [faint(call)]
  return frame.context === null ? [call] : [call, faint(`        ${printable(frame.context.line.trim())}`)]
}
