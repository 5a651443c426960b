import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, test as base, beforeAll, describe, expect } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../packages/server/test-support/start-app.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { type BuiltPackage, buildPackage } from './support/sdk/built-package.ts'
import { type Gateway, startGateway } from './support/sdk/gateway.ts'

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

interface Run {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface Scene {
  readonly project: TestProject
  readonly gateway: Gateway
  readonly queue: string
  /** Runs a script that has started the SDK with crash capture. */
  run(script: string): Promise<Run>
  /** The project's issues on the server. */
  issues(): Promise<readonly Record<string, unknown>[]>
}

const test = base.extend<{ scene: Scene }>({
  scene: async ({ task: _ }, use) => {
    const project = await app.addProject()
    await using gateway = await startGateway(app.url)
    using queue = temporaryFolder()
    const { secretKey: key } = project
    await use({
      project,
      gateway,
      queue: queue.path,
      run: (script) => runScript(script, { gateway, project, queue: queue.path }),
      async issues() {
        const { body } = await app.send('GET', '/v1/issues?pageSize=100', { key })
        const ids: string[] = body.data.map(({ id }: { id: string }) => id)
        return Promise.all(ids.map(async (id) => (await app.send('GET', `/v1/issues/${id}`, { key })).body))
      },
    })
  },
})

async function runScript(
  script: string,
  { gateway, project, queue }: { gateway: Gateway; project: TestProject; queue: string },
): Promise<Run> {
  const path = join(built.path, `script-${project.slug}.mjs`)
  const options = { endpoint: gateway.url, publicKey: project.publicKey, queueDirectory: queue }
  writeFileSync(
    path,
    `import { captureException, close, flush, init, report } from '@bugle/sdk'
import { captureCrashes } from '@bugle/sdk/crash'
init(${JSON.stringify(options)})
captureCrashes()
${script}`,
  )
  // Started from elsewhere: the version is that of the script's package, not of the current folder.
  const child = spawn(process.execPath, [path], {
    cwd: '/',
    env: { PATH: process.env['PATH'], GITHUB_RUN_NUMBER: '512', GITHUB_REF_NAME: 'main' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

describe('a Node script', () => {
  test('that reports exits by itself when the report has arrived, with all six fields', async ({ scene }) => {
    const { code, stderr } = await scene.run(`void report({ title: 'From a script' })`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [issue] = await scene.issues()
    expect(issue).toMatchObject({
      title: 'From a script',
      appVersion: '3.1.4',
      buildNumber: '512',
      branch: 'main',
      platform: 'node',
      osVersion: expect.stringMatching(/\S/),
      deviceModel: expect.stringMatching(/\S/),
      sdk: { name: '@bugle/sdk/node', version: '0.1.0' },
    })
  })

  test('that crashes keeps its exit code and its output; the crash arrives at the next start', async ({
    scene,
  }) => {
    const crash = await scene.run(
      `function explode() { throw new RangeError('token=s3cret too far') }\nexplode()`,
    )
    expect(crash.code).toBe(1)
    expect(crash.stderr).toContain('RangeError: token=s3cret too far')
    expect(crash.stderr).not.toContain('@bugle')
    expect(await scene.issues()).toEqual([])

    const next = await scene.run('')
    expect(next.code).toBe(0)
    expect(await scene.issues()).toMatchObject([
      {
        title: 'RangeError: token=[redacted] too far',
        category: 'crash',
        description: expect.stringContaining('explode'),
        fingerprint: expect.stringMatching(/^2:RangeError:[\w-]+$/),
        metadata: { handled: false },
        appVersion: '3.1.4',
        buildNumber: '512',
        branch: 'main',
        platform: 'node',
        osVersion: expect.any(String),
        deviceModel: expect.any(String),
      },
    ])
  })

  test('that exits because of an unhandled rejection is reported the same way, once', async ({ scene }) => {
    for (let time = 0; time < 3; time++) {
      const { code } = await scene.run(`Promise.reject(new Error('nobody caught me'))`)
      expect(code).toBe(1)
    }
    await scene.run(`await flush(); await report({ title: 'Calm again' })`)
    expect(await scene.issues()).toMatchObject([
      { title: 'Calm again', metadata: { 'bugle.dropped.repeated': 2 } },
      { title: 'Error: nobody caught me', reportCount: 1 },
    ])
  })

  test('that exits immediately sends its report at the next start', async ({ scene }) => {
    const { code } = await scene.run(`void report({ title: 'Goodbye' }); process.exit(3)`)
    expect(code).toBe(3)
    await scene.run('')
    expect(await scene.issues()).toMatchObject([{ title: 'Goodbye' }])
  })

  test('that cannot reach the server still exits, and delivers once when it can', async ({ scene }) => {
    const most = await patienceOf(scene)
    scene.gateway.mishap = { kind: 'break' }
    const { code, stdout } = await scene.run(
      `console.log(JSON.stringify(await report({ title: 'Later' })))\n${MEASURE}`,
    )
    const [result = '', lifetime = ''] = stdout.split('\n')
    expect(code).toBe(0)
    expect(JSON.parse(result)).toMatchObject({ status: 'queued', reason: 'retrying' })
    expect(Number(lifetime)).toBeLessThan(most)
    expect(countWaiting(scene)).toBe(1)

    scene.gateway.mishap = undefined
    await Promise.all([scene.run(''), scene.run('await flush()')])
    expect(await scene.issues()).toMatchObject([{ title: 'Later', reportCount: 1 }])
  })

  test('that closes the SDK exits immediately, although the server does not respond; the report is not lost', async ({
    scene,
  }) => {
    const most = await patienceOf(scene)
    scene.gateway.mishap = { kind: 'stay silent' }
    const closing = await scene.run(`void report({ title: 'Cut short' })\nawait close(500)\n${MEASURE}`)
    expect(closing.code).toBe(0)
    expect(Number(closing.stdout)).toBeLessThan(most)
    expect(countWaiting(scene)).toBe(1)

    // Without close: reports of earlier runs are tried for three seconds.
    const waiting = await scene.run(MEASURE)
    expect(waiting.code).toBe(0)
    expect(Number(waiting.stdout)).toBeLessThan(most)

    scene.gateway.mishap = undefined
    await scene.run('')
    expect(await scene.issues()).toMatchObject([{ title: 'Cut short', reportCount: 1 }])
  })

  test('that has nothing to send exits even if the server does not respond', async ({ scene }) => {
    const most = await patienceOf(scene)
    scene.gateway.mishap = { kind: 'stay silent' }
    const { code, stdout } = await scene.run(MEASURE)
    expect(code).toBe(0)
    expect(Number(stdout)).toBeLessThan(most)
  })
})

/** Prints the lifetime of the process in milliseconds when it exits. */
const MEASURE = "process.on('exit', () => console.log(performance.now()))"

/**
 * The maximum lifetime, in milliseconds, of a process whose requests get no response. It may try for three
 * seconds; each request would wait for thirty. How long the rest takes depends on the machine, so it is
 * measured with a server that responds.
 */
async function patienceOf({ run }: Scene): Promise<number> {
  const { stdout } = await run(MEASURE)
  expect(Number(stdout)).toBeGreaterThan(0)
  return 3_000 + Math.max(12_000, 10 * Number(stdout))
}

/** The reports in the folder, which also contains the configuration and other files. */
function countWaiting({ queue, gateway }: Scene): number {
  const names = readdirSync(join(queue, `bugle-${encodeURIComponent(gateway.url)}`))
  return names.filter((name) => /^[\da-f-]{36}\.json$/.test(name)).length
}
