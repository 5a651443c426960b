import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { startFirstServer, startServer } from './support/start-server.ts'

/** The time from start to first response, in multiples of the time that Node takes to run an empty script. */
const MAX_START_COST = 45
const ATTEMPTS = 40

test('the server responds soon after its start', async () => {
  using folder = temporaryFolder()
  const database = join(folder.path, 'bugle.db')
  const { server } = await startFirstServer(database)
  await server.end('SIGTERM')

  const starts: number[] = []
  const baselines: number[] = []
  const cost = () => Math.min(...starts) / Math.min(...baselines)
  // The best of several: other work on the machine delays some of them.
  for (let attempt = 0; attempt < ATTEMPTS && (attempt < 5 || cost() >= MAX_START_COST); attempt++) {
    const began = performance.now()
    execFileSync(process.execPath, ['--eval', ''])
    const finished = performance.now()
    baselines.push(finished - began)
    await using started = await startServer(database)
    expect((await fetch(`${started.url}/readyz`)).status).toBe(200)
    starts.push(performance.now() - finished)
  }
  process.stdout.write(
    `first response after ${Math.round(Math.min(...starts))} ms; empty script ${Math.round(Math.min(...baselines))} ms\n`,
  )
  expect(cost()).toBeLessThan(MAX_START_COST)
})
