import { expect, test } from 'vitest'
import { backupName, noLongerKept, readBackupName } from './backup-names.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 19, 3, 4, 5, 678)
const SERIES = '0badcafe'

/** A backup from this many days ago. */
function backup(days: number, isWhole = true) {
  const at = NOW - days * DAY_MS
  return { name: backupName(SERIES, { at, isWhole }), at, bytes: 1, isWhole }
}

test('a name says when a backup was made, and whether it is complete', () => {
  const name = backupName(SERIES, { at: NOW, isWhole: true })
  expect(name).toBe('bugle-0badcafe-2026-11-19T03-04-05-678Z.db')
  expect(readBackupName(SERIES, name)).toEqual({ name, at: NOW, isWhole: true })
  const incomplete = backupName(SERIES, { at: NOW, isWhole: false })
  expect(readBackupName(SERIES, incomplete)).toEqual({ name: incomplete, at: NOW, isWhole: false })
})

test.each([
  'bugle-0badcaff-2026-11-19T03-04-05-678Z.db',
  'bugle-0badcafe-2026-11-19T03-04-05-678Z.db.part',
  'bugle-0badcafe-2026-99-19T03-04-05-678Z.db',
  'bugle-0badcafe.part',
  'old/bugle-0badcafe-2026-11-19T03-04-05-678Z.db',
  'bugle-2026-11-19.db',
])('%s is not a backup of the series', (name) => {
  expect(readBackupName(SERIES, name)).toBeUndefined()
})

test.each([
  ['as many as are kept', [0, 1, 2], [], 3, [], []],
  ['one more', [0, 1, 2, 3], [], 3, [3], []],
  ['a single one is kept', [0, 1, 2], [], 1, [1, 2], []],
  ['complete ones are not replaced by incomplete ones', [3, 4], [0, 1, 2], 2, [], [2]],
  ['those of the future are the oldest', [0, 1, -1, -2], [], 2, [-2, -1], []],
  ['the one just made stays, whatever the future holds', [0, -1, -2], [], 1, [-1, -2], []],
] as const)('old backups that are deleted: %s', (_, whole, incomplete, keep, oldWhole, oldIncomplete) => {
  const of = (days: readonly number[], isWhole: boolean) => days.map((ago) => backup(ago, isWhole))
  const all = [...of(incomplete, false), ...of(whole, true)]
  const made = all.find(({ at }) => at === NOW)
  if (made === undefined) throw new TypeError('none was just made')
  const expected = [...of(oldWhole, true), ...of(oldIncomplete, false)].map(({ name }) => name)
  expect(
    noLongerKept(all, made, keep)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(expected.sort())
})
