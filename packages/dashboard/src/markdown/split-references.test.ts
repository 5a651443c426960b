import { expect, it } from 'vitest'
import { splitReferences } from './split-references.ts'

const NAMES = ['Ada', 'Ada Lovelace', 'José Núñez']

it.each([
  ['see #12.', ['#12']],
  ['(#1, #2)', ['#1', '#2']],
  ['a#1 &#39; #x #0 #12ab ##3 https://a.example/#4', []],
  ['@Ada and @ada lovelace', ['@Ada', '@ada lovelace']],
  ['@Adam, @Bob, a@Ada.example, @@Ada', []],
  ['Hello @José Núñez!', ['@José Núñez']],
])('%j refers to %j', (text, found) => {
  const pieces = splitReferences(text, NAMES)
  expect(pieces.filter(({ kind }) => kind !== 'text').map((piece) => piece.text)).toEqual(found)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
})

it('keeps the number of an issue', () => {
  expect(splitReferences('#295', [])).toEqual([{ kind: 'issue', text: '#295', issueNumber: 295 }])
})
