/** A part of a text: a stack trace, or the text around it. */
export interface TextPart {
  readonly isTrace: boolean
  readonly text: string
}

/** Fewer consecutive frames are not a trace: a sentence may start with "at". */
const MIN_FRAMES = 2
/** Longer lines are not frames. This also keeps every pattern fast. */
const MAX_FRAME_CHARS = 1_000

/** The formats of a frame: JavaScript, Java and C#; Firefox and Safari; Python; Dart, Rust and C; Apple; Go; Ruby and PHP. */
const FRAMES = [
  /^\s+at \S/,
  /^\s*[^\s@]*@\S+:\d+:\d+$/,
  /^\s+File "[^"]+", line \d+/,
  /^\s*#\d+\s+\S/,
  /^\s*\d+\s+\S+\s+0x[\da-f]+\s/i,
  /^\s+\S+\.go:\d+/,
  /^\s*(?:from )?\S+:\d+:in \S/,
]
/** Lines between the frames of one trace. */
const BETWEEN = /^(?:\s*Caused by: |\s*\.\.\. \d+ more|\s*--- End of |\s{4,}\S)/
/** The line before the first frame. */
const HEADS =
  /^(?:Traceback \(|goroutine \d+ \[|Exception in thread |[\w.$]*(?:Error|Exception|Panic)\b|panic: |Uncaught )/

/** Finds the stack traces in a text. Together the parts are the whole text, line by line. */
export function splitTraces(text: string): readonly TextPart[] {
  const lines = text.split('\n')
  const parts: TextPart[] = []
  let plainFrom = 0
  const addPlain = (until: number) => {
    const plain = lines
      .slice(plainFrom, until)
      .join('\n')
      .replace(/^\n+|\s+$/g, '')
    if (plain !== '') parts.push({ isTrace: false, text: plain })
  }
  for (let index = 0; index < lines.length; index++) {
    const end = endOfTrace(lines, index)
    if (end === undefined) continue
    const first = index > plainFrom && HEADS.test(lines[index - 1] ?? '') ? index - 1 : index
    addPlain(first)
    parts.push({ isTrace: true, text: lines.slice(first, end).join('\n') })
    plainFrom = end
    index = end - 1
  }
  addPlain(lines.length)
  return parts
}

/** The line after the trace that starts here, if there is one. */
function endOfTrace(lines: readonly string[], start: number): number | undefined {
  if (!isFrame(lines[start] ?? '')) return undefined
  let frames = 0
  let end = start
  for (let index = start; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (isFrame(line)) {
      frames++
      end = index + 1
    } else if (!BETWEEN.test(line)) break
  }
  return frames < MIN_FRAMES ? undefined : end
}

function isFrame(line: string): boolean {
  return line.length <= MAX_FRAME_CHARS && FRAMES.some((pattern) => pattern.test(line))
}
