#!/usr/bin/env node
// Not by its names: a Node that is too old for one of them would not come to say so.
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
  // Garbage of requests is little and collected often: helpers cost more than they save, a fifth of all CPU time when cores are few.
  setFlagsFromString('--no-parallel-scavenge')
  // What is kept is little too: collected when it has grown by a third, not by several times, the server needs 80 MB less.
  setFlagsFromString('--heap-growing-percent=30')
  // While the young generation is small, what requests make seems to live long. Made in the old one from then on, it would stay
  // until that is collected, and keep all it refers to. It happens in few starts, but then for as long as the server runs.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Compiled code is kept between starts: they take half the time.
  const { findCodeCache } = await import('../src/cli/code-cache.ts')
  const cache = findCodeCache(process.env)
  if (cache !== undefined) module.enableCompileCache(cache)
  const { main } = await import('../src/cli/main.ts')
  process.exitCode = await main(process.argv.slice(2), process.env, process)
}
