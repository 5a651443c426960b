// Runs on Nodes that are too old for Bugle, so it uses nothing that is new.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
const IS_WINDOWS = process.platform === 'win32'
const SYSTEM = `${IS_WINDOWS ? 'win' : process.platform}-${process.arch}`
const FILE = IS_WINDOWS ? 'node.exe' : 'node'
/** The package "node" installs one of the others next to it or inside it; the one for Apple silicon has its own name. */
const PACKAGES = ['node', `node-${SYSTEM}`, `node-bin-${SYSTEM}`].flatMap((name) =>
  name === 'node' ? [name] : [name, `node/node_modules/${name}`],
)

/** Whether this version of Node can run Bugle. */
export function isNewEnough(version, [major, minor]) {
  const [itsMajor, itsMinor] = version.replace(/^v/, '').split('.').map(Number)
  return itsMajor > major || (itsMajor === major && itsMinor >= minor)
}

/** The Node that npm installed next to Bugle, if it is new enough: from the nearest `node_modules` that has one. */
export function findInstalledNode(needed, folder = HERE) {
  const node = PACKAGES.map((name) => join(folder, 'node_modules', name, 'bin', FILE))
    .filter((path) => existsSync(path))
    .find((path) =>
      isNewEnough(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout || 'v0.0', needed),
    )
  const parent = dirname(folder)
  return node || (parent === folder ? undefined : findInstalledNode(needed, parent))
}

/** Runs the same command with another Node, and exits with its exit code. */
export function handOver(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl+C to both processes. Either way this one waits for the other.
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      process.exitCode = code === null ? 1 : code
      if (signal !== null) {
        process.removeAllListeners(signal)
        process.kill(process.pid, signal)
      }
      resolve()
    })
  })
}
