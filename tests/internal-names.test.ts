import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IssueSubmission, SdkConfig } from '@bugle/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHORT_NAMES } from '../packages/sdk/scripts/build.ts'
import { type BuiltPackage, buildPackage } from './support/sdk/built-package.ts'

const SOURCES = join(import.meta.dirname, '../packages/sdk/src')

let built: BuiltPackage
beforeAll(async () => {
  built = await buildPackage()
})
afterAll(() => built[Symbol.dispose]())

test('only names that start with an underscore are shortened, each to a name of its own', () => {
  expect(SHORT_NAMES.size).toBeGreaterThan(50)
  for (const name of SHORT_NAMES.keys()) expect(name).toMatch(/^_[a-z]/)
  expect(new Set(SHORT_NAMES.values()).size).toBe(SHORT_NAMES.size)
})

test('no field of a request, of the configuration or of the API starts with an underscore', () => {
  const types = [
    'core/types.ts',
    'core/conversations/types.ts',
    'core/diagnose.ts',
    'node.ts',
    'react-native.ts',
    'widget/options.ts',
  ]
  const api = types.flatMap(
    (path) => readFileSync(join(SOURCES, path), 'utf8').match(/^ +readonly _\w+/gm) ?? [],
  )
  const sent = [IssueSubmission, SdkConfig].flatMap(({ properties }) => Object.keys(properties))
  expect([...api, ...sent.filter((name) => SHORT_NAMES.has(name))]).toEqual([])
})

test('no source has a property with a name that is as short', () => {
  const sources = globSync('**/*.ts', { cwd: SOURCES }).filter((path) => !/\.(test|d)\.ts$/.test(path))
  const all = sources.map((path) => readFileSync(join(SOURCES, path), 'utf8')).join('\n')
  const short = new Set(SHORT_NAMES.values())
  const used = Array.from(all.matchAll(/\w\??\.(\w{1,2})\b(?!['"])/g), ([, name = '']) => name)
  expect(used.filter((name) => short.has(name))).toEqual([])
})

test('what is published has none of the long names', () => {
  const files = globSync('dist/**/*.{js,mjs}', { cwd: built.sdk })
  expect(files.length).toBeGreaterThan(20)
  for (const path of files) {
    const code = readFileSync(join(built.sdk, path), 'utf8')
    expect(
      [...SHORT_NAMES.keys()].filter((name) => new RegExp(`(?<![\\w$])${name}\\b`).test(code)),
      path,
    ).toEqual([])
  }
})
