import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { curlLinesOf, isInstalled, paste } from './support/printed-lines.ts'
import { shellEnvironment, startProcess, type TestProcess } from './support/start-process.ts'
import { type Keys, printedAddress, printedKeys, settingsFor } from './support/start-server.ts'

/** A second start installs and builds nothing: it may take so many times as long as npm takes to say its version. */
const MAX_START_COST = 8
const ATTEMPTS = 3

const folder = temporaryFolder()
const database = join(folder.path, 'data', 'bugle.db')

afterAll(() => folder[Symbol.dispose]())

describe('npm start on an empty database', () => {
  let npm: TestProcess
  let url: string
  let keys: Keys

  beforeAll(async () => {
    npm = npmStart(settingsFor(database))
    url = await printedAddress(npm)
    keys = await printedKeys(npm)
    await npm.waitFor(/Press Ctrl\+C to stop/)
  })
  afterAll(() => npm[Symbol.asyncDispose]())

  test('says once that it listens, and how to stop it after everything else', () => {
    expect(npm.stdout + npm.stderr).not.toContain('Server listening')
    expect(npm.stdout).toMatch(/sign-in#link=\S+\n\nGuides .*\/docs\. Press Ctrl\+C to stop\.\n$/)
  })

  test('prints a public and a secret key that work', async () => {
    const submitted = await post(url, keys.publicKey)
    expect(submitted.status).toBe(201)
    const listed = await fetch(`${url}/v1/issues`, { headers: { authorization: `Bearer ${keys.secretKey}` } })
    expect(listed.status).toBe(200)
  })

  test.skipIf(!isInstalled('curl') || !isInstalled('bash'))(
    'prints a curl line that can be pasted: 201 and exactly the issue record',
    () => {
      const { status, body } = paste(curlLinesOf(npm.stdout)[0] ?? '')
      expect(status).toBe('201')
      expect(body).toEqual({
        id: expect.stringMatching(/^iss_/),
        issueNumber: expect.any(Number),
        title: 'Settings screen stays blank',
        status: 'open',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      })
    },
  )

  test.skipIf(!isInstalled('curl') || !isInstalled('bash'))('prints a curl line that lists it', () => {
    const { status, body } = paste(curlLinesOf(npm.stdout)[1] ?? '')
    expect(status).toBe('200')
    expect(body).toMatchObject({ data: expect.any(Array), pagination: { page: 1 } })
  })

  test('takes the server along, in good order, when npm is ended by SIGTERM', async () => {
    await npm.end('SIGTERM')
    expect(npm.stderr).toContain('"msg":"stopping"')
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })
})

describe('npm start on a database that is there', () => {
  test('prints no key and answers at once', async () => {
    const costs: number[] = []
    // Other work on the machine makes one start slow, not all of them.
    for (let attempt = 0; attempt < ATTEMPTS && !(Math.min(...costs) < MAX_START_COST); attempt++) {
      const npmMs = timeOfNpm()
      const began = performance.now()
      await using npm = npmStart(settingsFor(database))
      const url = await printedAddress(npm)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      const elapsedMs = performance.now() - began
      costs.push(elapsedMs / npmMs)
      process.stdout.write(`second npm start: first answer after ${Math.round(elapsedMs)} ms\n`)
      await npm.end('SIGTERM')
      expect(npm.stdout + npm.stderr).not.toMatch(/bgl_(pub|sec)_/)
    }
    expect(Math.min(...costs)).toBeLessThan(MAX_START_COST)
  })

  test('refuses one that a newer release has changed, in one sentence', async () => {
    const newer = join(folder.path, 'newer.db')
    const db = new DatabaseSync(newer)
    db.exec('PRAGMA user_version = 9999')
    db.close()

    await using npm = npmStart(settingsFor(newer))
    expect((await npm.exit).code).toBe(1)
    expect(npm.stderr).toMatch(/^bugle: .*schema version 9999/m)
    expect(npm.stderr).not.toContain('    at ')
    expect(npm.stdout).not.toContain('listening')
  })
})

describe('npm start that can not work', () => {
  test('names every problem of the configuration at once, and touches nothing', async () => {
    const untouched = join(folder.path, 'untouched')
    await using npm = npmStart({
      BUGLE_DATABASE_URL: `mysql:${untouched}/bugle.db`,
      BUGLE_PORT: '99999',
      BUGLE_LOG_LEVEL: 'loud',
    })
    expect((await npm.exit).code).toBe(1)
    expect(npm.stderr).toContain('BUGLE_DATABASE_URL must be')
    expect(npm.stderr).toContain('BUGLE_PORT must be')
    expect(npm.stderr).toContain('BUGLE_LOG_LEVEL must be')
    expect(existsSync(untouched)).toBe(false)
  })

  test('says that the port is taken, in one sentence', async () => {
    const settings = settingsFor(database)
    await using first = npmStart(settings)
    const { port } = new URL(await printedAddress(first))
    await using second = npmStart({ ...settings, BUGLE_PORT: port, BUGLE_PORTS: port })
    expect((await second.exit).code).toBe(1)
    expect(second.stderr).toMatch(/^bugle: BUGLE_PORTS is not a setting \(did you mean BUGLE_PORT\?\); /m)
    expect(second.stderr).toMatch(new RegExp(`^bugle: .*${port}.* set BUGLE_PORT to another port$`, 'm'))
    expect(second.stderr).not.toContain('    at ')
  })
})

/** As somebody at a shell would do it, with the Node of the machine. */
function npmStart(settings: Record<string, string>): TestProcess {
  const environment = { ...shellEnvironment(), ...settings }
  return startProcess({ command: 'npm', args: ['start'], environment, leadsGroup: true })
}

function post(url: string, key: string): Promise<Response> {
  return fetch(`${url}/v1/issues`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"title": "By hand"}',
  })
}

function timeOfNpm(): number {
  const began = performance.now()
  execFileSync('npm', ['--version'], { env: shellEnvironment() })
  return performance.now() - began
}
