import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'

const NEWER_NODE = fileURLToPath(new URL('../../bin/newer-node.js', import.meta.url))
const NEEDED = [24, 7]
const { findInstalledNode, isNewEnough } = await import(NEWER_NODE)

it.each([
  ['v26.10.0', true],
  ['24.7.0', true],
  ['v24.6.9', false],
  ['20.20.2', false],
])('Node %s can run Bugle: %s', (version, expected) => {
  expect(isNewEnough(version, NEEDED)).toBe(expected)
})

it('finds the Node in the nearest node_modules, and skips one that is too old', () => {
  using folder = temporaryFolder()
  const inner = join(folder.path, 'app/node_modules/bugle/dist')
  mkdirSync(inner, { recursive: true })
  expect(findInstalledNode(NEEDED, inner)).toBeUndefined()
  const outerNode = join(folder.path, `node_modules/node-${systemName()}/bin/node`)
  mkdirSync(join(outerNode, '..'), { recursive: true })
  symlinkSync(process.execPath, outerNode)
  const oldNode = join(folder.path, 'app/node_modules/node/bin/node')
  mkdirSync(join(oldNode, '..'), { recursive: true })
  writeFileSync(oldNode, '#!/bin/sh\necho v20.0.0\n')
  chmodSync(oldNode, 0o755)
  expect(findInstalledNode(NEEDED, inner)).toBe(outerNode)
})

it('passes on its arguments and the exit code', () => {
  using folder = temporaryFolder()
  const script = join(folder.path, 'program.mjs')
  const source = `import { handOver } from ${JSON.stringify(NEWER_NODE)}
if (process.env.SECOND) {
  console.log(process.argv.slice(2).join())
  process.exit(3)
}
process.env.SECOND = 'yes'
await handOver(process.execPath)`
  writeFileSync(script, source)
  const { status, stdout } = spawnSync(process.execPath, [script, 'a', '--b'], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 3, stdout: 'a,--b\n' })
})

function systemName(): string {
  return `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
}
