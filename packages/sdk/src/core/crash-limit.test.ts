import { expect, test } from 'vitest'
import { createCrashLimit } from './crash-limit.ts'
import { createMemoryStore } from './memory-store.ts'
import type { Store } from './platform.ts'

function createStore(texts = new Map<string, string>()): Store {
  return { ...createMemoryStore(), putNow: (id, text) => texts.set(id, text), readNow: (id) => texts.get(id) }
}

test.each([
  ['a store that can be read at once', createStore()],
  ['one that can not', { ...createMemoryStore(), readNow: () => undefined }],
])('with %s, one minute has room for ten kinds of failures, and for each of them once', (_, store) => {
  const judge = createCrashLimit()
  const kinds = Array.from({ length: 12 }, (_, kind) => `kind ${kind}`)
  expect(kinds.map((kind) => judge(store, kind, 100_000))).toEqual([
    ...Array(10).fill(undefined),
    'rate-limited',
    'rate-limited',
  ])
  expect(judge(store, 'kind 0', 130_000)).toBe('repeated')
  expect(judge(store, 'kind 0', 161_000)).toBeUndefined()
})

test('a page that fails while it loads, again and again, reports it once a minute', () => {
  const store = createStore()
  const loads = [0, 1, 2, 59, 61].map((second) => createCrashLimit()(store, 'kind', 100_000 + second * 1_000))
  expect(loads).toEqual([undefined, 'repeated', 'repeated', 'repeated', undefined])
})

test('a clock that is set back does not silence it', () => {
  const judge = createCrashLimit()
  const store = createStore()
  judge(store, 'kind', 1_000_000)
  expect(judge(store, 'kind', 0)).toBeUndefined()
})

test.each(['', '5', '{"since": "soon", "seen": 7}', '{"seen": []}', 'null'])(
  'what somebody else left in its place, %j, does not silence it',
  (text) => {
    const store = createStore(new Map([['storm', text]]))
    expect(createCrashLimit()(store, 'kind', 100_000)).toBeUndefined()
  },
)
