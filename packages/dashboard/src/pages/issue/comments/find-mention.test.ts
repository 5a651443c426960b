import { expect, it } from 'vitest'
import { findMention } from './find-mention.ts'

const PEOPLE = ['Ada Lovelace', 'Adam', 'Grace Hopper'].map((name) => ({ id: `usr_${name}`, name }))

it.each([
  ['@', ['Ada Lovelace', 'Adam', 'Grace Hopper']],
  ['Hello @ad', ['Ada Lovelace', 'Adam']],
  ['(@LOVE', ['Ada Lovelace']],
  ['@ada l', ['Ada Lovelace']],
  ['@ada x', []],
  ['@Adam', []],
  ['@Adam ', []],
  ['ada@gra', []],
  ['@gra\n', []],
])('%j suggests %j', (text, names) => {
  const found = findMention(text, text.length, PEOPLE)
  expect(found?.people.map(({ name }) => name) ?? []).toEqual(names)
  if (found !== undefined) expect(text[found.from]).toBe('@')
})

it('looks only at what is before the caret', () => {
  expect(findMention('@gr and more', 3, PEOPLE)).toEqual({ from: 0, people: PEOPLE.slice(2) })
  expect(findMention('@gr and more', 12, PEOPLE)).toBeUndefined()
})
