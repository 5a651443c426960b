import { describe, expect, it } from 'vitest'
import { createRandom } from '../../demo/random.ts'
import { createMatcher } from './match-text.ts'
import { matchesSearch, parseSearch } from './search-query.ts'
import { tokensOfIssue } from './tokens.ts'

const finds = (q: string, title: string, description: string | null = null) =>
  createMatcher(parseSearch(q))(title, description)

describe('a text matches a search', () => {
  it.each([
    ['settings', 'Blank Settings screen', true],
    ['sett', 'Blank Settings screen', false],
    ['tings*', 'Blank Settings screen', false],
    ['sett*', 'Blank (Settings) screen', true],
    ['"blank settings"', 'Blank -- SETTINGS', true],
    ['"blank settings"', 'Blank settings2', false],
    ['"blank sett"*', 'Blank settings2', true],
    ['"blank settings"', 'A blank, a settings', false],
    ['設定', 'Settings', false],
    ['a'.repeat(70), 'a'.repeat(80), true],
    [`"${'a'.repeat(70)} b"`, `${'a'.repeat(80)} b`, true],
    ['cafe', 'Café', true],
  ])('%s in %s: %s', (q, text, isFound) => {
    expect(finds(q, text)).toBe(isFound)
    expect(finds(q, 'Title', text)).toBe(isFound)
  })

  it('never across the end of the title', () => {
    expect(finds('"b c"', 'a b', 'c d')).toBe(false)
    expect(finds('"b c"', 'a b c', 'd')).toBe(true)
  })

  it('with the same result as its tokens, for any text', () => {
    const random = createRandom(4)
    const pick = () =>
      random.pick([...'ab0AB', ' ', ' ', '-', '"', '*', '.', '_', '\n', 'é', '設', '¦', '\\'])
    const some = (length: number) => Array.from({ length }, pick).join('')
    for (let round = 0; round < 20_000; round++) {
      const [q, title] = [some(6), some(12)]
      const description = random.chance(0.5) ? some(12) : null
      const expected = matchesSearch(parseSearch(q), tokensOfIssue(title, description))
      expect({ q, title, description, isFound: finds(q, title, description) }).toEqual({
        q,
        title,
        description,
        isFound: expected,
      })
    }
  })
})
