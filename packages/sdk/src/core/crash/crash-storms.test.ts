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
  ['one that cannot', { ...createMemoryStore(), readNow: () => undefined }],
])('with %s, one minute has room for ten kinds of failures, and for each of them once', (_, store) => {
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

test('a page that fails while it loads, again and again, reports it once a minute', () => {
  const store = createMemoryStore()
  const loads = [0, 1, 2, 59, 61].map((second) =>
    judgeStorm(openNote(store), 'kind', 100_000 + second * 1_000),
  )
  expect(loads).toEqual([undefined, 'repeated', 'repeated', 'repeated', undefined])
})

test('a clock that is set back does not silence it', () => {
  const note = openNote()
  judgeStorm(note, 'kind', 1_000_000)
  expect(judgeStorm(note, 'kind', 0)).toBeUndefined()
})

test.each(['', '5', '{"since": "soon", "seen": 7}', '{"seen": []}', 'null'])(
  'what somebody else left in its place, %j, does not silence it',
  (text) => {
    const store = createMemoryStore()
    store.putNow('storm', text)
    expect(judgeStorm(openNote(store), 'kind', 100_000)).toBeUndefined()
  },
)
