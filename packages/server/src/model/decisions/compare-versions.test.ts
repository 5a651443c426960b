import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../../../test-support/cpu-time.ts'
import { compareVersions, newestFirst } from './compare-versions.ts'

const sign = (a: string, b: string) => Math.sign(compareVersions(a, b))

describe('a list of versions', () => {
  it.each<[what: string, newestFirst: string[]]>([
    [
      'semver with pre-releases',
      ['2.10.0', '2.9.1', '2.9.0', '2.9.0-rc.2', '2.9.0-rc.1', '2.9.0-beta', '1.0.0'],
    ],
    ['four parts', ['10.0.22631.4', '10.0.22631.3', '10.0.9', '10.0']],
    ['builds in parentheses', ['2.4.1 (512)', '2.4.1 (98)', '2.4.0 (600)']],
    ['letters', ['v3', '2b', '2a', '1z']],
    ['garbage last', ['1.0', '0.1', '🎺', 'nightly', 'dev']],
  ])('is sorted newest first: %s', (_, expected) => {
    expect(newestFirst(expected.toSorted(), (version) => version)).toEqual(expected)
  })

  it('has equal versions in alphabetical order', () => {
    expect(newestFirst(['v1.0', '1.0.0', '1.0'], (version) => version)).toEqual(['1.0', '1.0.0', 'v1.0'])
  })
})

describe('versions', () => {
  it.each<[rule: string, ascending: string[]]>([
    ['numbers, not digits', ['1.9.0', '1.10.0', '2.0.0', '10.0.0']],
    [
      'the example of semver.org',
      '1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0'.split(
        ' ',
      ),
    ],
    [
      'semver: numbers before text, hyphens and digits before letters',
      ['1.0.0-2', '1.0.0-11', '1.0.0--', '1.0.0-1a', '1.0.0-a-', '1.0.0-a1', '1.0.0-ab'],
    ],
    ['semver: text as text, even with digits', ['1.0.0-rc10', '1.0.0-rc2']],
    ['natural order: digit runs as numbers', ['2.4-rc2', '2.4-rc10', '2.4', '2.4.0.1', '2.4.1']],
    ['four parts', ['2.4.0', '2.4.0.9', '2.4.0.10', '2.4.1.0', '2.4.1.1']],
    ['dates with points', ['2025.12.31', '2026.9.30', '2026.11.05', '2026.11.15']],
    ['dates without', ['20251231', '20261105', '20261106', '20261106.2']],
    ['a build in parentheses', ['2.4.1', '2.4.1 (98)', '2.4.1 (512)', '2.4.2']],
    ['pre-releases written otherwise', ['2.4b2', '2.4b10', '2.4 beta', '2.4.0-beta.1', '2.4-rc', '2.4']],
    ['words before numbers', ['Ventura', 'dev', 'release 9', 'release 10', '0.1']],
    [
      'more digits than a double',
      ['9007199254740992', '9007199254740993', '1'.padEnd(60, '0'), '1'.padEnd(60, '1')],
    ],
  ])('ascend: %s', (_, ascending) => {
    for (const [index, older] of ascending.entries()) {
      for (const newer of ascending.slice(index + 1)) {
        expect([older, newer, sign(older, newer)]).toEqual([older, newer, -1])
        expect([newer, older, sign(newer, older)]).toEqual([newer, older, 1])
      }
    }
  })

  it.each<[rule: string, same: string[]]>([
    ['missing parts are 0', ['2', '2.0', '2.0.0', '2.0.0.0', '02.00']],
    ['a leading v', ['2.4.1', 'v2.4.1', 'V2.4.1', ' 2.4.1 ']],
    ['build metadata', ['2.4.1', '2.4.1+512', '2.4.1+a.b-c', '2.4.1+', '2.4.1.0+9']],
    ['separators', ['2.4.1.7', '2-4-1-7', '2_4_1_7', '2 4 1 7', '2.4.1 (7)']],
    ['a leading zero is no semver, but the same number', ['2026.11.05', '2026.11.5']],
    ['zeros before a word', ['2.4-beta', '2.4.0 beta', '2.4.0.0_beta']],
    ['nothing at all', ['', '0', '0.0.0', '...', '+1']],
  ])('are the same: %s', (_, same) => {
    for (const a of same) for (const b of same) expect([a, b, sign(a, b)]).toEqual([a, b, 0])
  })

  it('have a total order, whatever their format', () => {
    const versions = [...SAMPLES, ...randomVersions(300)]
    const sorted = versions.toSorted(compareVersions)
    let rank = 0
    const ranked = sorted.map((version, place) => {
      if (compareVersions(sorted[place - 1] ?? version, version) !== 0) rank++
      return { version, rank }
    })
    // Only a transitive and antisymmetric comparison agrees with the ranks for every pair.
    const disagreeing = ranked.flatMap((a) =>
      ranked.filter((b) => sign(a.version, b.version) !== Math.sign(a.rank - b.rank)).map((b) => [a, b]),
    )
    expect(disagreeing).toEqual([])
    expect(rank).toBeGreaterThan(versions.length / 2)
  })

  it.each([
    ['zeros', '0'.repeat(50_000)],
    ['points', '.'.repeat(50_000)],
    ['alternating', '1a.'.repeat(20_000)],
    ['a long pre-release', `1.0.0-${'a-1.'.repeat(20_000)}`],
    ['a pre-release that fails at its end', `1.0.0-${'1'.repeat(50_000)}!`],
  ])('are compared quickly, even hostile ones: %s', (_, hostile) => {
    const cpuMs = cpuMsOf(() => {
      expect(compareVersions(hostile, `${hostile}1`)).toBeTypeOf('number')
      expect(compareVersions(hostile, hostile)).toBe(0)
    })
    expect(cpuMs).toBeLessThan(500)
  })
})

const SAMPLES = [
  ...[
    '',
    '0',
    '1',
    '1.0',
    '1.0.0',
    '1.0.0.0',
    '1.0.0.1',
    'v1.0.1',
    '1.0-1',
    '1.0.0-1',
    '1.0.0-01',
    '1.0.0-0',
  ],
  ...[
    '1.0.0-beta',
    '1.0-beta',
    '1.0beta',
    '1.0.0-beta.0',
    '1.0-beta.0',
    '1.0.0-Beta',
    '1.0.0-beta-',
    '1.0 beta -',
  ],
  ...[
    '1.0.0-alpha.1',
    '1.0.0-1alpha',
    '1.0.0-b2',
    '1.0.0-b10',
    '1.0-b2',
    '1.0-b10',
    '1.0.0-rc.1+x',
    '1.0+x',
    'v',
    'vv1',
  ],
  ...[
    '20261105',
    '2026.11.05',
    '2026.11.05-1',
    '2026.11.15-1',
    'beta',
    'é',
    '💥1',
    '1.💥',
    '\0',
    '1\n2',
    '٣.١',
  ],
]

function randomVersions(count: number): string[] {
  const random = seededRandom(3)
  const pieces = [
    '0',
    '1',
    '2',
    '10',
    '01',
    '.',
    '.',
    '.',
    '-',
    '-',
    '_',
    ' ',
    '+',
    'a',
    'b',
    'rc',
    'A',
    'v',
    '(',
  ]
  const pick = () => pieces[Math.floor(random() * pieces.length)] ?? ''
  const tail = (length: number) => Array.from({ length }, pick).join('')
  return Array.from({ length: count }, (_, index) => (index % 2 ? tail(6) : `1.0.0${tail(4)}`))
}

/** Mulberry32: the same numbers in every run. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
