import type { Terminal } from '../command.ts'
import { createColours, showsColours } from './colours.ts'
import { printable } from './printable.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where a command writes: the streams of the process, or those of a caller in the same process. */
export interface Streams {
  readonly stdout: Output
  readonly stderr: Output
}

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** A terminal on these streams: results on standard output, progress and complaints on standard error. */
export function createTerminal(isJson: boolean, environment: Environment, streams: Streams): Terminal {
  const { stdout, stderr } = streams
  const errorColours = createColours(showsColours(stderr, environment))
  return {
    isJson,
    columns: stdout.columns || Number(environment['COLUMNS']) || Number.POSITIVE_INFINITY,
    colours: createColours(showsColours(stdout, environment)),
    errorColours,
    showsProgress: stderr.isTTY === true,
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
