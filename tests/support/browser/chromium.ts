import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packed from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import testsPackage from '../../package.json' with { type: 'json' }
import { watchBrowser } from './evidence.ts'

const VERSION = testsPackage.devDependencies['@sparticuz/chromium']

// Not the arguments of the package: they disable web security, and with it CORS and CSP.
const ARGUMENTS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** A timeout for browsers that hang. */
const LAUNCH_MS = 200_000
/** Shorter than the test timeout, so that the error shows where it waited. */
export const WAIT_MS = 90_000

// Features of real browsers that the driver disables.
const KEPT_FEATURES = ['--disable-back-forward-cache']

/** Starts a real Chromium: the one in `BUGLE_TEST_CHROMIUM`, or the one from npm. */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const options = { timeout: LAUNCH_MS, args: [...ARGUMENTS, ...more], ignoreDefaultArgs: KEPT_FEATURES }
  const other = process.env['BUGLE_TEST_CHROMIUM']
  const browser = await chromium.launch({ ...options, executablePath: other || (await unpack()) })
  watchBrowser(browser)
  if (other) return browser
  const [major = ''] = VERSION.split('.')
  if (!browser.version().startsWith(`${major}.`))
    throw new Error(`Chromium ${browser.version()} is not the one of version ${VERSION}`)
  return browser
}

let shared: Promise<Browser> | undefined

/** The only Chromium of this worker, shared by all its files. It exits with the worker; each test opens its own profile. */
export function sharedChromium(): Promise<Browser> {
  shared ??= launchChromium()
  return shared
}

/** Unpacks it once per version. It is moved into place when it is complete, because tests run in several processes. */
async function unpack(): Promise<string> {
  const home = join(tmpdir(), `bugle-chromium-${VERSION}`)
  if (!existsSync(home)) {
    const draft = mkdtempSync(`${home}-`)
    await unpackTo(draft)
    try {
      renameSync(draft, home)
    } catch {
      // Another process was faster.
      rmSync(draft, { recursive: true, force: true })
    }
  }
  return join(home, 'chromium')
}

/** The package unpacks to the current temporary folder. */
async function unpackTo(folder: string): Promise<void> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    await packed.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
