import { expect, test } from 'vitest'
import type { Storm } from '../client.ts'
import { createMemoryStore } from '../delivery/memory-store.ts'
import { createNote, type Note } from '../notes.ts'
import type { Store } from '../platform.ts'
import { judgeStorm } from './capture-exception.ts'

function openNote(store: Store = createMemoryStore()): Note<Storm> {
  return createNote(store, 'storm')
}

test.each([
  ['a store that can be read at once', createMemoryStore()],
  ['one that cannot', { ...createMemoryStore(), _readNow: () => undefined }],
])('with %s, at most ten kinds of failures are reported per minute, each once', (_, store) => {
  const note = openNote(store)
  const kinds = Array.from({ length: 12 }, (_, kind) => `kind ${kind}`)
  expect(kinds.map((kind) => judgeStorm(note, kind, 100_000))).toEqual([
    ...Array(10).fill(undefined),
    'rate-limited',
    'rate-limited',
  ])
  expect(judgeStorm(note, 'kind 0', 130_000)).toBe('repeated')
  expect(judgeStorm(note, 'kind 0', 161_000)).toBeUndefined()
})

test('a page that repeatedly fails while it loads reports it once a minute', () => {
  const store = createMemoryStore()
  const loads = [0, 1, 2, 59, 61].map((second) =>
    judgeStorm(openNote(store), 'kind', 100_000 + second * 1_000),
  )
  expect(loads).toEqual([undefined, 'repeated', 'repeated', 'repeated', undefined])
})

test('a clock that is set back does not suppress reports', () => {
  const note = openNote()
  judgeStorm(note, 'kind', 1_000_000)
  expect(judgeStorm(note, 'kind', 0)).toBeUndefined()
})

test.each(['', '5', '{"since": "soon", "seen": 7}', '{"seen": []}', 'null'])(
  'foreign data in the note, %j, does not suppress reports',
  (text) => {
    const store = createMemoryStore()
    store._putNow('storm', text)
    expect(judgeStorm(openNote(store), 'kind', 100_000)).toBeUndefined()
  },
)
