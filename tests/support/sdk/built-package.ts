import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSdk } from '../../../packages/sdk/scripts/build.ts'
import { temporaryFolder } from '../../../packages/server/test-support/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PACKAGE = join(ROOT, 'packages/sdk')
const MODULES = join(ROOT, 'node_modules')
const BUILDS = join(MODULES, '.cache/test-sdk')
/** The sources of the SDK; the lock file stands for its dependencies. */
const SOURCES = ['packages/{sdk,contract}/{src,scripts}/**/*', 'packages/sdk/*.json', 'package-lock.json']

/** A folder with the SDK, built from the current sources and installed in its `node_modules`, as in an app. */
export interface BuiltPackage extends Disposable {
  /** The folder of the app. */
  readonly path: string
  /** The folder of the SDK. */
  readonly sdk: string
  /** Makes another package of the workspace available to the app. */
  lend(name: string): void
}

export async function buildPackage(): Promise<BuiltPackage> {
  const folder = temporaryFolder()
  const sdk = join(folder.path, 'node_modules/@bugle/sdk')
  mkdirSync(sdk, { recursive: true })
  for (const file of ['package.json', 'README.md']) cpSync(join(PACKAGE, file), join(sdk, file))
  cpSync(await buildOnce(), join(sdk, 'dist'), { recursive: true })
  return {
    path: folder.path,
    sdk,
    lend(name) {
      const link = join(folder.path, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(MODULES, name), link)
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

/** The build of these sources, cached between test files and runs, because it takes longer than most tests that use it. */
async function buildOnce(): Promise<string> {
  const build = join(BUILDS, hashSources())
  if (existsSync(build)) return build
  const draft = `${build}-${process.pid}`
  await buildSdk(draft)
  try {
    renameSync(draft, build)
  } catch (error) {
    // Another worker was faster, with the same sources.
    if (!existsSync(build)) throw error
    rmSync(draft, { recursive: true })
  }
  return build
}

function hashSources(): string {
  const hash = createHash('sha256')
  for (const path of globSync(SOURCES, { cwd: ROOT }).sort()) {
    if (path.endsWith('.test.ts') || !statSync(join(ROOT, path)).isFile()) continue
    const content = readFileSync(join(ROOT, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 32)
}
