#!/usr/bin/env node
// No named imports: a Node that lacks one of them would fail before the version check.
import module from 'node:module'

const NEEDED = [24, 7]
const [major, minor] = process.versions.node.split('.').map(Number)

// Not awaited: the package is built as CommonJS, which has no top-level `await`.
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) startWithNewerNode()
else start()

async function startWithNewerNode() {
  const { findInstalledNode, handOver } = await import('./newer-node.js')
  const node = findInstalledNode(NEEDED)
  if (node !== undefined) return handOver(node)
  process.stderr.write(
    `Bugle needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node}. Install a newer one, or run "npm install node@26" beside Bugle.\n`,
  )
  process.exit(1)
}

async function start() {
  // Compiled code is cached between starts, which halves their time.
  const { findCodeCache } = await import('../src/cli/code-cache.ts')
  const cache = findCodeCache(process.env)
  if (cache !== undefined) module.enableCompileCache(cache)
  const { main } = await import('../src/cli/main.ts')
  process.exitCode = await main(process.argv.slice(2), process.env, process)
}
