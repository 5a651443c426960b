import type { Exception, Frame } from '@bugle/contract'
import { nameOf, placeOf } from './group-frames.ts'

/** All exceptions as the text of a stack trace. */
export function writeExceptions(exceptions: readonly Exception[]): string {
  return exceptions
    .map((exception) => [headOf(exception), ...exception.frames.map(writeFrame)].join('\n'))
    .join('\nCaused by: ')
}

export function headOf({ type, value }: Exception): string {
  return value === null ? type : `${type}: ${value}`
}

function writeFrame(frame: Frame): string {
  const name = nameOf(frame)
  return name === '' ? `    at ${placeOf(frame)}` : `    at ${name} (${placeOf(frame)})`
}
