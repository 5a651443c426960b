// Builds what the server serves, the dashboard and the SDK, when their sources have changed, and only then. Runs on the machine's own Node too: set-up needs it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DASHBOARD = join(ROOT, 'packages', 'dashboard')
const BUILT = join(DASHBOARD, 'dist')
const DRAFTS = join(ROOT, 'node_modules', '.cache')
/** Records the hash of the sources of the built page. */
const MARK = 'sources.sha256'
/** All sources of the page; the lock file stands for the dependencies. */
const SOURCES = [
  'packages/dashboard/src',
  'packages/dashboard/build',
  'packages/dashboard/index.html',
  'packages/dashboard/vite.config.ts',
  'packages/contract/src',
  'packages/client/src',
  'packages/sdk/src',
  'packages/sdk/scripts',
  'packages/sdk/package.json',
  'scripts/build',
  'package-lock.json',
]

/** Returns the error, if there was one. `node` is the Node to build with; `say` gets one line of progress. */
export function buildDashboard(node, say) {
  const sources = hashSources()
  if (readMark() === sources) return undefined
  say('Building the dashboard … ')
  const began = Date.now()
  // Built in another folder first, so that a running server or test never sees an incomplete page.
  const draft = join(DRAFTS, `dashboard-${process.pid}`)
  mkdirSync(draft, { recursive: true })
  try {
    const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
    const args = [vite, 'build', '--outDir', draft, '--emptyOutDir', '--logLevel', 'error']
    // Tests have another NODE_ENV, and would get React's development build.
    const env = { ...process.env, NODE_ENV: 'production' }
    const served = [join(ROOT, 'scripts', 'build', 'served-sdk.ts'), join(draft, 'sdk')]
    const problem = run(node, args, env, 'the dashboard') ?? run(node, served, env, 'the SDK')
    if (problem) {
      say('failed.\n')
      return problem
    }
    writeFileSync(join(draft, MARK), sources)
    replace(draft)
    say(`done in ${((Date.now() - began) / 1000).toFixed(1)} s.\n`)
    return undefined
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function run(node, args, env, what) {
  const { status, error, stdout, stderr } = spawnSync(node, args, { cwd: DASHBOARD, encoding: 'utf8', env })
  return status === 0 ? undefined : `${what} could not be built.\n${error?.message ?? ''}${stdout}${stderr}`
}

function hashSources() {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap(filesIn)) {
    const content = readFileSync(join(ROOT, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** The files of a folder, except tests, in the same order on every machine. */
function filesIn(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path]
  return readdirSync(join(ROOT, path))
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`))
    .filter((file) => !/\.(test|thorough)\.tsx?$/.test(file))
}

function readMark() {
  try {
    return readFileSync(join(BUILT, MARK), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function replace(draft) {
  const old = `${draft}-old`
  try {
    renameSync(BUILT, old)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  try {
    renameSync(draft, BUILT)
  } catch (error) {
    // Another process was faster, with the same sources.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  }
  rmSync(old, { recursive: true, force: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = buildDashboard(process.execPath, (text) => process.stdout.write(text))
  if (problem) process.stderr.write(`bugle: ${problem}\n`)
  process.exitCode = problem ? 1 : 0
}
