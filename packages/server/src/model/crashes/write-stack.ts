import type { SubmittedFrame } from '@bugle/contract'
import { clip } from './clip-text.ts'

/** The frames as the lines of a stack trace, in the format of V8. */
export function writeStack(frames: readonly SubmittedFrame[], maxChars: number): string {
  const lines: string[] = []
  let chars = 0
  for (const frame of frames) {
    const line = writeFrame(frame)
    chars += line.length + 1
    if (chars > maxChars) break
    lines.push(line)
  }
  return clip(lines.join('\n'), maxChars)
}

/** A frame as a line of a stack trace, in the format of V8. */
export function writeFrame({ function: call, file, module, line, column }: SubmittedFrame): string {
  const place = join([file ?? module ?? 'unknown', line, column], ':')
  const name = join([file == null ? undefined : module, call], '.')
  return (name === '' ? `    at ${place}` : `    at ${name} (${place})`).replaceAll('\n', ' ')
}

function join(parts: readonly (string | number | null | undefined)[], separator: string): string {
  return parts.filter((part) => part !== undefined && part !== null).join(separator)
}
