import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { startSite } from './support/sdk/site.ts'
import { type Scene, setStage, test } from './support/sdk/stage.ts'

setStage()

/** Copies an example to a folder where the built SDK is installed, as a reader would have it. */
function take(scene: Scene, name: string): string {
  const path = join(scene.built.path, 'examples', name)
  cpSync(fileURLToPath(new URL(`../examples/${name}`, import.meta.url)), path, { recursive: true })
  return path
}

function environmentOf({ gateway, project, built }: Scene) {
  return {
    PATH: process.env['PATH'],
    BUGLE_URL: gateway.url,
    BUGLE_PUBLIC_KEY: project.publicKey,
    BUGLE_QUEUE: join(built.path, `queue-${project.slug}`),
    PORT: '0',
  }
}

test('the Node script reports, and its crash arrives after the next run', async ({ scene }) => {
  const script = join(take(scene, 'node-script'), 'report.mjs')
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [script, ...args], { env: environmentOf(scene), stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    return code
  }
  expect(await run('--crash')).toBe(1)
  expect(await run()).toBe(0)
  const titles = (await scene.issues()).map(({ title }) => title).sort()
  expect(titles).toEqual(['Error: Crashed on request', 'The nightly import found no files'])
})

test('the plain page reports through its widget', async ({ scene }) => {
  const folder = take(scene, 'plain-page')
  const server = spawn(process.execPath, [join(folder, 'serve.mjs')], {
    env: environmentOf(scene),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [address] = await once(server.stdout, 'data')
    const page = await scene.profile.newPage()
    await page.goto(String(address).trim())
    await page.getByRole('button', { name: 'Report a problem' }).click()
    await page.getByText('Also sent: ').click()
    await page.getByRole('definition').filter({ hasText: '1.0.0' }).waitFor()
    await page.getByRole('textbox', { name: 'What is wrong?' }).fill('From a plain page')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('status').filter({ hasText: 'has arrived' }).waitFor()
    expect(await scene.issues()).toMatchObject([
      { title: 'From a plain page', appVersion: '1.0.0', branch: 'main' },
    ])
  } finally {
    server.kill()
  }
})

test('the Vite app sends version, build number and branch of its build', async ({ scene }) => {
  const root = take(scene, 'vite-app')
  scene.built.lend('vite')
  // As on a build service for a pull request: the branch is the source branch.
  const variables = { GITHUB_HEAD_REF: 'fix/blank', GITHUB_REF_NAME: '12/merge', GITHUB_RUN_NUMBER: '77' }
  const vite = fileURLToPath(new URL('../node_modules/.bin/vite', import.meta.url))
  const { status, stderr } = spawnSync(vite, ['build', root, '--logLevel', 'error'], {
    env: {
      PATH: process.env['PATH'],
      ...variables,
      VITE_BUGLE_URL: scene.gateway.url,
      VITE_BUGLE_PUBLIC_KEY: scene.project.publicKey,
    },
    encoding: 'utf8',
    timeout: 200_000,
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  await using site = await startSite(root)
  const page = await scene.profile.newPage()
  await page.goto(`${site.url}/index.html`)
  await page.getByRole('button', { name: 'Report a problem' }).click()
  await page.getByRole('status').filter({ hasText: 'was sent' }).waitFor()
  await page.getByRole('button', { name: 'Crash' }).click()
  await expect.poll(() => scene.issues()).toHaveLength(2)
  for (const issue of await scene.issues())
    expect(issue).toMatchObject({
      appVersion: '1.2.3',
      buildNumber: '77',
      branch: 'fix/blank',
      platform: 'web',
    })
})
