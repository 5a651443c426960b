import type { Terminal } from '../command.ts'
import { createColours, showsColours } from './colours.ts'
import { printable } from './printable.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The terminal of this process: results on standard output, progress and complaints on standard error. */
export function createTerminal(isJson: boolean, environment: Environment): Terminal {
  const { stdout, stderr } = process
  const errorColours = createColours(showsColours(stderr, environment))
  return {
    isJson,
    columns: stdout.columns || Number(environment['COLUMNS']) || Number.POSITIVE_INFINITY,
    colours: createColours(showsColours(stdout, environment)),
    errorColours,
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

function complaint(sentence: string, prefix: string): string {
  return `${prefix} ${sentence.split('\n').map(printable).join('\n')}\n`
}
