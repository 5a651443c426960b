import type { Colours } from './colours.ts'
import { pad } from './fit.ts'
import { printable } from './printable.ts'

const LEVELS: Readonly<Record<number, readonly [name: string, colour: keyof Colours]>> = {
  10: ['trace', 'faint'],
  20: ['debug', 'faint'],
  30: ['info', 'good'],
  40: ['warn', 'warning'],
  50: ['error', 'bad'],
  60: ['fatal', 'bad'],
}

/** Readable log lines instead of JSON: time, level, message and fields, with stack traces below. */
export function readableLog(write: (text: string) => void, colours: Colours): { write(line: string): void } {
  return { write: (line) => write(`${readable(line, colours)}\n`) }
}

/** A readable version of a JSON line; anything else is only escaped. */
export function readable(line: string, colours: Colours): string {
  const entry = parse(line)
  if (entry === undefined) return printable(line.trimEnd())
  const { level, time, msg = '', err, ...fields } = entry
  const [name, colour] = LEVELS[Number(level)] ?? [String(level), 'strong' as const]
  const head = `${colours.faint(clockTime(Number(time)))} ${colours[colour](pad(name, 5))} ${printable(String(msg))}`
  const rest = flatten(fields).map(
    ([key, value]) => ` ${colours.faint(`${printable(key)}=`)}${printable(value)}`,
  )
  return [head + rest.join(''), ...stackOf(err).map((text) => `  ${colours.faint(printable(text))}`)].join(
    '\n',
  )
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    // A library has written to the log directly.
    return undefined
  }
}

/** In the machine's time zone, like the clock on the desktop. */
function clockTime(time: number): string {
  const date = new Date(time)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

/** `{ req: { method: 'GET' } }` becomes `req.method`. */
function flatten(fields: object, prefix = ''): readonly (readonly [key: string, value: string])[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (typeof value === 'object' && value !== null) return flatten(value, `${prefix}${key}.`)
    return value === undefined ? [] : [[prefix + key, String(value)] as const]
  })
}

function stackOf(error: unknown): readonly string[] {
  if (typeof error !== 'object' || error === null) return error === undefined ? [] : [String(error)]
  const { stack, message } = error as { stack?: unknown; message?: unknown }
  return String(stack ?? message ?? JSON.stringify(error)).split('\n')
}
