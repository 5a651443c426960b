import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type InstalledPackages, installPackages } from './support/installed-packages.ts'
import { curlLinesOf, isInstalled, paste } from './support/printed-lines.ts'
import { ROOT, shellEnvironment, startProcess, type TestProcess } from './support/start-process.ts'
import { type Keys, printedAddress, printedKeys } from './support/start-server.ts'

const TSC = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url))

let app: InstalledPackages
beforeAll(async () => {
  app = await installPackages()
}, 900_000)
afterAll(() => app[Symbol.dispose]())

describe.each(['bugle', '@bugle/sdk', '@bugle/client'])('%s', (name) => {
  const folder = () => join(app.path, 'node_modules', name)
  const tarball = () => app.tarballs[name.replace('@', '').replace('/', '-')] ?? ''

  test('has its README and licence, and no sources', () => {
    const { stdout } = spawnSync('tar', ['-tzf', tarball()], { encoding: 'utf8' })
    const files = stdout.trim().split('\n')
    for (const paper of ['README.md', 'LICENSE', 'CHANGELOG.md']) expect(files).toContain(`package/${paper}`)
    expect(files.filter((file) => /(?<!\.d)\.tsx?$/.test(file))).toEqual([])
    expect(files.filter((file) => /\.d\.ts$/.test(file) && name === 'bugle')).toEqual([])
  })

  test('is ready to be published', () => {
    const manifest = JSON.parse(readFileSync(join(folder(), 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({
      license: 'MIT',
      author: 'The Bugle authors',
      description: expect.stringMatching(/\w/),
      keywords: expect.arrayContaining([expect.any(String)]),
      engines: { node: name === 'bugle' ? '>=24.7' : '>=20' },
      publishConfig: { access: 'public', provenance: true },
    })
    for (const absent of ['private', 'scripts', 'devDependencies'])
      expect(manifest).not.toHaveProperty(absent)
    expect(Object.keys(manifest.dependencies ?? {}).filter((one) => one.startsWith('@bugle/'))).toEqual([])
  })

  test('passes publint', async () => {
    const { messages } = await publint({ pkgDir: folder(), strict: true, pack: false })
    expect(messages).toEqual([])
  })

  test('contains no build paths', () => {
    const files = globSync('**/*.{js,json,html,css,d.ts}', { cwd: folder() })
    const telling = files.filter((file) => readFileSync(join(folder(), file), 'utf8').includes(ROOT))
    expect(files.length).toBeGreaterThan(5)
    expect(telling).toEqual([])
  })
})

test('the code of bugle takes one byte per character, also in memory', () => {
  const folder = join(app.path, 'node_modules/bugle/packages/server/dist')
  const files = globSync('*.cjs', { cwd: folder })
  const wide = files.filter((file) => /[^\0-\xff]/.test(readFileSync(join(folder, file), 'utf8')))
  expect(files.length).toBeGreaterThan(5)
  expect(wide).toEqual([])
})

test('bugle bundles its dependencies, with their licences', () => {
  const folder = join(app.path, 'node_modules/bugle')
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(dependencies).toBeUndefined()
  const licences = readFileSync(join(folder, 'packages/server/dist/licences.md'), 'utf8')
  const server = JSON.parse(readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8'))
  const named = Object.keys(server.dependencies).filter((name) => !name.startsWith('@bugle/'))
  expect(named.filter((name) => !licences.includes(`\n## ${name} `))).toEqual([])
  expect(licences).not.toContain('(undefined)')
})

test('bugle contains the files that its guides name: the systemd unit and the migration script', () => {
  for (const file of ['deploy/bugle.service', 'examples/migrate/import-issues.mjs'])
    expect(existsSync(join(app.path, 'node_modules/bugle', file))).toBe(true)
})

/** A size in a file of `/proc`. */
function mebibytesIn(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1_024
}

test.skipIf(process.platform !== 'linux')('a server frees the memory of its startup', async () => {
  await using server = startProcess({
    command: process.execPath,
    args: [join(app.path, 'node_modules/bugle/packages/server/dist/bugle.cjs'), 'serve'],
    environment: { ...app.environment, BUGLE_PORT: '0', BUGLE_DATABASE_URL: 'sqlite:idle.db' },
    cwd: app.path,
  })
  await server.waitFor(/Press Ctrl\+C to stop/)
  const status = () => readFileSync(`/proc/${server.pid}/status`, 'utf8')
  // It uses 35 MiB: 39 if the code of the startup is optimized, and 10 more without the collection.
  await expect.poll(() => mebibytesIn(status(), 'RssAnon'), { interval: 250 }).toBeLessThan(37)
  // Node's data: 17 MiB. Formatting the first number or date for a locale loads 5 MiB of it.
  const maps = readFileSync(`/proc/${server.pid}/smaps`, 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
  const data = maps.filter(
    (map) => map.startsWith(' r--p ', map.indexOf(' ')) && map.includes(process.execPath),
  )
  expect(data.length).toBeGreaterThan(0)
  expect(Math.max(...data.map((map) => mebibytesIn(map, 'Rss')))).toBeLessThan(19.5)
})

test('a server optimizes its code only once its routes are set up', async () => {
  await using server = startProcess({
    command: process.execPath,
    args: ['--trace-opt', join(app.path, 'node_modules/bugle/packages/server/dist/bugle.cjs'), 'serve'],
    environment: {
      ...app.environment,
      BUGLE_PORT: '0',
      BUGLE_DATABASE_URL: 'sqlite:optimized.db',
      BUGLE_RATE_LIMITS: 'off',
    },
    cwd: app.path,
  })
  const url = await printedAddress(server)
  const { publicKey } = await printedKeys(server)
  const headers = { authorization: `Bearer ${publicKey}`, 'content-type': 'application/json' }
  const submit = (title: string) =>
    fetch(`${url}/v1/issues`, { method: 'POST', headers, body: JSON.stringify({ title }) })
  const isDone = () => server.stdout.includes('(target TURBOFAN_JS) - took')
  for (let count = 0; count < 2_000 && !isDone(); count++)
    await Promise.all(Array.from({ length: 20 }, (_, index) => submit(`Blank ${count}.${index}`)))
  const [before = '', after = ''] = server.stdout.split('is listening')
  // Loading the code is optimized; the routes, for which this runs thousands of times, are not.
  expect(before).toContain('MAGLEV')
  expect(before).not.toContain('JSFunction findStaticMatchingChild')
  expect(after).toContain('(target MAGLEV) - took')
  expect(after).toContain('(target TURBOFAN_JS) - took')
})

describe('npx bugle serve', () => {
  let npx: TestProcess
  let url: string
  let keys: Keys

  beforeAll(async () => {
    npx = startProcess({
      command: 'npx',
      args: ['bugle', 'serve'],
      environment: { ...app.environment, BUGLE_PORT: '0' },
      cwd: app.path,
      leadsGroup: true,
    })
    url = await printedAddress(npx)
    keys = await printedKeys(npx)
    await npx.waitFor(/Press Ctrl\+C to stop/)
  })
  afterAll(() => npx[Symbol.asyncDispose]())

  test.skipIf(!isInstalled('curl') || !isInstalled('bash'))('prints a curl command that gets 201', () => {
    const { status, body } = paste(curlLinesOf(npx.stdout)[0] ?? '')
    expect({ status, body }).toMatchObject({ status: '201', body: { title: 'Settings screen stays blank' } })
  })

  test('serves the dashboard with all its files', async () => {
    const page = await fetch(url)
    const parts = [...(await page.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)]
    expect({ status: page.status, hasParts: parts.length > 1 }).toEqual({ status: 200, hasParts: true })
    for (const [, part = ''] of parts) expect((await fetch(url + part)).status).toBe(200)
  })

  test.each(['/docs', '/docs/reference', '/docs/operating', '/docs/sdk', '/openapi.json', '/problems'])(
    'serves %s',
    async (path) => expect((await fetch(url + path)).status).toBe(200),
  )

  test('accepts the report of the SDK example', () => {
    const script = join(app.path, 'report.mjs')
    cpSync(join(ROOT, 'examples/node-script/report.mjs'), script)
    const { stdout, stderr } = spawnSync('node', [script], {
      cwd: app.path,
      encoding: 'utf8',
      env: {
        ...app.environment,
        BUGLE_URL: url,
        BUGLE_PUBLIC_KEY: keys.publicKey,
        BUGLE_QUEUE: join(app.path, 'queue'),
      },
    })
    expect({ result: JSON.parse(stdout), stderr }).toMatchObject({ result: { status: 'sent' }, stderr: '' })
  })

  test('works with the client as in its README, and searches in threads', async () => {
    const authorization = `Bearer ${keys.secretKey}`
    const found = await fetch(`${url}/v1/issues?q=nightly`, { headers: { authorization } })
    const { data } = (await found.json()) as { data: { id: string }[] }
    expect(data).toHaveLength(1)
    const id = data[0]?.id ?? ''
    const readme = readFileSync(join(app.path, 'node_modules/@bugle/client/README.md'), 'utf8')
    const [, example = ''] = /^```js\n(.*?)^```$/ms.exec(readme) ?? []
    writeFileSync(
      join(app.path, 'client.mjs'),
      example.replace('http://127.0.0.1:4000', url).replace('bgl_sec_…', keys.secretKey).replace('iss_…', id),
    )
    const { stdout, stderr } = app.run('node', ['client.mjs'])
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^\d The nightly import found no files$/m)
    const issue = await fetch(`${url}/v1/issues/${id}`, { headers: { authorization } })
    expect(await issue.json()).toMatchObject({ status: 'resolved' })
  })

  test('is checked and backed up by the other commands', () => {
    const doctor = app.run('npx', ['bugle', 'doctor', '--quick', '--json'])
    expect({ status: doctor.status, answer: JSON.parse(doctor.stdout) }).toMatchObject({ status: 0 })
    expect(app.run('npx', ['bugle', 'backup', 'copy.db']).stdout).toMatch(/^Backed up 1 project, \d issues?/)
    expect(app.run('npx', ['bugle', 'backup', '--check', 'copy.db']).status).toBe(0)
    expect(existsSync(join(app.path, 'data/bugle.db'))).toBe(true)
  })

  test('shuts down cleanly', async () => {
    await npx.end('SIGTERM')
    // npx may exit before the server.
    await expect.poll(() => npx.stderr).toContain('"msg":"stopping"')
    const isServed = () => fetch(`${url}/healthz`).then(Boolean, () => false)
    await expect.poll(isServed).toBe(false)
  })
})

const [major = 0, minor = 0] = machineNode().split('.').map(Number)
describe.runIf(major > 0 && (major < 24 || (major === 24 && minor < 7)))('on a Node that is too old', () => {
  function bugle(...args: readonly string[]) {
    const program = join(app.path, 'node_modules/.bin/bugle')
    const { status, stdout, stderr } = spawnSync('node', [program, ...args], {
      env: shellEnvironment(),
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }

  test('explains that', () => {
    const stderr = expect.stringMatching(/^Bugle needs Node 24\.7 or/)
    expect(bugle('serve')).toEqual({ status: 1, stdout: '', stderr })
  })

  test('uses the installed one, and exits with its code', () => {
    const beside = join(app.path, 'node_modules/node/bin')
    mkdirSync(beside, { recursive: true })
    symlinkSync(process.execPath, join(beside, 'node'))
    try {
      expect(bugle('--version')).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' })
      expect(bugle('nonsense')).toMatchObject({ status: 2, stdout: '' })
    } finally {
      rmSync(join(app.path, 'node_modules/node'), { recursive: true })
    }
  })
})

/** The version of the Node that a shell finds; empty if there is none. */
function machineNode(): string {
  const { stdout } = spawnSync('node', ['-p', 'process.versions.node'], {
    env: shellEnvironment(),
    encoding: 'utf8',
  })
  return stdout ?? ''
}

describe('the types of @bugle/client', () => {
  test('pass attw', async () => {
    const tarball = new Uint8Array(readFileSync(app.tarballs['bugle-client'] ?? ''))
    const analysis = await checkPackage(createPackageFromTarballData(tarball))
    if (!analysis.types) throw new Error('there are no types')
    // Resolvers without support for ES modules or `exports` cannot use it.
    const problems = analysis.problems.filter(
      (problem) =>
        !('resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind)),
    )
    expect(problems).toEqual([])
  })

  test('are those of the contract', () => {
    writeFileSync(
      join(app.path, 'typed.mts'),
      `import { ApiProblem, createClient, endpoints, type Item } from '@bugle/client'
const client = createClient({ url: 'http://127.0.0.1:4000', key: 'bgl_sec_x' })
export async function resolve(id: string): Promise<'resolved' | string> {
  const { body } = await client.call(endpoints.changeIssue, { params: { id }, body: { status: 'resolved' } })
  const row: Item<typeof endpoints.listIssues> | undefined = undefined
  // @ts-expect-error a status that does not exist
  await client.call(endpoints.changeIssue, { params: { id }, body: { status: 'nonsense' } }).catch((error) => error instanceof ApiProblem)
  // @ts-expect-error a list is not an issue
  const wrong: typeof body = (await client.call(endpoints.listIssues)).body
  return [row, wrong, body.status].join()
}
`,
    )
    const flags = '--module nodenext --strict --noEmit --target es2022 --lib es2022,dom'.split(' ')
    const { status, stdout } = app.run(process.execPath, [TSC, ...flags, '--types', '', 'typed.mts'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })
})
