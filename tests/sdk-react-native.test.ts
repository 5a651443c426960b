import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import Metro from 'metro'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../packages/server/test-support/start-app.ts'
import { type BuiltPackage, buildPackage } from './support/sdk/built-package.ts'
import { startGateway } from './support/sdk/gateway.ts'

let built: BuiltPackage
let app: TestApp
beforeAll(async () => {
  built = await buildPackage()
  app = await startApp()
  writeFakeReactNative(built.path)
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  built[Symbol.dispose]()
})

/** The part of React Native that the SDK uses, on an Android phone, and a storage that outlives the app. */
function writeFakeReactNative(path: string): void {
  const folder = join(path, 'node_modules/react-native')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "name": "react-native", "main": "index.js" }')
  writeFileSync(
    join(folder, 'index.js'),
    `exports.Platform = { OS: 'android', constants: { Release: '16', Manufacturer: 'Google', Model: 'Pixel 10' } }
exports.AppState = { addEventListener: () => ({ remove() {} }) }`,
  )
  writeFileSync(
    join(path, 'storage.cjs'),
    `const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const file = __dirname + '/storage.json'
const read = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})
const write = (texts) => writeFileSync(file, JSON.stringify(texts))
exports.storage = {
  getAllKeys: async () => Object.keys(read()),
  getItem: async (key) => read()[key] ?? null,
  setItem: async (key, value) => write({ ...read(), [key]: value }),
  removeItem: async (key) => { const { [key]: _, ...rest } = read(); write(rest) },
}`,
  )
}

/** Runs an app as Metro would resolve it: CommonJS, with the condition of React Native. */
async function runApp(script: string, endpoint: string, publicKey: string): Promise<string> {
  const path = join(built.path, 'app.cjs')
  const options = JSON.stringify({ endpoint, publicKey, appVersion: '5.0', buildNumber: '9', branch: 'main' })
  writeFileSync(
    path,
    `const { close, init, report } = require('@bugle/sdk')
const { captureCrashes } = require('@bugle/sdk/crash')
const { storage } = require('./storage.cjs')
let handler = () => {}
globalThis.ErrorUtils = { getGlobalHandler: () => handler, setGlobalHandler: (next) => { handler = next } }
init({ ...${options}, storage })
captureCrashes()
async function main() { ${script} }
main().then(() => close(2_000))`,
  )
  const child = spawn(process.execPath, ['--conditions=react-native', path], { timeout: 200_000 })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

test('an app that was offline delivers its stored reports at the next start, with all six fields', async () => {
  const project = await app.addProject()
  await using gateway = await startGateway(app.url)
  gateway.mishap = { kind: 'break' }
  const first = await runApp(
    `console.log((await report({ title: 'No signal' })).status); handler(new Error('Fell over'), true)`,
    gateway.url,
    project.publicKey,
  )
  expect(first).toBe('queued\n')

  gateway.mishap = undefined
  // As long as a busy machine needs.
  await runApp("await require('@bugle/sdk').flush(60_000)", gateway.url, project.publicKey)
  const { body } = await app.send('GET', '/v1/issues?sort=oldest', { key: project.secretKey })
  expect(body.data).toMatchObject([{ title: 'No signal' }, { title: 'Error: Fell over', category: 'crash' }])
  for (const issue of body.data)
    expect(issue).toMatchObject({
      appVersion: '5.0',
      buildNumber: '9',
      branch: 'main',
      platform: 'android',
      osVersion: 'Android 16',
      deviceModel: 'Google Pixel 10',
    })
})

/** Bundles an app as React Native does for Android; returns the file. */
async function bundle(source: string): Promise<string> {
  const projectRoot = built.path
  writeFileSync(join(projectRoot, 'metro-app.js'), source)
  const runtime = folderOf('metro-runtime')
  const config = await Metro.loadConfig(
    { cwd: projectRoot },
    {
      projectRoot,
      watchFolders: [projectRoot, runtime],
      maxWorkers: 1,
      cacheStores: [],
      reporter: { update() {} },
      resolver: {
        unstable_conditionNames: ['react-native'],
        extraNodeModules: { 'metro-runtime': runtime },
        useWatchman: false,
      },
      transformer: {
        getTransformOptions: async () => ({
          transform: { experimentalImportSupport: true, inlineRequires: false },
        }),
      },
    },
  )
  const out = join(projectRoot, 'metro-bundle.js')
  await Metro.runBuild(
    // Otherwise a file stays in the temporary folder of the machine.
    { ...config, fileMapCacheDirectory: projectRoot },
    { entry: 'metro-app.js', platform: 'android', dev: false, minify: false, out },
  )
  return out
}

function folderOf(name: string): string {
  return dirname(realpathSync(fileURLToPath(import.meta.resolve(`${name}/package.json`))))
}

const COMPILERS: Readonly<Record<string, string>> = {
  darwin: 'osx-bin/hermesc',
  win32: 'win64-bin/hermesc.exe',
}

test('a person follows their reports, also after a restart', async () => {
  const project = await app.addProject()
  await using gateway = await startGateway(app.url)
  const start = `const { startConversations } = require('@bugle/sdk/conversations')
const conversations = startConversations()`
  await runApp(`${start}; await report({ title: 'Blank' })`, gateway.url, project.publicKey)
  const { body: issues } = await app.send('GET', '/v1/issues', { key: project.secretKey })
  const { status } = await app.send('POST', `/v1/issues/${issues.data[0].id}/comments`, {
    key: project.secretKey,
    body: { commentId: 'reply', text: 'Which phone?', audience: 'reporters' },
  })
  expect(status).toBe(201)
  const stdout = await runApp(
    `${start}
while (!(await conversations.refresh())) await new Promise((resolve) => setTimeout(resolve, 100))
const { reports: [{ id, title }], unreadCount } = conversations.read()
const sent = await conversations.send(id, 'A Pixel')
console.log(JSON.stringify([title, unreadCount, sent.status, conversations.readMessages(id).messages.map(({ text }) => text)]))`,
    gateway.url,
    project.publicKey,
  )
  expect(JSON.parse(stdout)).toEqual(['Blank', 1, 'sent', ['Which phone?', 'A Pixel']])
})

test('Metro bundles it, Hermes compiles it, and it reports with the APIs of React Native', async () => {
  const project = await app.addProject()
  const file = await bundle(`import { init, report } from '@bugle/sdk'
import { captureCrashes } from '@bugle/sdk/crash'
init(${JSON.stringify({ endpoint: app.url, publicKey: project.publicKey, appVersion: '5.0' })})
captureCrashes()
globalThis.result = report({ title: 'From a bundle' })`)

  const compiler = join(
    folderOf('hermes-compiler'),
    'hermesc',
    COMPILERS[process.platform] ?? 'linux64-bin/hermesc',
  )
  const compiled = spawnSync(compiler, ['-w', '-emit-binary', '-out', `${file}.hbc`, file], {
    encoding: 'utf8',
  })
  expect({ status: compiled.status, stderr: compiled.stderr }).toEqual({ status: 0, stderr: '' })

  // No crypto, no storage, no locks, no window.
  const world = createContext({ AbortController, clearTimeout, console, fetch, setTimeout })
  runInContext(readFileSync(file, 'utf8'), world)
  expect(await world['result']).toMatchObject({ status: 'sent' })
  const { body } = await app.send('GET', '/v1/issues', { key: project.secretKey })
  expect(body.data).toMatchObject([
    { title: 'From a bundle', platform: 'android', osVersion: 'Android 16', appVersion: '5.0' },
  ])
})

test('a shake sends a report with a screenshot, which is kept in a folder of the app until it has arrived', async () => {
  const project = await app.addProject()
  await using gateway = await startGateway(app.url)
  const start = `
    const { enableFiles } = require('@bugle/sdk/files')
    const { mkdirSync } = require('node:fs')
    const { readdir, readFile, rm, writeFile } = require('node:fs/promises')
    const path = __dirname + '/files/'
    mkdirSync(path, { recursive: true })
    enableFiles({
      folder: {
        list: () => readdir(path),
        read: (name) => readFile(path + name),
        write: (name, bytes) => writeFile(path + name, bytes),
        remove: (name) => rm(path + name, { force: true }),
      },
    })`
  gateway.uploadMishap = { kind: 'break' }
  const output = await runApp(
    `${start}
    const { reportWithScreenshot } = require('@bugle/sdk/screenshot')
    const { onShake } = require('@bugle/sdk/shake')
    let shake
    let now = 1_000
    const sensor = { addListener(listener) { shake = listener; return { remove() {} } } }
    const picture = 'data:image/png;base64,' + Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1]).toString('base64')
    const shaken = new Promise((resolve) => onShake(sensor, resolve, () => (now += 100)))
    for (let time = 0; time < 3; time++) shake({ x: 0, y: 3, z: 1 })
    await shaken
    console.log((await reportWithScreenshot({ title: 'Shaken' }, async () => picture)).status)
    console.log((await reportWithScreenshot({ title: 'No picture' }, () => { throw new Error('no') })).status)`,
    gateway.url,
    project.publicKey,
  )
  expect(output).toBe('sent\nsent\n')
  const readFiles = async () => {
    const { body } = await app.send('GET', '/v1/issues?q=Shaken', { key: project.secretKey })
    const files = await app.send('GET', `/v1/issues/${body.data[0].id}/attachments`, {
      key: project.secretKey,
    })
    return files.body.data as readonly object[]
  }
  expect(await readFiles()).toMatchObject([{ name: 'screenshot.png', state: 'pending', size: 9 }])

  gateway.uploadMishap = undefined
  const flushed = `${start}
    const { flush } = require('@bugle/sdk')
    console.log(await flush(60_000))`
  expect(await runApp(flushed, gateway.url, project.publicKey)).toBe('true\n')
  expect(await readFiles()).toMatchObject([
    { name: 'screenshot.png', state: 'received', declaredType: 'image/png' },
  ])
  const { body } = await app.send('GET', '/v1/issues', { key: project.secretKey })
  expect(body.data).toMatchObject([{ reportCount: 1 }, { reportCount: 1 }])
})
