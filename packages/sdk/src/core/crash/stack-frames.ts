/** Where a call was made. */
export interface Frame {
  /** The function without its class or namespace; empty where it has no name. */
  readonly call: string
  readonly file: string
  /** As the engine wrote it. */
  readonly line: string
}

const MAX_STACK_CHARS = 16_384
const MAX_LINE_CHARS = 1_024

/** The frames of a stack, the innermost first. What an error says is never taken for a frame. */
export function framesOf(stack: string, message: string): readonly Frame[] {
  const lines = stack.slice(headChars(stack, message)).slice(0, MAX_STACK_CHARS).split('\n')
  const read = (frameOfLine: typeof frameOfV8) =>
    lines.flatMap((line) => (line.length < MAX_LINE_CHARS && frameOfLine(line)) || [])
  const frames = read(frameOfV8)
  return frames[0] ? frames : read(frameOfOthers)
}

/** V8 begins a stack with the type and the message, which may have lines of any kind. */
function headChars(stack: string, message: string): number {
  const start = message ? stack.slice(0, message.length + 200).indexOf(message) : -1
  return start < 0 ? 0 : start + message.length
}

/** `    at save (https://…/form.js:1:88)`; Hermes writes `address at` before the file. */
function frameOfV8(line: string): Frame | undefined {
  const [, call, place, bare] = /^ +at (?:async )?(?:(.+?) \((?:address at )?(.+)\)|(.+))$/.exec(line) ?? []
  return frameOf(line, call ?? '', place ?? bare ?? '')
}

/** `save@https://…/form.js:1:88` */
function frameOfOthers(line: string): Frame | undefined {
  const at = line.indexOf('@')
  const place = line.slice(at + 1)
  // `ann@example.com:12:30` is no frame.
  return at < 0 || !/^[\w.-]+:\/|^\//.test(place) ? undefined : frameOf(line, line.slice(0, at), place)
}

function frameOf(line: string, call: string, place: string): Frame | undefined {
  const file = /^(.*?)(?::\d+){1,2}$/.exec(place)?.[1]
  // A time is not a place, and an evaluated text has no file.
  if (!file || !/[\\/.]|^node:/.test(file) || /\beval at\b|^<|^[^\\/]* /.test(file)) return undefined
  return { call: nameOf(call), file, line }
}

/** `async*Form.prototype.save/<` and `Form.save [as onClick]` are `save`. */
function nameOf(call: string): string {
  const plain = call.replace(/ \[as .*/, '').replace(/[/<*]+$/, '')
  const name = plain.split(/[./*\s]/).pop() ?? ''
  return /^[\w$#]*$/.test(name) && !/^(?:code|anonymous|anon_\d.*)$/.test(name) ? name : ''
}
