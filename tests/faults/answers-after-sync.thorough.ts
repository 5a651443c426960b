import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { openClient } from '../support/load.ts'
import { printedKeys, startServerOn } from '../support/start-server.ts'
import { PATIENT, rounds } from './effort.ts'
import { note } from './figures.ts'

/** The last line of a trace, for the whole process. */
const ENDED = /\+\+\+ exited with 0 \+\+\+\n$/
const REPORTS = rounds({ short: 20, long: 500 })

test('no report is acknowledged before its log is synced', PATIENT, async () => {
  using folder = temporaryFolder()
  const trace = join(folder.path, 'trace')
  const { error } = spawnSync('strace', ['-V'])
  if (error !== undefined) {
    process.stderr.write(`system calls cannot be watched here: ${error.message}\n`)
    return
  }
  // From all threads, with file names. The server stays a child of this process; the tracer is detached.
  const watch = [
    'strace',
    '-D',
    '-f',
    '-y',
    '-s',
    '32',
    '-o',
    trace,
    '-e',
    'trace=pwrite64,fdatasync,fsync,write,writev,sendmsg',
  ]
  await using server = await startServerOn(`sqlite:${join(folder.path, 'bugle.db')}`, {}, watch)
  const { secretKey } = await printedKeys(server)
  await using client = openClient(server.url, secretKey)
  for (let n = 1; n <= REPORTS; n++) expect((await client.submit({ title: `Report ${n}` })).status).toBe(201)
  await server.end('SIGTERM')
  await expect.poll(() => readFileSync(trace, 'utf8')).toMatch(ENDED)

  const steps = readFileSync(trace, 'utf8').split('\n').flatMap(stepOf)
  const answers = steps.flatMap((step, index) => (step === 'answer' ? [index] : []))
  expect(answers).toHaveLength(REPORTS)
  for (const [n, end] of answers.entries()) {
    // One at a time: since the last response this report was written, then synced. Later writes are for the index.
    const own = steps.slice(n === 0 ? 0 : answers[n - 1], end)
    expect(own.indexOf('log')).toBeGreaterThan(-1)
    expect(own.lastIndexOf('sync')).toBeGreaterThan(own.indexOf('log'))
  }
  note({
    fault: 'SQLite: responses compared with `fdatasync`',
    rounds: 1,
    acknowledged: REPORTS,
    lost: 0,
    doubled: 0,
  })
})

/** The meaning of a line of the trace: the log was written, the log is synced, a response was sent. */
function stepOf(line: string): readonly ('log' | 'sync' | 'answer')[] {
  if (/pwrite64\(\d+<[^>]*-wal>/.test(line)) return ['log']
  if (
    /f(?:data)?sync\(\d+<[^>]*-wal>\) += 0/.test(line) ||
    /<\.\.\. f(?:data)?sync resumed>.* = 0/.test(line)
  )
    return ['sync']
  return line.includes('HTTP/1.1 201') ? ['answer'] : []
}
