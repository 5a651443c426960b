import { type Terminal, UsageError } from '../command.ts'
import { createColours, showsColours } from './colours.ts'
import { printable } from './printable.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where a command writes: the streams of the process, or those of a caller in the same process. */
export interface Streams {
  readonly stdout: Output
  readonly stderr: Output
  /** Absent: there is no input. */
  readonly stdin?: AsyncIterable<Uint8Array | string>
}

/** More than any command accepts. */
const MAX_INPUT_BYTES = 256 * 1024

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** A terminal on these streams: results on standard output, progress and errors on standard error. */
export function createTerminal(isJson: boolean, environment: Environment, streams: Streams): Terminal {
  const { stdout, stderr, stdin } = streams
  const errorColours = createColours(showsColours(stderr, environment))
  return {
    isJson,
    columns: stdout.columns || Number(environment['COLUMNS']) || Number.POSITIVE_INFINITY,
    colours: createColours(showsColours(stdout, environment)),
    errorColours,
    showsProgress: stderr.isTTY === true,
    readInput: () => readAll(stdin),
    write: (text) => writeTo(stdout, text),
    print: (text) => {
      if (text !== '') stdout.write(`${text}\n`)
    },
    announce: (text) => {
      if (!isJson) stdout.write(`${text}\n`)
    },
    remark: (text) => {
      if (!isJson) stderr.write(text)
    },
    warn: (sentence) => stderr.write(complaint(sentence, errorColours.warning('bugle:'))),
    fail: (sentence) => stderr.write(complaint(sentence, errorColours.bad('bugle:'))),
  }
}

async function readAll(stdin: Streams['stdin']): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of stdin ?? []) {
    const read = Buffer.from(part)
    bytes += read.length
    if (bytes > MAX_INPUT_BYTES) throw new UsageError('the text on standard input is too long')
    parts.push(read)
  }
  return Buffer.concat(parts).toString()
}

function writeTo(stream: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(error)
    // A failed write is reported to its callback and as an event that has no other listener.
    stream.once('error', fail)
    stream.write(text, (error) => {
      if (error) return reject(error)
      stream.off('error', fail)
      resolve()
    })
  })
}

function complaint(sentence: string, prefix: string): string {
  return `${prefix} ${sentence.split('\n').map(printable).join('\n')}\n`
}
