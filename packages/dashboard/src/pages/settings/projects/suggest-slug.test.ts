import { isSlug } from '@bugle/contract'
import { expect, it } from 'vitest'
import { suggestSlug } from './suggest-slug.ts'

it.each([
  ['Weather for iOS', 'weather-for-ios'],
  ['  Café – Übung! ', 'cafe-ubung'],
  ['a'.repeat(100), 'a'.repeat(63)],
  [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
])('suggests a slug for %s', (name, slug) => {
  expect(suggestSlug(name)).toBe(slug)
  expect(isSlug(suggestSlug(name))).toBe(true)
})

it('suggests nothing if no character can be used', () => {
  expect(suggestSlug('天気')).toBe('')
})
