#!/usr/bin/env node
// No named imports: a Node that lacks one of them would fail before the version check.
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'

const NEEDED = [24, 7]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) await startWithNewerNode()
else await start()

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
  // Requests create little garbage, which is collected often: helper threads cost more than they save, a fifth of all CPU time on few cores.
  setFlagsFromString('--no-parallel-scavenge')
  // The live heap is small too: collecting it when it has grown by a third saves 80 MB.
  setFlagsFromString('--heap-growing-percent=30')
  // While the young generation is small, objects of requests seem long-lived. V8 would then allocate them in the old generation, where they stay
  // until it is collected, with everything they refer to. This happens in few starts, but then for as long as the server runs.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Compiled code is cached between starts, which halves their time.
  const { findCodeCache } = await import('../src/cli/code-cache.ts')
  const cache = findCodeCache(process.env)
  if (cache !== undefined) module.enableCompileCache(cache)
  const { main } = await import('../src/cli/main.ts')
  process.exitCode = await main(process.argv.slice(2), process.env, process)
}
