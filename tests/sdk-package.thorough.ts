import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import * as esbuild from 'esbuild'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import webpack from 'webpack'
import { type BuiltPackage, buildPackage } from './support/sdk/built-package.ts'

const TSC = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url))
const MAX_TARBALL_BYTES = 235_000

let app: BuiltPackage
let tarball: Uint8Array
beforeAll(async () => {
  app = await buildPackage()
  tarball = packAndInstall(app)
})
afterAll(() => app[Symbol.dispose]())

/** Packs the SDK as it would be published, and installs the result. */
function packAndInstall({ path, sdk }: BuiltPackage): Uint8Array {
  const packed = run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', path], sdk)
  const file = join(path, packed.stdout.trim())
  rmSync(sdk, { recursive: true })
  run('mkdir', ['-p', sdk], path)
  run('tar', ['-xzf', file, '-C', sdk, '--strip-components=1'], path)
  return new Uint8Array(readFileSync(file))
}

function run(command: string, args: readonly string[], cwd = app.path) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 300_000 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed\n${stdout}${stderr}`)
  return { stdout, stderr }
}

function write(name: string, source: string): string {
  const path = join(app.path, name)
  writeFileSync(path, source)
  return path
}

const NAMES = [
  'captureException',
  'close',
  'diagnose',
  'flush',
  'getConfig',
  'init',
  'report',
  'scrub',
  'setUser',
]
const PRINT =
  'console.log(JSON.stringify([sdk, crash, widget, vite].map((module) => Object.keys(module).sort())))'
const EXPECTED = JSON.stringify([NAMES, ['captureCrashes'], ['defineWidget'], ['bugle']])

describe('the package', () => {
  test('is small and has no dependencies', () => {
    expect(tarball.length).toBeLessThan(MAX_TARBALL_BYTES)
    const { dependencies } = JSON.parse(readFileSync(join(app.sdk, 'package.json'), 'utf8'))
    expect(dependencies).toBeUndefined()
  })

  test('passes publint', async () => {
    const { messages } = await publint({ pkgDir: app.sdk, strict: true, pack: false })
    expect(messages).toEqual([])
  })

  test('passes attw', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(tarball))
    if (!analysis.types) throw new Error('there are no types')
    // Module resolution before Node 16 does not support `exports` and therefore no subpaths.
    const problems = analysis.problems.filter(
      (problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    )
    expect(problems).toEqual([])
  })

  test('has self-contained types', () => {
    const types = globSync('dist/**/*.d.ts', { cwd: app.sdk })
    const foreign = types.filter((path) =>
      /@bugle\/contract|\.ts['"]/.test(readFileSync(join(app.sdk, path), 'utf8')),
    )
    expect(types.length).toBeGreaterThan(10)
    expect(foreign).toEqual([])
  })
})

describe('in Node', () => {
  test('it can be imported', () => {
    const path = write(
      'import.mjs',
      `import * as sdk from '@bugle/sdk'
import * as crash from '@bugle/sdk/crash'
import * as widget from '@bugle/sdk/widget'
import * as vite from '@bugle/sdk/vite'
${PRINT}`,
    )
    expect(run(process.execPath, [path])).toEqual({ stdout: `${EXPECTED}\n`, stderr: '' })
  })

  test('it can be required', () => {
    const path = write(
      'require.cjs',
      `const [sdk, crash, widget, vite] = ['', '/crash', '/widget', '/vite'].map((name) => require('@bugle/sdk' + name))
${PRINT}`,
    )
    expect(run(process.execPath, [path])).toEqual({ stdout: `${EXPECTED}\n`, stderr: '' })
  })

  test('it calls the functions in its options', () => {
    const path = write(
      'hooks.mjs',
      `import { close, init, report } from '@bugle/sdk'
init({
  endpoint: 'http://127.0.0.1:1',
  publicKey: 'bgl_pub_x',
  queueDirectory: ${JSON.stringify(join(app.path, 'queue'))},
  beforeSend: ({ title, platform }) => { console.log(title, platform); return null },
  onDrop: (reason) => console.log(reason),
})
console.log(JSON.stringify(await report({ title: 'Private' })))
await close(0)`,
    )
    const { stdout, stderr } = run(process.execPath, [path])
    expect({ lines: stdout.trim().split('\n'), stderr }).toEqual({
      lines: ['Private node', 'before-send', '{"status":"dropped","reason":"before-send"}'],
      stderr: '',
    })
  })

  test('the browser build does nothing during server-side rendering', () => {
    const path = write(
      'server.mjs',
      `const before = Reflect.ownKeys(globalThis).length
const { init } = await import('@bugle/sdk')
const { defineWidget } = await import('@bugle/sdk/widget')
defineWidget()
console.log(Reflect.ownKeys(globalThis).length - before, typeof init)`,
    )
    const { stdout, stderr } = run(process.execPath, ['--conditions=browser', path])
    expect({ stdout, stderr }).toEqual({ stdout: '0 function\n', stderr: '' })
  })
})

describe('TypeScript', () => {
  const SOURCE = `import { type DropReason, init, report, type ReportResult } from '@bugle/sdk'
import { captureCrashes } from '@bugle/sdk/crash'
import { defineWidget } from '@bugle/sdk/widget'
import { bugle } from '@bugle/sdk/vite'
init({
  endpoint: '/bugs',
  publicKey: 'bgl_pub_x',
  appVersion: undefined,
  beforeSend: ({ deviceModel, ...content }) => (deviceModel === 'mine' ? null : content),
  queueDirectory: '/var/lib/app',
  onDrop: (reason: DropReason, id?: string) => void [reason, id],
})
const stop: () => void = captureCrashes()
export async function send(): Promise<ReportResult> {
  stop()
  defineWidget({ languages: {} })
  return report({ title: bugle().name, category: 'ui_ux' })
}
init({ endpoint: '/bugs', publicKey: 'bgl_pub_x', beforeSend: async (content) => content })
const element = document.createElement('bugle-report')
element.open()
element.close()
defineWidget({
  email: true,
  fields: [{ name: 'plan', label: 'Plan', choices: ['Free', 'Team'], isRequired: true }],
  languages: { de: { submit: 'Ab' } },
})
void report({ title: 'x', metadata: { screen: 'Settings', retries: 3 }, fingerprint: 'sync' })
element.addEventListener('bugle-result', ({ detail }) => void (detail.status === 'sent' && detail.issueId))
document.querySelector('bugle-report')?.addEventListener('click', ({ clientX }) => void clientX)
// @ts-expect-error a category that does not exist
void report({ title: 'x', category: 'nonsense' })
// @ts-expect-error an option that does not exist
init({ endpoint: '/bugs', publicKey: 'bgl_pub_x', queueFolder: '/var/lib/app' })
// @ts-expect-error a hook that returns no report
init({ endpoint: '/bugs', publicKey: 'bgl_pub_x', beforeSend: async () => ({ text: 'x' }) })
`

  const JSX_SOURCE = `import type { BugleReportElement } from '@bugle/sdk/widget'
import { useRef } from 'react'
export function Footer() {
  const element = useRef<BugleReportElement>(null)
  return (
    <footer>
      <bugle-report lang="de" position="bottom-left" label="Feedback" theme="dark" shortcut="Mod+Shift+U" ref={element} onbugle-result={({ detail }) => void detail.status} />
      <button onClick={() => element.current?.open()}>Report a problem</button>
    </footer>
  )
}
// @ts-expect-error an attribute that does not exist
export const wrong = <bugle-report language="de" />
// @ts-expect-error a place that does not exist
export const lost = <bugle-report position="middle" />
`

  test.each([
    ['bundler', 'esnext', 'app.ts'],
    ['nodenext', 'nodenext', 'app.mts'],
    ['nodenext', 'nodenext', 'app.cts'],
  ])('with moduleResolution %s finds the types (%s, %s)', (moduleResolution, module, file) => {
    write(file, SOURCE)
    compile(file, { moduleResolution, module })
  })

  test('the element is known in JSX of React', () => {
    app.lend('@types/react')
    write('footer.tsx', JSX_SOURCE)
    compile('footer.tsx', { moduleResolution: 'bundler', module: 'esnext', jsx: 'react-jsx' })
  })

  /** Checks the types of the package too: `skipLibCheck` would hide errors in them. */
  function compile(file: string, options: Readonly<Record<string, string>>): void {
    const all = { ...options, target: 'es2022', lib: 'es2022,dom', types: '' }
    const flags = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])
    run(TSC, [...flags, '--strict', '--noEmit', file])
  }
})

describe('a bundler', () => {
  const ENTRY = `import { init, report } from '@bugle/sdk'
import { captureCrashes } from '@bugle/sdk/crash'
init({ endpoint: '/bugs', publicKey: 'bgl_pub_x' })
captureCrashes()
void report({ title: 'Bundled' })`

  function expectBrowserBuild(code: string): void {
    expect(code).toContain('visibilitychange')
    expect(code).not.toMatch(/node:fs|react-native/)
  }

  test('esbuild uses the browser build', async () => {
    const entryPoints = [write('entry.js', ENTRY)]
    const { outputFiles } = await esbuild.build({
      entryPoints,
      bundle: true,
      write: false,
      platform: 'browser',
    })
    expectBrowserBuild(outputFiles[0]?.text ?? '')
  })

  test('esbuild removes unused code', async () => {
    const source = "import { init } from '@bugle/sdk'\ninit({ endpoint: '/bugs', publicKey: 'bgl_pub_x' })"
    const entryPoints = [write('lean.js', source)]
    const { outputFiles } = await esbuild.build({
      entryPoints,
      bundle: true,
      write: false,
      platform: 'browser',
    })
    expect(outputFiles[0]?.text).not.toMatch(/redacted|rate-limited|sdkVersion/)
  })

  test('rolldown uses the browser build', async () => {
    await using bundle = await rolldown({ input: write('entry.js', ENTRY), platform: 'browser' })
    const { output } = await bundle.generate({})
    expectBrowserBuild(output[0].code)
  })

  test('webpack uses the browser build', async () => {
    const compiler = webpack({
      mode: 'production',
      entry: write('entry.js', ENTRY),
      output: { path: app.path, filename: 'packed.js' },
    })
    const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) =>
      compiler?.run((error, result) => (error ? reject(error) : resolve(result))),
    )
    expect(stats?.toJson().errors).toEqual([])
    expectBrowserBuild(readFileSync(join(app.path, 'packed.js'), 'utf8'))
  })
})
