import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, test as base, beforeAll, expect } from 'vitest'
import { hashToken } from '../packages/server/src/domain/projects/keys.ts'
import { startApp, type TestApp, type TestProject } from '../packages/server/test-support/start-app.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { type BuiltPackage, buildPackage } from './support/sdk/built-package.ts'
import { type Gateway, startGateway } from './support/sdk/gateway.ts'
import { listen } from './support/sdk/listen.ts'

/** More than a server sends before it notices that the client does not read, however busy the machine is. */
const ENDLESS_BYTES = 2_000_000_000

let built: BuiltPackage
let app: TestApp
beforeAll(async () => {
  built = await buildPackage()
  app = await startApp()
  writeFileSync(join(built.path, 'package.json'), '{ "version": "3.1.4", "type": "module" }')
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  built[Symbol.dispose]()
})

interface Settings {
  readonly endpoint?: string
  readonly publicKey?: string
  readonly queueDirectory?: string | undefined
  readonly env?: Readonly<Record<string, string>>
}

interface Scene {
  readonly project: TestProject
  readonly gateway: Gateway
  readonly queue: string
  /** Runs a script that has started the built SDK; returns its output. */
  run(script: string, settings?: Settings): Promise<{ stdout: string; stderr: string; signal: string | null }>
  titles(): Promise<readonly string[]>
}

const test = base.extend<{ scene: Scene }>({
  scene: async ({ task: _ }, use) => {
    const project = await app.addProject()
    await using gateway = await startGateway(app.url)
    using queue = temporaryFolder()
    let runs = 0
    await use({
      project,
      gateway,
      queue: queue.path,
      async run(script, { env, ...settings } = {}) {
        const path = join(built.path, `faults-${project.slug}-${runs++}.mjs`)
        const options = {
          endpoint: gateway.url,
          publicKey: project.publicKey,
          queueDirectory: queue.path,
          ...settings,
        }
        writeFileSync(
          path,
          `import { captureException, close, diagnose, flush, init, report } from '@bugle/sdk'
const print = (value) => console.log(JSON.stringify(value))
init(${JSON.stringify(options)})
${script}`,
        )
        const child = spawn(process.execPath, [path], {
          cwd: '/',
          env: { PATH: process.env['PATH'], HOME: queue.path, ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        const [stdout, stderr, [, signal]] = await Promise.all([
          text(child.stdout),
          text(child.stderr),
          once(child, 'close'),
        ])
        return { stdout, stderr, signal }
      },
      async titles() {
        const { body } = await app.send('GET', '/v1/issues?pageSize=100', { key: project.secretKey })
        return body.data.map(({ title }: { title: string }) => title)
      },
    })
  },
})

test('a process that is killed right after report() loses no report and no count of drops', async ({
  scene,
}) => {
  const { signal } = await scene.run(`void report({ title: 'Killed' })
for (let times = 0; times < 2; times++) void captureException(new Error('in a loop'))
process.kill(process.pid, 'SIGKILL')`)
  expect(signal).toBe('SIGKILL')
  expect(await scene.titles()).toEqual([])
  await scene.run(`await flush(); await report({ title: 'Next' })`)
  expect((await scene.titles()).toSorted()).toEqual(['Error: in a loop', 'Killed', 'Next'])
  const counts = scene.gateway.seen.flatMap(({ body }) =>
    body ? (JSON.parse(body).metadata?.['bugle.dropped.repeated'] ?? []) : [],
  )
  expect(counts).toEqual([1])
})

test('a burst of 120 reports in one tick arrives completely', async ({ scene }) => {
  const { stdout } = await scene.run(`const all = await Promise.all(
  Array.from({ length: 120 }, (_, number) => report({ title: 'Burst ' + number })))
print(all.filter(({ status }) => status === 'dropped').length)
await flush(30_000)`)
  expect(stdout).toBe('0\n')
  expect(waitingIn(scene)).toEqual([])
  expect(scene.gateway.countSubmissions()).toBe(120)
})

test('reports of a replaced key are sent with the new one', async ({ scene }) => {
  const { project, gateway } = scene
  gateway.mishap = { kind: 'break' }
  await scene.run(`await report({ title: 'Before' })`)
  const publicKey = await app.addKey({ project, kind: 'public' })
  const { keys } = app.app.storage
  const old = await keys.findByHash(hashToken(project.publicKey))
  if (old) await keys.revoke(old.id, Date.now())
  gateway.mishap = undefined
  await scene.run(`await flush()`, { publicKey })
  expect(await scene.titles()).toEqual(['Before'])
  expect(waitingIn(scene)).toEqual([])
})

test('a key that the server does not accept is reported by the result, the diagnosis and one warning', async ({
  scene,
}) => {
  const script = `print((await report({ title: 'One' })).reason); print((await report({ title: 'Two' })).reason)
print((await diagnose()).obstacle)`
  const publicKey = 'bgl_pub_000000000000000000000000000000000000'
  const developed = await scene.run(script, { publicKey })
  expect(developed).toMatchObject({
    stdout: '"key-refused"\n"key-refused"\n"key-refused"\n',
    stderr: '[bugle] publicKey refused\n',
  })
  const produced = await scene.run(script, { publicKey, env: { NODE_ENV: 'production' } })
  expect(produced).toMatchObject({ stdout: developed.stdout, stderr: '' })
})

test('cut, removed and deduplicated content is reported by the result, and each once by a warning', async ({
  scene,
}) => {
  const { stdout, stderr } = await scene.run(`
await close()
init({ ...${JSON.stringify({ endpoint: scene.gateway.url, publicKey: scene.project.publicKey, queueDirectory: scene.queue })},
  beforeSend: (content) => ({ ...content, metadata: { screen: 'settings', when: new Date(), size: 10n } }) })
for (const letter of 'ab') print(await report({ title: letter.repeat(300) }))
print(await report({ title: 'b'.repeat(300) }))`)
  const results = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const trimmed = ['title', 'metadata.when', 'metadata.size']
  expect(results).toMatchObject([
    { status: 'sent', trimmed },
    { status: 'sent', trimmed },
    { status: 'sent', trimmed, isRepeat: true },
  ])
  expect(results[2].id).toBe(results[1].id)
  expect(stderr.trim().split('\n')).toEqual([
    '[bugle] report trimmed: title,metadata.when,metadata.size',
    '[bugle] double report sent once',
  ])
  expect(JSON.parse(scene.gateway.seen.at(-1)?.body ?? '')).toMatchObject({
    metadata: { screen: 'settings' },
  })
})

test('ES modules and CommonJS, and two copies of the package, share one client', async ({ scene }) => {
  cpSync(built.sdk, join(built.path, 'copy'), { recursive: true })
  const { stdout, stderr } = await scene.run(`import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const results = [
  await report({ title: 'From the module' }),
  await require('@bugle/sdk').report({ title: 'From CommonJS' }),
  await (await import('./copy/dist/esm/node.js')).report({ title: 'From a copy' }),
  await require('@bugle/sdk').captureException(new Error('From a crash')),
]
print(results.map(({ status }) => status))
await require('@bugle/sdk').close()
print((await report({ title: 'Closed everywhere' })).reason)`)
  expect({ stdout, stderr }).toEqual({
    stdout: '["sent","sent","sent","sent"]\n"not-initialised"\n',
    stderr: '',
  })
  expect(await scene.titles()).toHaveLength(4)
})

test('an endless response is read up to 1 MB, and the report is kept', async ({ scene }) => {
  let sent = 0
  await using server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const write = () => {
      while (sent < ENDLESS_BYTES && !response.destroyed) {
        sent += 1_048_576
        if (!response.write(' '.repeat(1_048_576))) return
      }
    }
    response.on('drain', write)
    response.on('error', () => {})
    write()
  })
  const endpoint = await listen(server)
  const { stdout } = await scene.run(
    `print((await report({ title: 'Endless' })).status)
print(process.resourceUsage().maxRSS < 300_000)`,
    { endpoint },
  )
  expect(stdout).toBe('"queued"\ntrue\n')
  expect(sent).toBeLessThan(ENDLESS_BYTES)
})

test('a temporary folder that another user prepared is not used', async ({ scene }) => {
  const temporary = join(scene.queue, 'tmp')
  const trap = join(scene.queue, 'trap')
  mkdirSync(temporary)
  mkdirSync(trap)
  symlinkSync(trap, join(temporary, `bugle-${process.getuid?.()}`))
  const env = { TMPDIR: temporary, XDG_STATE_HOME: '/dev/null/none' }
  const { stdout } = await scene.run(
    `print((await report({ title: 'Kept in memory' })).status); print((await diagnose()).isDurable)`,
    { queueDirectory: undefined, env },
  )
  expect(stdout).toBe('"sent"\nfalse\n')
  expect(readdirSync(trap)).toEqual([])
})

/** The queued reports; the folder also contains the configuration and other files. */
function waitingIn({ queue, gateway }: Scene): readonly string[] {
  const names = readdirSync(join(queue, `bugle-${encodeURIComponent(gateway.url)}`))
  return names.filter((name) => /^[\da-f-]{36}\.json$/.test(name))
}
