import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { describe, expect } from 'vitest'
import { readBlocks } from './support/docs/blocks.ts'
import { startSite } from './support/sdk/site.ts'
import { type Scene, setStage, test } from './support/sdk/stage.ts'

setStage()

const GUIDES = join(import.meta.dirname, '../packages/sdk/docs')
/** Stands for the part of Angular that the guide uses. */
const ANGULAR = 'export class ErrorHandler { handleError(error) { console.error(error) } }'

/** Writes the block of a guide that begins with the name of a file, with the address and the key of this test. */
function take(scene: Scene, guide: string, name: string): string {
  const document = readFileSync(join(GUIDES, `${guide}.md`), 'utf8')
  const block = readBlocks(guide, document).find(({ text }) => text.startsWith(`// ${name}\n`))
  if (block === undefined) throw new Error(`${guide}.md has no ${name}`)
  const path = join(scene.built.path, guide, name)
  mkdirSync(dirname(path), { recursive: true })
  const { gateway, project } = scene
  writeFileSync(
    path,
    block.text.replaceAll('https://bugs.example.com', gateway.url).replaceAll('bgl_pub_…', project.publicKey),
  )
  return path
}

/** Bundles a module as an app would, for a page or for Node; returns the path of the result. */
async function bundle(scene: Scene, entry: string, platform: 'browser' | 'node'): Promise<string> {
  for (const name of ['react', 'react-dom', 'vue']) lendOnce(scene, name)
  const angular = join(scene.built.path, 'angular-core.mjs')
  writeFileSync(angular, ANGULAR)
  const file = join(dirname(entry), 'dist', `${platform}.mjs`)
  await using build = await rolldown({
    cwd: scene.built.path,
    input: entry,
    platform,
    logLevel: 'silent',
    resolve: { alias: { '@angular/core': angular } },
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: 'react-jsx' },
  })
  await build.write({ file, format: 'esm', codeSplitting: false })
  return file
}

const lent = new Set<string>()
function lendOnce({ built }: Scene, name: string): void {
  if (lent.has(`${built.path} ${name}`)) return
  lent.add(`${built.path} ${name}`)
  built.lend(name)
}

/** Opens a page that runs a module, whose errors are expected. */
async function openPage(scene: Scene, file: string, script = '') {
  const site = await startSite(dirname(dirname(file)))
  const page = await scene.profile.newPage()
  await page.goto(
    site.page(
      `<!doctype html><html lang="en"><title>App</title><body><script type="module">import * as app from '/browser.mjs'; globalThis.app = app; ${script}</script>`,
    ),
  )
  return { page, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() }
}

async function metadataOf(scene: Scene, title: string): Promise<Record<string, unknown> | undefined> {
  const issue = (await scene.issues()).find((one) => one['title'] === title)
  if (issue === undefined) return undefined
  const { body } = await scene.app.send('GET', `/v1/issues/${issue['id']}`, { key: scene.project.secretKey })
  return body.metadata
}

/** Runs a module in Node, and then some code with what it exports as `app`. */
async function runInNode(scene: Scene, file: string, code: string): Promise<void> {
  const script = `import * as app from ${JSON.stringify(file)}\n${code}`
  const env = {
    PATH: process.env['PATH'],
    NEXT_RUNTIME: 'nodejs',
    XDG_STATE_HOME: join(scene.built.path, `state-${scene.project.slug}`),
  }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env })
}

describe('React', () => {
  test('an error boundary reports with the stack of components, shows its fallback, and tries again', async ({
    scene,
  }) => {
    const file = await bundle(scene, take(scene, 'react', 'main.tsx'), 'browser')
    await using opened = await openPage(scene, file)
    const { page } = opened
    await page.getByRole('button', { name: 'Draw' }).click()
    const retry = page.getByRole('button', { name: 'Something went wrong. Try again' })
    await retry.waitFor()
    await expect
      .poll(() => metadataOf(scene, 'Error: Chart without data'))
      .toMatchObject({ part: 'chart', handled: true, componentStack: expect.stringContaining('\n') })
    await retry.click()
    await page.getByRole('button', { name: 'Draw' }).waitFor()
    await page.getByRole('button', { name: 'Report a problem' }).click()
    await page.getByRole('textbox', { name: 'What is wrong?' }).fill('From React')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => metadataOf(scene, 'From React')).toBeDefined()
    expect(await scene.issues()).toHaveLength(2)
  })
})

describe('Vue', () => {
  test('the plugin reports an error with its place, and the error is still printed', async ({ scene }) => {
    const file = await bundle(scene, take(scene, 'vue', 'main.ts'), 'browser')
    await using opened = await openPage(scene, file)
    const { page } = opened
    const printed: string[] = []
    page.on('console', (message) => printed.push(message.text()))
    await page.getByRole('button', { name: 'Draw' }).click()
    await expect
      .poll(() => metadataOf(scene, 'Error: Chart without data'))
      .toMatchObject({ part: 'chart', handled: true, place: expect.any(String) })
    await expect.poll(() => printed.join('\n')).toContain('Chart without data')
    await page.getByRole('button', { name: 'Report a problem' }).waitFor()
  })
})

describe('Next.js', () => {
  test('the client instrumentation and the error page report', async ({ scene }) => {
    const start = take(scene, 'nextjs', 'instrumentation-client.ts')
    take(scene, 'nextjs', 'app/global-error.tsx')
    const entry = join(dirname(start), 'page.tsx')
    writeFileSync(
      entry,
      `import './instrumentation-client.ts'
import { createRoot } from 'react-dom/client'
import GlobalError from './app/global-error.tsx'
const error = Object.assign(new Error('Broken page'), { digest: '4711' })
createRoot(document).render(<GlobalError error={error} />)`,
    )
    await using opened = await openPage(scene, await bundle(scene, entry, 'browser'))
    await opened.page.getByText('Something went wrong.').waitFor()
    await expect
      .poll(() => metadataOf(scene, 'Error: Broken page'))
      .toMatchObject({ digest: '4711', handled: true })
  })

  test('the server instrumentation reports errors of requests, without the query', async ({ scene }) => {
    const file = await bundle(scene, take(scene, 'nextjs', 'instrumentation.ts'), 'node')
    const request = { path: '/orders?token=secret', method: 'GET' }
    await runInNode(
      scene,
      file,
      `await app.register()\nawait app.onRequestError(new Error('No orders'), ${JSON.stringify(request)})`,
    )
    await expect
      .poll(() => metadataOf(scene, 'Error: No orders'))
      .toMatchObject({ path: '/orders', method: 'GET' })
  })
})

describe('Svelte', () => {
  test('the hooks of SvelteKit report in the browser and on the server', async ({ scene }) => {
    const client = await bundle(scene, take(scene, 'svelte', 'src/hooks.client.ts'), 'browser')
    await using opened = await openPage(
      scene,
      client,
      "app.handleError({ error: new Error('In the browser'), status: 500 })",
    )
    await opened.page.title()
    const server = await bundle(scene, take(scene, 'svelte', 'src/hooks.server.ts'), 'node')
    await runInNode(
      scene,
      server,
      `await app.handleError({ error: new Error('Unknown address'), status: 404 })
await app.handleError({ error: new Error('On the server'), status: 500 })`,
    )
    const titles = async () => (await scene.issues()).map(({ title }) => title).toSorted()
    await expect.poll(titles).toEqual(['Error: In the browser', 'Error: On the server'])
    expect(await metadataOf(scene, 'Error: On the server')).toMatchObject({ status: 500 })
  })
})

describe('Angular', () => {
  test('the error handler reports once, and passes the error on', async ({ scene }) => {
    const file = await bundle(scene, take(scene, 'angular', 'src/report-errors.ts'), 'browser')
    await using opened = await openPage(
      scene,
      file,
      `const error = new Error('No route'); new app.reportErrors.useClass().handleError(error);
setTimeout(() => { throw error })`,
    )
    await opened.page.title()
    await expect.poll(() => metadataOf(scene, 'Error: No route')).toMatchObject({ handled: true })
    expect(await scene.issues()).toMatchObject([{ title: 'Error: No route', reportCount: 1 }])
  })
})
