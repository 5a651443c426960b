import { afterEach, expect, test } from 'vitest'
import { createWorld, PUBLIC_KEY } from '../../test-support/fake-world.ts'
import { close, report, start } from './api.ts'
import { createMemoryStore } from './delivery/memory-store.ts'
import { diagnose } from './diagnose.ts'
import type { Platform } from './platform.ts'

const OPTIONS = { endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }

afterEach(() => close(0))

test("a diagnosis reports the server's response and the queue, and leaves no trace", async () => {
  const world = createWorld()
  world.answer = () => ({ status: 401 })
  world.config = { status: 401 }
  start(OPTIONS, () => ({ ...world.platform, _isDevelopment: () => false }))
  await report({ title: 'Wrong key' })
  expect(await diagnose()).toEqual({
    sdkVersion: '0.1.0',
    status: 401,
    waiting: 1,
    obstacle: 'key-refused',
    isDurable: true,
  })
  expect(world.stored.size).toBe(1)
})

test.each<[name: string, openStore: Platform['_openStore']]>([
  ['is none', createMemoryStore],
  [
    'is denied',
    () => {
      throw new Error('denied')
    },
  ],
])('if the storage %s and there is no server, it reports that', async (_, openStore) => {
  const world = createWorld()
  world.config = undefined
  start(OPTIONS, () => ({ ...world.platform, _openStore: openStore }))
  expect(await diagnose()).toMatchObject({ status: 0, waiting: 0, isDurable: false })
})

test('before init there is nothing to report', async () => {
  expect(await diagnose()).toBeUndefined()
})
