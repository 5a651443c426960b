import { expect, test } from 'vitest'
import { addMailbox } from '../../../test-support/fake-mailbox.ts'
import { createWorld, settle } from '../../../test-support/fake-world.ts'
import { type Cache, createCache } from './cache.ts'
import { createReporters, type Reporters } from './reporters.ts'

function setStage() {
  const world = createWorld()
  const mailbox = addMailbox(world)
  return {
    world,
    openTab(changed: Partial<Cache> = {}): Reporters {
      const tab = mailbox.openTab()
      const cache = { ...createCache(tab._store), ...changed }
      return createReporters(world.start(), cache, tab, () => 'ada')
    },
  }
}

test('two tabs that have not read the device yet create one secret', async () => {
  const { world, openTab } = setStage()
  const tabs = [openTab(), openTab()]
  expect(tabs.map((tab) => tab._requireNow())).toEqual([undefined, undefined])
  const created = Promise.all(tabs.map((tab) => tab._require()))
  for (let time = 0; time < 5; time++) await world.pass(100)
  const [first, second] = await created
  expect(first?.secret).toMatch(/^[\w-]{43}$/)
  expect(second?.secret).toBe(first?.secret)
  for (const tab of tabs) expect(tab._requireNow()?.secret).toBe(first?.secret)
})

test('once the device was read, a secret is there when the call returns, and other tabs use it', async () => {
  const { openTab } = setStage()
  const tabs = [openTab(), openTab()]
  await settle()
  const [first, second] = tabs.map((tab) => tab._requireNow())
  expect(first?.secret).toMatch(/^[\w-]{43}$/)
  expect(second?.secret).toBe(first?.secret)
  expect((await tabs[1]?._require())?.secret).toBe(first?.secret)
})

test('a secret that is being created is not created twice', async () => {
  const { openTab } = setStage()
  const tab = openTab()
  await settle()
  const created = tab._require()
  expect(tab._requireNow()).toBeUndefined()
  expect(tab._require()).toBe(created)
  const { secret } = (await created) ?? {}
  expect(tab._requireNow()?.secret).toBe(secret)
})

test('a failure to create a secret is not permanent', async () => {
  const { openTab } = setStage()
  const tab = openTab({ _reload: () => Promise.reject(new Error('broken')) })
  for (let time = 0; time < 2; time++) {
    const created = tab._require()
    expect(tab._require()).toBe(created)
    await expect(created).rejects.toThrow('broken')
  }
  await settle()
  expect(tab._requireNow()?.secret).toMatch(/^[\w-]{43}$/)
})
