// `npm start`, `npm test`, `npm run test:thorough` and `npm run build` start here. This file and its imports
// run on the machine's own Node, 20 or newer: it installs missing dependencies, builds the dashboard if
// necessary, then starts the installed Node.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDashboard } from './build-dashboard.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OLDEST_NODE = [24, 7]
const PARENT_CHECK_MS = 250

const GOALS = {
  start: { needsDev: false, servesDashboard: true, command: ['packages/server/bin/bugle.js', 'serve'] },
  test: { needsDev: true, servesDashboard: false, command: ['scripts/test.ts'] },
  thorough: { needsDev: true, servesDashboard: false, command: ['scripts/test-thorough.ts'] },
  build: { needsDev: true, servesDashboard: false, command: ['scripts/build.ts'] },
}

const [goalName, ...rest] = process.argv.slice(2)
const goal = GOALS[goalName]
if (!goal) fail(`set-up knows ${Object.keys(GOALS).join(', ')}, not "${goalName}"`)
if (!isInstalled(goal.needsDev)) install(goal.needsDev)
const node = findNode()
if (goal.servesDashboard) makeDashboard(node)
run(node, [...goal.command, ...rest])

/** Whether everything in the lock file is installed, in the right version. */
function isInstalled(needsDev) {
  const wanted = readLock('package-lock.json')
  const present = readLock('node_modules/.package-lock.json')
  if (!wanted || !present) return false
  return Object.entries(wanted).every(([path, entry]) => {
    const isNeeded = path.includes('node_modules/') && !entry.optional && (needsDev || !entry.dev)
    return !isNeeded || (present[path]?.version === entry.version && existsSync(join(ROOT, path)))
  })
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), 'utf8')).packages
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function install(needsDev) {
  process.stdout.write('Installing dependencies, about a minute the first time … ')
  const began = Date.now()
  const flags = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    needsDev ? '--include=dev' : '--omit=dev',
  ]
  const { status, error, stdout, stderr } = npm(['ci', ...flags])
  if (status === 0) {
    process.stdout.write(`done in ${Math.round((Date.now() - began) / 1000)} s.\n`)
    return
  }
  process.stdout.write('failed.\n')
  fail(`npm could not install the dependencies.\n${error?.message ?? ''}${stdout}${stderr}`)
}

function npm(args) {
  const options = { cwd: ROOT, encoding: 'utf8' }
  const npmScript = process.env.npm_execpath
  if (npmScript) return spawnSync(process.execPath, [npmScript, ...args], options)
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** Accepting reports is more important than showing them: the server starts without the dashboard. */
function makeDashboard(node) {
  const problem = buildDashboard(node, (text) => process.stdout.write(text))
  if (problem) process.stderr.write(`bugle: ${problem}\n`)
}

/** The Node that npm installed for this platform, or the machine's own if it is new enough. */
function findNode() {
  const installed = join(ROOT, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(installed)) return installed
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return process.execPath
  fail(
    `There is no Node ${OLDEST_NODE.join('.')} for ${process.platform}-${process.arch} on npm: install it by hand.`,
  )
}

function run(node, [script, ...args]) {
  const path = join(ROOT, script)
  // One process instead of two, if this Node supports exec.
  if (process.execve) process.execve(node, [node, path, ...args], process.env)
  const child = spawn(node, [path, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal) process.removeAllListeners(signal)
    if (signal) process.kill(process.pid, signal)
    else process.exit(code ?? 1)
  })
  if (process.env.npm_lifecycle_event) endWithNpm(child)
}

/** npm's shell does not forward signals: when npm has exited, the started process is stopped. */
function endWithNpm(child) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, PARENT_CHECK_MS)
}

function fail(message) {
  process.stderr.write(`bugle: ${message}\n`)
  process.exit(1)
}
