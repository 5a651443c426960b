// Builds the dashboard when its sources have changed, and only then. Runs on the machine's own Node too: set-up needs it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DASHBOARD = join(ROOT, 'packages', 'dashboard')
const BUILT = join(DASHBOARD, 'dist')
const DRAFTS = join(ROOT, 'node_modules', '.cache')
/** Says of which sources the built page was made. */
const MARK = 'sources.sha256'
/** Everything that the page is made of; the lock file stands for what comes from npm. */
const SOURCES = [
  'packages/dashboard/src',
  'packages/dashboard/build',
  'packages/dashboard/index.html',
  'packages/dashboard/vite.config.ts',
  'packages/contract/src',
  'packages/client/src',
  'package-lock.json',
]

/** Returns what went wrong, if anything did. `node` is the Node to build with; `say` gets the one line of progress. */
export function buildDashboard(node, say) {
  const sources = hashSources()
  if (readMark() === sources) return undefined
  say('Building the dashboard … ')
  const began = Date.now()
  // Elsewhere first: who serves or tests the page meanwhile never sees half of it.
  const draft = join(DRAFTS, `dashboard-${process.pid}`)
  mkdirSync(draft, { recursive: true })
  try {
    const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
    const args = [vite, 'build', '--outDir', draft, '--emptyOutDir', '--logLevel', 'error']
    // Tests have another NODE_ENV, and would get React's slow and talkative build.
    const env = { ...process.env, NODE_ENV: 'production' }
    const { status, error, stdout, stderr } = spawnSync(node, args, { cwd: DASHBOARD, encoding: 'utf8', env })
    if (status !== 0) {
      say('failed.\n')
      return `the dashboard could not be built.\n${error?.message ?? ''}${stdout}${stderr}`
    }
    writeFileSync(join(draft, MARK), sources)
    replace(draft)
    say(`done in ${((Date.now() - began) / 1000).toFixed(1)} s.\n`)
    return undefined
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function hashSources() {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap(filesIn)) {
    const content = readFileSync(join(ROOT, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** The files of a folder, tests apart, in an order that is the same on every machine. */
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
