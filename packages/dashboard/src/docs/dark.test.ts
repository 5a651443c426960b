import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('pages without scripts have the colours of the dark theme', () => {
  const tokens = readFileSync(join(import.meta.dirname, '../theme/tokens.css'), 'utf8')
  const dark = readFileSync(join(import.meta.dirname, 'dark.css'), 'utf8')
  const declared = (css: string) => [...css.matchAll(/[\w-]+: [^;{}]+;/g)].map(([line]) => line)
  const expected = declared(tokens.slice(tokens.indexOf('color-scheme="dark"')))
  expect(expected.length).toBeGreaterThan(20)
  expect(declared(dark.slice(dark.indexOf(':root')))).toEqual(expected)
})
