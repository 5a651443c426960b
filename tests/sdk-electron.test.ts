import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../packages/server/test-support/start-app.ts'
import { type BuiltPackage, buildPackage } from './support/sdk/built-package.ts'

// Electron itself needs a separate download, which these tests avoid. The following simulates its main
// process as the SDK sees it, according to Electron's documentation: Node, with a few more fields of
// `process` and the module `electron`.
let built: BuiltPackage
let app: TestApp
beforeAll(async () => {
  built = await buildPackage()
  app = await startApp()
  writeElectron(built.path)
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  built[Symbol.dispose]()
})

function writeElectron(path: string): void {
  const files = {
    'node_modules/electron/package.json': '{ "name": "electron", "main": "index.js" }',
    'node_modules/electron/index.js': `exports.app = {
  getVersion: () => '45.0.0-from-electron',
  getPath: (name) => ${JSON.stringify(path)} + '/' + name,
}`,
    'electron.cjs': `const { resourcesPath, defaultApp, argument } = JSON.parse(process.env.ELECTRON)
Object.defineProperty(process.versions, 'electron', { value: '45.3.2' })
process.argv = [process.execPath, ...(argument ? [argument] : [])]
Object.assign(process, { type: 'browser', resourcesPath, getSystemVersion: () => '26.1' }, defaultApp && { defaultApp })`,
    'resources/app.asar/package.json': '{ "name": "app", "version": "7.2.0" }',
    'resources/app.asar/main.mjs': main(''),
    'resources/app.asar/told.mjs': main(
      "appVersion: app.getVersion(), queueDirectory: app.getPath('userData'),",
    ),
  }
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), source)
  }
}

function main(options: string): string {
  return `import { app } from 'electron'
import { close, init, report } from '@bugle/sdk'
const { endpoint, publicKey, queue } = JSON.parse(process.env.BUGLE)
init({ endpoint, publicKey, queueDirectory: queue, ${options} })
await report({ title: process.env.TITLE })
await close()`
}

/** How a main process was started, as shown in `process`. */
interface Start {
  readonly title: string
  readonly script: string
  readonly argument?: string
  readonly defaultApp?: boolean
}

test('the main process, packed or in development, detects its app and system', async () => {
  const project = await app.addProject()
  const resources = join(built.path, 'resources')
  async function start({ title, script, ...surface }: Start): Promise<void> {
    const child = spawn(
      process.execPath,
      ['--require', join(built.path, 'electron.cjs'), join(resources, 'app.asar', script)],
      {
        cwd: join(resources, 'app.asar'),
        env: {
          TITLE: title,
          ELECTRON: JSON.stringify({ resourcesPath: resources, ...surface }),
          BUGLE: JSON.stringify({ endpoint: app.url, publicKey: project.publicKey, queue: built.path }),
        },
      },
    )
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }

  await Promise.all([
    start({ title: 'packed', script: 'main.mjs', argument: '--a-flag-of-the-user' }),
    start({ title: 'developed', script: 'main.mjs', argument: '.', defaultApp: true }),
    start({ title: 'told', script: 'told.mjs' }),
  ])
  const { body } = await app.send('GET', '/v1/issues', { key: project.secretKey })
  const issues: readonly Record<string, string>[] = body.data
  const versions = issues.map(({ title, appVersion }) => `${title} ${appVersion}`)
  expect(versions.sort()).toEqual(['developed 7.2.0', 'packed 7.2.0', 'told 45.0.0-from-electron'])
  const systems: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows' }
  for (const { platform, osVersion, deviceModel } of issues) {
    expect(platform).toBe(systems[process.platform] ?? process.platform)
    expect(osVersion).toMatch(process.platform === 'darwin' ? /^macOS 26\.1$/ : /\S/)
    expect(deviceModel).toMatch(/\S/)
  }
  expect(existsSync(join(built.path, 'userData', `bugle-${encodeURIComponent(app.url)}`))).toBe(true)
})
