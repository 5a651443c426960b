import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IssueSubmission, SdkConfig } from '@bugle/contract'
import { expect, test } from 'vitest'
import { INTERNAL_NAMES } from '../packages/sdk/scripts/build.ts'

const SOURCES = join(import.meta.dirname, '../packages/sdk/src')
/** Where the types of the API are defined, and of everything that is stored or that the app passes in. */
const PUBLIC_TYPES = [
  ...[
    'core/types.ts',
    'core/diagnose.ts',
    'core/exports.ts',
    'core/remote-config.ts',
    'node.ts',
    'react-native.ts',
  ],
  ...['react-native/key-value-store.ts', 'widget/options.ts', 'widget/element.ts', 'widget/messages.ts'],
]

/** The names that a file declares as fields of a type, or as methods of one. */
function declaredIn(path: string): readonly string[] {
  const text = readFileSync(join(SOURCES, path), 'utf8')
  const fields = text.matchAll(/^\s+readonly (\w+)\??:/gm)
  return Array.from(fields, ([, name = '']) => name)
}

test('the names that are shortened are not part of the API, of requests or of what is stored', () => {
  const known = new Set([
    ...PUBLIC_TYPES.flatMap(declaredIn),
    ...Object.keys(IssueSubmission.properties),
    ...Object.keys(SdkConfig.properties),
  ])
  expect(known.size).toBeGreaterThan(60)
  // The only one of `remote-config.ts` that is not stored.
  known.delete('adopted')
  expect(INTERNAL_NAMES.filter((name) => known.has(name))).toEqual([])
})

test('each of them is used, and no property of a source has a name of one letter', () => {
  const sources = ['core', 'core/delivery', 'core/crash', 'browser', 'node', 'react-native', 'widget']
  const texts = sources.flatMap((folder) =>
    [...filesIn(folder)].map((path) => readFileSync(join(SOURCES, path), 'utf8')),
  )
  const all = texts.join('\n')
  expect(INTERNAL_NAMES.filter((name) => !new RegExp(`\\b${name}\\b`).test(all))).toEqual([])
  expect(all.match(/\?\.[a-zA-Z_$]\b(?!\w)/g) ?? []).toEqual([])
})

function* filesIn(folder: string): Iterable<string> {
  for (const name of globSync('*.ts', { cwd: join(SOURCES, folder) }))
    if (!name.includes('.test.')) yield `${folder}/${name}`
}
