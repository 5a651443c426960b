import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startApp, type TestApp, type TestProject } from '../packages/server/test-support/start-app.ts'
import { launchChromium } from '../tests/support/browser/chromium.ts'
import { buildPackage } from '../tests/support/sdk/built-package.ts'
import { type Gateway, startGateway } from '../tests/support/sdk/gateway.ts'
import { startSite } from '../tests/support/sdk/site.ts'
import { giveFiles } from '../tests/support/sdk/widget-files.ts'
import { ROOT } from '../tests/support/start-process.ts'

/** The second part of `npm run screenshots`: takes the screenshots of the widget again, in a fictional app. */

const FOLDER = join(ROOT, 'docs', 'screenshots')
const DESKTOP = { width: 980, height: 700 }
const PHONE = { width: 390, height: 760 }
const QUALITY = 78
const NARROW = { width: 490, height: 640 }
const GAP = 28
/** Stands for the fonts of common systems. The machine that takes the screenshots may have none that looks like them. */
const FONT = readFileSync(
  join(ROOT, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
)
/** The address of the app, and a browser of a person. */
const ORIGIN = 'https://larder.example'
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36'

/** An app in its own colours, and what it sets for the widget. */
interface Brand {
  readonly name: string
  readonly page: string
  readonly text: string
  readonly line: string
  readonly font: string
  /** The style and the attributes of the element. */
  readonly widget?: string
  readonly attributes?: string
}

const LIGHT: Brand = { name: 'Larder', page: '#f7f8fa', text: '#1c2230', line: '#dfe3ea', font: 'Inter' }
const DARK: Brand = { ...LIGHT, page: '#101216', text: '#e9ebf0', line: '#2a2e37' }
const WARM: Brand = {
  name: 'Fern & Fable',
  page: '#fbf6ee',
  text: '#3a2d22',
  line: '#e8dcc9',
  font: 'Georgia, "Liberation Serif", serif',
  widget:
    '--bugle-accent: #a8431f; --bugle-background: #fffdf8; --bugle-text: #3a2d22; --bugle-radius: 4px; --bugle-font: Georgia, "Liberation Serif", serif',
  attributes: 'label="Tell us"',
}
const NEON: Brand = {
  name: 'pulse/db',
  page: '#0b0f14',
  text: '#d7e2ea',
  line: '#1d2832',
  font: 'ui-monospace, "Liberation Mono", monospace',
  widget:
    '--bugle-accent: #3ee08f; --bugle-accent-text: #04170d; --bugle-background: #10171e; --bugle-text: #d7e2ea; --bugle-radius: 20px; --bugle-font: ui-monospace, "Liberation Mono", monospace',
  attributes: 'label="Feedback"',
}

const REPORTS: Brand = { ...LIGHT, attributes: 'my-reports' }
const DARK_REPORTS: Brand = { ...DARK, attributes: 'my-reports' }

type State =
  | 'closed'
  | 'empty'
  | 'form'
  | 'files'
  | 'editor'
  | 'details'
  | 'sending'
  | 'sent'
  | 'saved'
  | 'failed'
  | 'badge'
  | 'list'
  | 'talk'

interface Shot {
  readonly brand: Brand
  readonly state: State
  readonly size: { readonly width: number; readonly height: number }
}

/** Each picture is a row of shots. */
const PICTURES: Readonly<Record<string, readonly Shot[]>> = {
  'widget-light': [{ brand: LIGHT, state: 'form', size: DESKTOP }],
  'widget-dark': [{ brand: DARK, state: 'form', size: DESKTOP }],
  'widget-states': states(LIGHT),
  'widget-states-dark': states(DARK),
  'widget-editor': [{ brand: LIGHT, state: 'editor', size: DESKTOP }],
  'widget-files': [LIGHT, DARK].map((brand) => ({
    brand,
    state: 'files',
    size: { width: 500, height: 700 },
  })),
  'widget-phone': (['closed', 'form', 'editor', 'sent'] as const).map((state) => ({
    brand: LIGHT,
    state,
    size: PHONE,
  })),
  'widget-reports': [
    { brand: REPORTS, state: 'badge', size: NARROW },
    { brand: REPORTS, state: 'list', size: NARROW },
    { brand: REPORTS, state: 'talk', size: NARROW },
    { brand: DARK_REPORTS, state: 'talk', size: NARROW },
  ],
  'widget-themes': [WARM, NEON].map((brand) => ({ brand, state: 'form', size: { width: 640, height: 640 } })),
}

function states(brand: Brand): readonly Shot[] {
  return (['empty', 'details', 'sending', 'failed', 'sent', 'saved'] as const).map((state) => ({
    brand,
    state,
    size: NARROW,
  }))
}

const names = process.argv.slice(2)
await takePictures(names.length > 0 ? names : Object.keys(PICTURES))

async function takePictures(names: readonly string[]): Promise<void> {
  using built = await buildPackage()
  await using site = await startSite(built.sdk)
  await using app = await startApp()
  await using gateway = await startGateway(app.url)
  const project = await app.addProject()
  const { publicKey } = project
  await using browser = await launchChromium()
  for (const name of names) {
    const images: string[] = []
    for (const shot of PICTURES[name] ?? []) {
      gateway.mishap = undefined
      const url = site.page(pageOf(shot.brand, { endpoint: gateway.url, publicKey }))
      images.push(await take(browser, shot, { url, gateway, answer: () => answerReports(app, project) }))
    }
    const content = await arrange(browser, images, PICTURES[name]?.[0]?.size.width ?? 0)
    writeFileSync(join(FOLDER, `${name}.webp`), content)
    process.stdout.write(`docs/screenshots/${name}.webp  ${Math.round(content.length / 1024)} KiB\n`)
  }
}

interface RunningServer {
  readonly url: string
  readonly gateway: Gateway
  /** Lets the team answer what was reported. */
  answer(): Promise<void>
}

/** A picture of one state, as a data URL. */
async function take(
  browser: Browser,
  { state, size }: Shot,
  { url, gateway, answer }: RunningServer,
): Promise<string> {
  await using context = await browser.newContext({
    viewport: size,
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    userAgent: USER_AGENT,
    // The server is on this machine.
    permissions: ['local-network-access'],
  })
  await context.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/font') return route.fulfill({ contentType: 'font/woff2', body: FONT })
    return route.fulfill({ response: await route.fetch({ url: new URL(pathname, url).href }) })
  })
  // Phones cannot take screenshots.
  if (size === PHONE)
    await context.addInitScript(() => Reflect.deleteProperty(MediaDevices.prototype, 'getDisplayMedia'))
  const page = await context.newPage()
  await page.goto(ORIGIN + new URL(url).pathname)
  const launcher = page.locator('bugle-report').getByRole('button').first()
  await launcher.waitFor()
  await page.evaluate(() => document.fonts.ready)
  const picture = await page.screenshot()
  if (['badge', 'list', 'talk'].includes(state)) {
    await converse(page, state, answer)
  } else if (state !== 'closed') {
    await launcher.click()
    // Away from the buttons.
    await page.mouse.move(0, 0)
    if (state !== 'empty') await write(page)
    await page.getByRole('button', { name: 'Attach a file' }).waitFor()
    if (state === 'files' || state === 'editor') await attach(page, picture)
    if (state === 'editor') await edit(page)
    await reach(page, state, gateway)
  }
  return `data:image/png;base64,${(await page.screenshot()).toString('base64')}`
}

/** Reports twice, and shows what became of it. */
async function converse(page: Page, state: State, answer: () => Promise<void>): Promise<void> {
  for (const title of ['The shopping list is empty after a sync', 'Pantry shows the wrong date'])
    await page.evaluate(`Bugle.report(${JSON.stringify({ title })})`)
  await answer()
  // Asks the server.
  await page.evaluate("document.querySelector('bugle-report').openReports()")
  await page.getByText('Fixed in').waitFor()
  await page.mouse.move(0, 0)
  if (state === 'badge') await page.getByRole('button', { name: 'Close' }).press('Enter')
  if (state === 'badge') return
  if (state === 'list') return
  await page.getByRole('listitem').filter({ hasText: 'shopping list' }).getByRole('button').click()
  await page.getByText('Which phone').waitFor()
  await page
    .getByRole('textbox', { name: 'Your message' })
    .fill('A Pixel 9. It started with the last update.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.mouse.move(0, 0)
  await page.getByText('Sending').waitFor({ state: 'hidden' })
  await page.getByText('A Pixel 9').waitFor()
}

/** Replies to the older of the two latest issues, and resolves the other one. */
async function answerReports(app: TestApp, { secretKey: key }: TestProject): Promise<void> {
  const { body } = await app.send('GET', '/v1/issues?pageSize=2', { key })
  const [newer, older] = body.data.map(({ id }: { readonly id: string }) => `/v1/issues/${id}`)
  const text = 'Thank you for telling us! Which phone do you use, and since when does it happen?'
  const reply = { commentId: crypto.randomUUID(), text, audience: 'reporters' }
  await app.send('POST', `${older}/comments`, { key, body: reply })
  const { headers } = await app.send('GET', newer, { key })
  const change = { status: 'resolved', fixedIn: { appVersion: '2.4.2' } }
  await app.send('PATCH', newer, { key, headers: { 'if-match': `${headers.get('etag')}` }, body: change })
}

async function write(page: Page): Promise<void> {
  await page.getByLabel('What is wrong?').fill('The shopping list is empty after a sync')
  await page
    .getByLabel('What did you do')
    .fill('I added oat milk on my phone and opened the list here. Pulling to refresh does not help.')
}

/** A screenshot of the page, and a log. */
async function attach(page: Page, picture: Buffer): Promise<void> {
  await giveFiles(page, 'paste', [
    { name: 'screenshot.png', type: 'image/png', bytes: picture },
    { name: 'sync.log', type: 'text/plain', bytes: Buffer.alloc(2_400, 'a') },
  ])
  await page.getByRole('checkbox', { name: 'sync.log' }).waitFor()
  // Thumbnails are drawn when the image has been decoded.
  await page.waitForTimeout(500)
}

async function edit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit screenshot' }).click()
  const image = page.getByRole('application')
  const box = await image.boundingBox()
  if (!box) throw new Error('there is no image')
  const marks = [
    ['Box', 0.345, 0.12, 0.645, 0.4],
    ['Arrow', 0.7, 0.6, 0.6, 0.42],
    ['Black out', 0.04, 0.185, 0.24, 0.22],
  ] as const
  for (const [tool, left, top, right, bottom] of marks) {
    await page.getByRole('button', { name: tool, exact: true }).click()
    await page.mouse.move(box.x + left * box.width, box.y + top * box.height)
    await page.mouse.down()
    await page.mouse.move(box.x + right * box.width, box.y + bottom * box.height, { steps: 5 })
    await page.mouse.up()
  }
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.62 * box.height)
  await page.keyboard.type('Empty since 2.4')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Arrow', exact: true }).click()
  await page.mouse.move(0, 0)
}

async function reach(page: Page, state: State, gateway: Gateway): Promise<void> {
  const status = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
  const send = () => page.getByRole('button', { name: 'Send' }).click()
  if (state === 'details') {
    await page.getByText('Also sent').click()
    await page.getByRole('definition').first().waitFor()
    await page.getByRole('definition').last().scrollIntoViewIfNeeded()
  }
  if (state === 'sending') gateway.mishap = { kind: 'stay silent' }
  if (state === 'failed')
    gateway.mishap = { kind: 'answer', status: 400, body: '{"requestId":"req_picture"}' }
  if (state === 'saved') await page.context().setOffline(true)
  if (['empty', 'form', 'files', 'editor', 'details'].includes(state)) return
  await send()
  await page.mouse.move(0, 0)
  await status(
    { sending: 'Sending', sent: 'arrived', saved: 'Saved', failed: 'not accepted' }[state as string] ?? '',
  )
}

/** Combines screenshots side by side. */
async function arrange(browser: Browser, images: readonly string[], width: number): Promise<Buffer> {
  await using context = await browser.newContext({
    viewport: { width: 3_200, height: 1_000 },
    deviceScaleFactor: images.length > 2 ? 1 : 1.5,
  })
  const page = await context.newPage()
  const tags = images.map((image) => `<img src="${image}" width="${width}">`).join('')
  const border = 'border-radius: 10px; border: 1px solid #8884; display: block'
  await page.setContent(
    `<style>body { margin: 0 } div { display: inline-flex; gap: ${GAP}px } img { ${border} }</style><div>${images.length > 0 ? tags : ''}</div>`,
  )
  await page.waitForFunction('[...document.images].every(({ complete }) => complete)')
  const box = await page.locator('div').boundingBox()
  const devtools = await context.newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    clip: { x: 0, y: 0, width: box?.width ?? 0, height: box?.height ?? 0, scale: 1 },
  })
  return Buffer.from(data, 'base64')
}

function pageOf(brand: Brand, { endpoint, publicKey }: { endpoint: string; publicKey: string }): string {
  const { name, page, text, line, font, widget = '', attributes = '' } = brand
  const cards = ['Pantry', 'Shopping list', 'Recipes', 'Meal plan', 'Shared with Ada', 'Offline copies']
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><meta name="app-version" content="2.4.1"><title>${name}</title>
<style>
@font-face { font-family: Inter; src: url(/font); font-weight: 100 900 }
body { margin: 0; background: ${page}; color: ${text}; font: 15px/1.5 ${font} }
header { display: flex; gap: 24px; align-items: center; padding: 16px 28px; border-bottom: 1px solid ${line} }
header b { font-size: 19px }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); gap: 18px; padding: 28px }
section { min-height: 150px; padding: 16px; border: 1px solid ${line}; border-radius: 8px; color: color-mix(in srgb, ${text} 78%, ${page}) }
section b { display: block; color: ${text} }
bugle-report { --bugle-font: ${font}; ${widget} }
</style>
<header><b>${name}</b><span>Home</span><span>Lists</span></header>
<main>${cards.map((card) => `<section><b>${card}</b>Changed two hours ago</section>`).join('')}</main>
<script src="/sdk/bugle-widget.js" data-endpoint="${endpoint}" data-public-key="${publicKey}"></script>
<bugle-report ${attributes}></bugle-report>`
}
