import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { curlLinesOf, isInstalled, paste } from './support/printed-lines.ts'
import { ROOT, shellEnvironment, startProcess, type TestProcess } from './support/start-process.ts'
import { type Keys, printedAddress, printedKeys, settingsFor } from './support/start-server.ts'

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

  test('prints its address once, and how to stop it at the end', () => {
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
    'prints a curl command that works: 201 and exactly the issue record',
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

  test.skipIf(!isInstalled('curl') || !isInstalled('bash'))('prints a curl command that lists it', () => {
    const { status, body } = paste(curlLinesOf(npm.stdout)[1] ?? '')
    expect(status).toBe('200')
    expect(body).toMatchObject({ data: expect.any(Array), pagination: { page: 1 } })
  })

  test('shuts the server down cleanly when npm is stopped with SIGTERM', async () => {
    await npm.end('SIGTERM')
    // npm may exit before the server.
    await expect.poll(() => npm.stderr).toContain('"msg":"stopping"')
    await expect.poll(() => isServed(`${url}/healthz`)).toBe(false)
  })
})

describe('npm start on an existing database', () => {
  test('prints no key, and installs and builds nothing', async () => {
    const before = timesOfWhatIsMade()
    await using npm = npmStart(settingsFor(database))
    const url = await printedAddress(npm)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await npm.end('SIGTERM')
    expect(npm.stdout + npm.stderr).not.toMatch(/bgl_(pub|sec)_|Installing|Building/)
    expect(timesOfWhatIsMade()).toEqual(before)
  })

  test('refuses one that a newer release has migrated, in one sentence', async () => {
    const newer = join(folder.path, 'newer.db')
    const db = new DatabaseSync(newer)
    db.exec('PRAGMA user_version = 9999; CREATE TABLE catalog AS SELECT 9999 AS oldest_schema')
    db.close()

    await using npm = npmStart(settingsFor(newer))
    expect((await npm.exit).code).toBe(1)
    expect(npm.stderr).toMatch(/^bugle: .*schema version 9999/m)
    expect(npm.stderr).not.toContain('    at ')
    expect(npm.stdout).not.toContain('listening')
  })
})

describe('npm start that fails', () => {
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

  test('reports in one sentence that the port is in use', async () => {
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

/** As a user would start it in a shell, with the Node of the machine. */
function npmStart(settings: Record<string, string>): TestProcess {
  const environment = { ...shellEnvironment(), ...settings }
  return startProcess({ command: 'npm', args: ['start'], environment, leadsGroup: true })
}

function isServed(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

function post(url: string, key: string): Promise<Response> {
  return fetch(`${url}/v1/issues`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"title": "By hand"}',
  })
}

/** When packages were installed and the dashboard was built. */
function timesOfWhatIsMade(): number[] {
  const made = ['node_modules/.package-lock.json', 'packages/dashboard/dist/sources.sha256']
  return made.map((path) => statSync(join(ROOT, path)).mtimeMs)
}
