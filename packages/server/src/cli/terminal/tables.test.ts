import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createColours, NO_COLOURS } from './colours.ts'
import { widthOf } from './fit.ts'
import { type Column, pairs, table } from './tables.ts'

const COLUMNS: readonly (string | Column)[] = [
  'ID',
  { heading: 'STATUS', paint: (status, { good }) => good(status) },
  { heading: 'AGE', leaveOut: 2 },
  { heading: 'PRIORITY', leaveOut: 1 },
  { heading: 'TITLE', overflow: 'cut' },
  { heading: 'SCOPES', overflow: 'wrap' },
]
const ROWS = [
  [
    '#1',
    'open',
    '3d',
    'critical',
    '買い物リスト is blank since the update',
    'issues:read issues:triage projects:read',
  ],
  ['#2', 'acknowledged', '10d', 'low', 'Short', ''],
]

function onScreen(columns: number): readonly string[] {
  return table(COLUMNS, ROWS, { columns, colours: NO_COLOURS }).split('\n')
}

describe('a table', () => {
  it('has all columns at full width without a limit', () => {
    expect(onScreen(Number.POSITIVE_INFINITY)).toEqual([
      'ID  STATUS        AGE  PRIORITY  TITLE                                   SCOPES',
      '#1  open          3d   critical  買い物リスト is blank since the update  issues:read issues:triage projects:read',
      '#2  acknowledged  10d  low       Short',
    ])
  })

  it('omits columns, cuts and wraps to fit the terminal', () => {
    expect(onScreen(62)).toEqual([
      'ID  STATUS        TITLE                   SCOPES',
      '#1  open          買い物リスト is blank…  issues:read',
      '                                          issues:triage',
      '                                          projects:read',
      '#2  acknowledged  Short',
    ])
  })

  it.each([40, 60, 62, 70, 80, 90, 100, 120])('is nowhere wider than %d columns', (columns) => {
    for (const line of onScreen(columns)) expect(widthOf(line)).toBeLessThanOrEqual(columns)
  })

  it('becomes paragraphs if even that is too wide, and omits nothing', () => {
    const id = 'key_01m2pr7eh9h68sgs5csc7aatak'
    const token = 'bgl_pub_SwYbB2rJwINPip3nIP2iWhWHpZ5hH02TzgPu'
    const text = table(['ID', 'NAME', 'KEY'], [[id, '', token]], { columns: 60, colours: NO_COLOURS })
    expect(text).toBe(`${id}\n  key  ${token}`)
  })

  it('looks the same with colours as without', () => {
    const painted = table(COLUMNS, ROWS, { columns: 80, colours: createColours(true) })
    expect(painted).toContain('\u001b[32mopen\u001b[39m')
    expect(stripVTControlCharacters(painted).split('\n')).toEqual(onScreen(80))
  })

  it('escapes hostile values', () => {
    const text = table(['A'], [['\u001b[2J\n\u202e']], { columns: 80, colours: NO_COLOURS })
    expect(text).toBe('A\n\\u{1b}[2J\\u{a}\\u{202e}')
  })
})

it('wraps long values next to their names', () => {
  const entries = [
    ['id', 'iss_1'],
    ['scopes', 'issues:read issues:triage projects:read'],
  ] as const
  expect(pairs(entries, { columns: 30, colours: NO_COLOURS })).toBe(
    'id      iss_1\nscopes  issues:read\n        issues:triage\n        projects:read',
  )
})
