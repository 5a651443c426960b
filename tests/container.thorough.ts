import { spawnSync } from 'node:child_process'
import { accessSync, constants, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { IssueRecord } from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../packages/server/test-support/free-port.ts'
import { startPostgres } from '../packages/server/test-support/start-postgres.ts'
import { buildImage, type Image } from './support/container/build-image.ts'
import { readCompose } from './support/container/read-compose.ts'
import { ROOT, startProcess, type TestProcess } from './support/start-process.ts'
import { printedAddress, printedKeys } from './support/start-server.ts'

/** Without a container engine: the steps of the Dockerfile in empty folders, then its commands, as an unprivileged user. */

let image: Image
beforeAll(() => {
  image = buildImage()
}, 900_000)
afterAll(() => image[Symbol.dispose]())

function startContainer(settings: Readonly<Record<string, string>>): TestProcess {
  const [command = '', ...args] = image.command
  return startProcess({
    command,
    args,
    cwd: image.workdir,
    user: image.user,
    environment: { ...image.environment, HOME: image.workdir, ...settings },
  })
}

function submit(url: string, key: string): Promise<Response> {
  return fetch(`${url}/v1/issues`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"title": "From a container"}',
  })
}

describe('the image', () => {
  test('has no sources', () => {
    const sources = globSync('app/node_modules/bugle/**/*.{ts,tsx}', { cwd: image.root })
    expect(sources).toEqual([])
    expect(globSync('app/node_modules/{typescript,rolldown,vite,react}', { cwd: image.root })).toEqual([])
  })

  test('serves, reports its health, keeps its data, and exits with 0', async () => {
    const port = String(await freePort())
    const [program = '', ...args] = image.healthCheck
    const health = () =>
      spawnSync(program, args, { ...image.user, env: { ...image.environment, BUGLE_PORT: port } }).status
    expect(health()).toBe(1)

    await using server = startContainer({ BUGLE_PORT: port })
    await printedAddress(server)
    const { publicKey } = await printedKeys(server)
    expect(health()).toBe(0)
    const url = `http://127.0.0.1:${port}`
    expect((await submit(url, publicKey)).status).toBe(201)
    expect((await fetch(url)).status).toBe(200)

    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    const database = statSync(join(image.root, 'data/bugle.db'))
    expect(database.uid).toBe(image.user?.uid ?? process.getuid?.())
  })

  test.runIf(process.getuid?.() === 0)('lets the server write only to the volume', () => {
    const places = globSync(['app', 'app/**', 'usr/**'], { cwd: image.root })
    const writable = places.filter((path) => (statSync(join(image.root, path)).mode & 0o002) !== 0)
    expect(places.length).toBeGreaterThan(200)
    expect(places).toContain('app/node_modules/bugle/packages/server/dist/bugle.cjs')
    expect(writable).toEqual([])
    accessSync(join(image.root, 'data'), constants.W_OK)
  })
})

describe('compose.yaml', () => {
  const { services } = readCompose(join(ROOT, 'compose.yaml'))

  test('has two nodes that number the reports of one PostgreSQL without gaps', async () => {
    const postgres = await startPostgres()
    const settingsOf = (name: string) => {
      const environment = services[name]?.environment ?? {}
      const database = new URL(environment['BUGLE_DATABASE_URL'] ?? '')
      expect(Object.keys(services[name]?.depends_on ?? {})).toEqual([database.hostname])
      expect(database.pathname).toBe(`/${services['postgres']?.environment?.['POSTGRES_DB']}`)
      const own = { BUGLE_DATABASE_URL: postgres.url, BUGLE_PORT: '0', BUGLE_PUBLIC_URL: '' }
      return { ...environment, ...own, BUGLE_RATE_LIMITS: 'off' }
    }
    try {
      await using first = startContainer(settingsOf('node-1'))
      const { publicKey } = await printedKeys(first)
      await using second = startContainer(settingsOf('node-2'))
      const urls = [await printedAddress(first), await printedAddress(second)]
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => submit(urls[index % 2] ?? '', publicKey)),
      )
      const records = (await Promise.all(answers.map((answer) => answer.json()))) as IssueRecord[]
      const numbers = records.map(({ issueNumber }) => issueNumber).sort((a, b) => a - b)
      expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
      const ends = await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')])
      expect(ends.map(({ code }) => code)).toEqual([0, 0])
    } finally {
      await postgres.stop()
    }
  })
})
