import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { spawnBugle } from '../packages/server/test-support/run-bugle.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { launchChromium } from '../tests/support/browser/chromium.ts'
import { ROOT } from '../tests/support/start-process.ts'
import { settingsFor, startServer } from '../tests/support/start-server.ts'
import { buildDashboard } from './build-dashboard.mjs'

/** `npm run screenshots`: takes the screenshots of the documents again: the dashboard with the data of `bugle demo`. Then `widget-screenshots.ts` runs. */

const FOLDER = join(ROOT, 'docs', 'screenshots')
const SLUG = 'larder'
const TEAM = ['Ada Lovelace', 'Grace Hopper', 'Katherine Johnson']
const SIZE = { width: 1280, height: 920 }
/** Sharp on high-resolution screens, and small enough for a README. */
const SHARPNESS = 2
const QUALITY = 82
const MAX_BYTES = 250_000

/** A page, and how to detect that it is complete. */
interface Picture {
  readonly name: string
  readonly path: string
  readonly sign: string
}

await main()

async function main(): Promise<void> {
  const problem = buildDashboard(process.execPath, (text) => process.stdout.write(text))
  if (problem !== undefined) throw new Error(problem)
  using folder = temporaryFolder()
  const database = join(folder.path, 'bugle.db')
  await bugle(database, ['migrate'])
  const links: string[] = []
  for (const name of TEAM) links.push(await addPerson(database, name))
  const as = TEAM.flatMap((name) => ['--as', emailOf(name)])
  await bugle(database, ['demo', '--project', SLUG, '--count', '320', '--days', '45', '--json', ...as])

  await using server = await startServer(database)
  await using browser = await launchChromium()
  const state = await signIn(browser, server.url, links[0] ?? '')
  const pictures = await choosePictures(browser, server.url, state)
  mkdirSync(FOLDER, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    const look = { colorScheme, viewport: SIZE, deviceScaleFactor: SHARPNESS, storageState: state }
    await using context = await browser.newContext({ ...look, baseURL: server.url })
    for (const picture of pictures) await take(context, picture, `${picture.name}-${colorScheme}.webp`)
  }
}

async function take(context: BrowserContext, { path, sign }: Picture, file: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(path)
  await page.locator(sign).first().waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.evaluate('document.fonts.ready')
  const devtools = await context.newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  const content = Buffer.from(data, 'base64')
  if (content.length > MAX_BYTES) throw new Error(`${file} has ${content.length} bytes`)
  writeFileSync(join(FOLDER, file), content)
  process.stdout.write(`docs/screenshots/${file}  ${Math.round(content.length / 1024)} KiB\n`)
  await page.close()
}

/** The inbox, the insights, and an issue with a long history: one that regressed. */
async function choosePictures(
  browser: Browser,
  url: string,
  storageState: State,
): Promise<readonly Picture[]> {
  await using context = await browser.newContext({ baseURL: url, storageState })
  const read = async (path: string) => (await context.request.get(path)).json()
  const { data: busiest } = await read(`/v1/issues?projectId=${SLUG}&status=open&sort=reports&pageSize=30`)
  const inbox = { name: 'inbox', path: `/projects/${SLUG}/issues`, sign: '[aria-rowindex="20"]' }
  const insights = { name: 'insights', path: `/projects/${SLUG}/insights`, sign: '[role="slider"]' }
  for (const { id } of busiest) {
    const { data: events } = await read(`/v1/issues/${id}/events`)
    if (!events.some(({ type }: { type: string }) => type === 'issue.regressed')) continue
    return [inbox, { name: 'issue', path: `/issues/${id}`, sign: '[role="slider"]' }, insights]
  }
  throw new Error('no open issue of the demo has regressed: another --seed may have one')
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>

/** Redeems the one-time link, as a person would. */
async function signIn(browser: Browser, url: string, link: string): Promise<State> {
  await using context = await browser.newContext({ baseURL: url })
  const [, token = ''] = link.split('#link=')
  const password = 'a sentence that nobody guesses'
  const answer = await context.request.post('/session/link/accept', { data: { token, password } })
  if (!answer.ok()) throw new Error(`the sign-in answered ${answer.status()}`)
  return context.storageState()
}

async function addPerson(database: string, name: string): Promise<string> {
  const person = ['--email', emailOf(name), '--name', name, '--role', 'admin', '--security']
  const { link } = JSON.parse(await bugle(database, ['user', 'add', ...person, '--json']))
  return link
}

async function bugle(database: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await spawnBugle(args, settingsFor(database))
  if (code !== 0) throw new Error(`bugle ${args[0]} failed: ${stderr}`)
  return stdout
}

function emailOf(name: string): string {
  return `${name.split(' ')[0]?.toLowerCase()}@example.com`
}
