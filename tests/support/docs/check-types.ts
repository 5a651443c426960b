import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../start-process.ts'
import type { Block } from './blocks.ts'
import { makeClone } from './clone.ts'

const EXTENSIONS: Readonly<Record<string, string>> = { js: 'mjs', ts: 'mts' }

const OPTIONS = {
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'dom'],
  types: ['node'],
  strict: true,
  allowJs: true,
  checkJs: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
}

/** What TypeScript finds wrong with the blocks of all documents, each named by its place. */
export function findTypeErrors(blocks: readonly Block[], sdk: string): readonly string[] {
  using clone = makeClone(sdk)
  const folder = join(clone.path, 'check')
  mkdirSync(folder)
  for (const { language, text, place, notRun } of blocks) {
    const extension = EXTENSIONS[language]
    if (extension === undefined || notRun !== undefined) continue
    // A module of its own, also where nothing is imported.
    writeFileSync(join(folder, `${place.replaceAll(/[/:]/g, '~')}.${extension}`), `${text}\nexport {}\n`)
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }))
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const { stdout, status } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8', cwd: folder })
  return status === 0 ? [] : stdout.trim().replaceAll('~', '/').split('\n')
}
