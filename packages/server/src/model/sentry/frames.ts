import { clip, type Fields, fieldsOf, listOf, numberOf, textOf, within } from './values.ts'

/** A call of a stack trace. */
export interface SentryFrame {
  readonly function: string | undefined
  readonly file: string | undefined
  readonly module: string | undefined
  readonly line: number | undefined
  readonly column: number | undefined
  /** Whether the SDK says that it is the app's own code; `undefined` if it does not say. */
  readonly inApp: boolean | undefined
  /** The file of the machine code, and the offset of the call in it, if known. */
  readonly image: { readonly name: string; readonly offset: string | undefined } | undefined
}

/** More are not shown, and not compared. */
const MAX_FRAMES = 250
const MAX_NAME_CHARS = 512

/**
 * The frames of a stack trace, the innermost first. Sentry sends them in the opposite order ("Stack Trace Interface" in
 * its developer documentation: "oldest first").
 */
export function framesOf(stacktrace: unknown): readonly SentryFrame[] {
  return listOf(fieldsOf(stacktrace)?.['frames']).slice(-MAX_FRAMES).reverse().map(toFrame)
}

function toFrame(frame: Fields): SentryFrame {
  const { in_app: inApp } = frame
  return {
    function: textOf(frame['function'], MAX_NAME_CHARS),
    file: textOf(frame['filename'], MAX_NAME_CHARS) ?? textOf(frame['abs_path'], MAX_NAME_CHARS),
    module: textOf(frame['module'], MAX_NAME_CHARS),
    line: numberOf(frame['lineno']),
    column: numberOf(frame['colno']),
    inApp: typeof inApp === 'boolean' ? inApp : undefined,
    image: imageOf(frame),
  }
}

/** An address alone differs at each start of the app; its offset in the image does not. */
function imageOf(frame: Fields): SentryFrame['image'] {
  const name = textOf(frame['package'], MAX_NAME_CHARS)?.split(/[\\/]/).pop()
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

/** The frames as the lines of a stack trace, in the format that our SDK sends too. */
export function writeStack(frames: readonly SentryFrame[], maxChars: number): string {
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

function writeFrame({ function: call, file, module, line, column, image }: SentryFrame): string {
  const place = [file ?? module ?? imageText(image) ?? 'unknown', line, column]
    .filter((part) => part !== undefined)
    .join(':')
  const name = [file === undefined ? undefined : module, call].filter((part) => part !== undefined).join('.')
  return (name === '' ? `    at ${place}` : `    at ${name} (${place})`).replaceAll('\n', ' ')
}

function imageText(image: SentryFrame['image']): string | undefined {
  return image?.offset === undefined ? image?.name : `${image.name}+${image.offset}`
}

/** The stack trace of the thread that crashed, for SDKs that do not repeat it in the exception. */
export function crashedThreadOf(event: Fields): unknown {
  const threads = listOf(event['threads'])
  const thread =
    threads.find(({ crashed }) => crashed === true) ?? threads.find(({ current }) => current === true)
  return within(thread, 'stacktrace')
}
