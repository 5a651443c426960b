import { expect, test } from 'vitest'
import { describeStore } from '../../test-support/store-suite.ts'
import { createKeyValueStore, type KeyValueStorage } from './key-value-store.ts'

function createStorage(texts = new Map<string, string>()): KeyValueStorage {
  return {
    getAllKeys: async () => [...texts.keys()],
    getItem: async (key) => texts.get(key) ?? null,
    async setItem(key, value) {
      texts.set(key, value)
    },
    async removeItem(key) {
      texts.delete(key)
    },
  }
}

describeStore('a key-value storage', () => {
  const storage = createStorage()
  return { first: createKeyValueStore(storage, 'scope'), second: createKeyValueStore(storage, 'scope') }
})

test('the keys of the app and of other projects are left alone', async () => {
  const texts = new Map([
    ['theme', 'dark'],
    ['other:id', 'text'],
  ])
  const store = createKeyValueStore(createStorage(texts), 'scope')
  expect(await store._readAll()).toEqual(new Map())
  await store._put('id', 'text')
  await store._remove('id')
  expect([...texts.keys()]).toEqual(['theme', 'other:id'])
})
