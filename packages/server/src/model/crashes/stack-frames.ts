/** The location of a call. */
export interface Frame {
  /** The function without its class or namespace; empty if it has no name. */
  readonly call: string
  readonly file: string
}

/** A call as the engine wrote it. */
export interface WrittenFrame {
  /** The function with its class or namespace; empty if it has no name. */
  readonly name: string
  readonly file: string
  readonly line: number
  readonly column: number | undefined
}

const MAX_LINE_CHARS = 1_024
const MAX_CALL_CHARS = 200
/** `foo (node_modules/…)`, and the chunks that bundlers create for dependencies: not the app's own code. */
const FOREIGN = /node_modules|^node:|\/(?:vendor|framework|polyfills|react-dom)/

export function isForeign(file: string): boolean {
  return FOREIGN.test(file)
}

/** The frames of a stack, the innermost first. The message of an error is never parsed as a frame. */
export function framesOf(stack: string, message: string): readonly Frame[] {
  return writtenFramesOf(stack, message).map(({ name, file }) => ({ call: nameOf(name), file }))
}

/** The same with what else the engine says about a call. */
export function writtenFramesOf(stack: string, message: string): readonly WrittenFrame[] {
  const lines = stack.slice(headChars(stack, message)).split('\n')
  const read = (frameOfLine: typeof frameOfV8) =>
    lines.flatMap((line) => (line.length < MAX_LINE_CHARS && frameOfLine(line)) || [])
  const frames = read(frameOfV8)
  return frames[0] ? frames : read(frameOfOthers)
}

/** V8 starts a stack with the type and the message, which may contain any lines. */
export function headChars(stack: string, message: string): number {
  const start = message ? stack.slice(0, message.length + 200).indexOf(message) : -1
  return start < 0 ? 0 : start + message.length
}

/** `    at save (https://…/form.js:1:88)`; Hermes writes `address at` before the file. */
function frameOfV8(line: string): WrittenFrame | undefined {
  const text = /^ +at (?:async )?(.+)$/.exec(line)?.[1] ?? ''
  const open = text.endsWith(')') ? text.indexOf(' (') : -1
  if (open <= 0) return frameOf('', text)
  return frameOf(text.slice(0, open), text.slice(open + 2, -1).replace(/^address at /, ''))
}

/** `save@https://…/form.js:1:88` */
function frameOfOthers(line: string): WrittenFrame | undefined {
  const at = line.indexOf('@')
  const place = line.slice(at + 1)
  // `ann@example.com:12:30` is not a frame.
  return at < 0 || !/^[\w.-]+:\/|^\//.test(place) ? undefined : frameOf(line.slice(0, at), place)
}

function frameOf(name: string, place: string): WrittenFrame | undefined {
  const [, file, line, column] = /^(.*?):(\d+)(?::(\d+))?$/.exec(place) ?? []
  // A time is not a location, and evaluated code has no file.
  if (!file || !/[\\/.]|^node:/.test(file) || /\beval at\b|^<|^[^\\/]* /.test(file)) return undefined
  return { name, file, line: Number(line), column: column === undefined ? undefined : Number(column) }
}
/** `async*Form.prototype.save/<` and `Form.save [as onClick]` are `save`. */
function nameOf(call: string): string {
  const plain = call
    .slice(-MAX_CALL_CHARS)
    .replace(/ \[as .*/, '')
    .replace(/[/<*]+$/, '')
  const name = plain.split(/[./*\s]/).pop() ?? ''
  return /^[\w$#]*$/.test(name) && !/^(?:code|anonymous|anon_\d.*)$/.test(name) ? name : ''
}
