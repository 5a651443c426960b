import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packed from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import testsPackage from '../../package.json' with { type: 'json' }

const VERSION = testsPackage.devDependencies['@sparticuz/chromium']

// Not the arguments that come with the package: they switch web security off, and with it CORS and CSP.
const ARGUMENTS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

// What people have, and the driver switches off.
const KEPT_FEATURES = ['--disable-back-forward-cache']

/** Starts a real Chromium: the one of `BUGLE_TEST_CHROMIUM`, or the one that npm brought. */
export async function launchChromium(): Promise<Browser> {
  const options = { args: ARGUMENTS, ignoreDefaultArgs: KEPT_FEATURES }
  const other = process.env['BUGLE_TEST_CHROMIUM']
  if (other) return chromium.launch({ ...options, executablePath: other })
  const browser = await chromium.launch({ ...options, executablePath: await unpack() })
  const [major = ''] = VERSION.split('.')
  if (!browser.version().startsWith(`${major}.`))
    throw new Error(`Chromium ${browser.version()} is not the one of version ${VERSION}`)
  return browser
}

let shared: Promise<Browser> | undefined

/** The one Chromium of this worker, for every file that it runs. It ends with the worker; a test opens a profile of its own. */
export function sharedChromium(): Promise<Browser> {
  shared ??= launchChromium()
  return shared
}

/** Unpacks it once per version. It gets its place when it is complete: tests run in several processes. */
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

/** The package unpacks to the temporary folder, whichever that is at the moment. */
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
