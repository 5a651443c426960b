import { join } from 'node:path'
import { test as base, expect } from 'vitest'
import { openStorageForCommand } from '../src/storage/open-storage.ts'
import { type Outcome, runBugle, spawnBugle } from './run-bugle.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The format of printed times. */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Runs the command for each test on its own empty database, or without a database. */
export const test = base.extend<{ bugle: Bugle; bugleWithoutDatabase: Bugle }>({
  bugleWithoutDatabase: async ({ task: _ }, use) => {
    using folder = temporaryFolder()
    await use(createBugle(join(folder.path, 'bugle.db')))
  },
  bugle: async ({ bugleWithoutDatabase: bugle }, use) => {
    await (await openStorageForCommand(`sqlite:${bugle.database}`)).close()
    await use(bugle)
  },
})

/** Runs the command in this process. A line is split at its spaces; words that contain spaces follow it. */
export interface Bugle {
  readonly database: string
  run(line: string, ...words: readonly string[]): Promise<Outcome>
  /** Runs it in a separate process, for commands that must not share one with a server. */
  spawn(line: string): Promise<Outcome>
  runWith(settings: Readonly<Record<string, string>>, line: string): Promise<Outcome>
  /** Runs it with `--json`, and requires success and a single JSON document as output. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing
  json(line: string, ...words: readonly string[]): Promise<any>
}

export async function expectFailure(bugle: Bugle, line: string, says: string): Promise<void> {
  const { code, stdout, stderr } = await bugle.run(line)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^bugle: .+\n$/)
  expect(stderr).toContain(says)
}

function createBugle(database: string): Bugle {
  const settings = { BUGLE_DATABASE_URL: `sqlite:${database}` }
  const run = (line: string, ...words: readonly string[]) => runBugle([...wordsOf(line), ...words], settings)
  return {
    database,
    run,
    spawn: (line) => spawnBugle(wordsOf(line), settings),
    runWith: (more, line) => runBugle(wordsOf(line), { ...settings, ...more }),
    async json(line, ...words) {
      const { code, stdout, stderr } = await run(line, ...words, '--json')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return JSON.parse(stdout)
    },
  }
}

function wordsOf(line: string): readonly string[] {
  return line === '' ? [] : line.split(' ')
}
