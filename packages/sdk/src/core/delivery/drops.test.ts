import { describe, expect, test } from 'vitest'
import { ACCEPTED, createWorld, PUBLIC_KEY, settle, type World } from '../../../test-support/fake-world.ts'

const JOINED = { status: 200, body: { id: 'iss_1' } }

/** The number of drops counted in the reports that created an issue. */
function countsOf(world: World, name: string): readonly unknown[] {
  return world.received.map(({ metadata }) => metadata?.[`bugle.dropped.${name}`])
}

describe('counts of drops', () => {
  test('are stored immediately: a process that is killed loses none', async () => {
    const world = createWorld()
    // This client no longer receives events, as if its process had been killed.
    world.start()._core._ledger._drop('repeated')
    await settle()
    const next = world.start()
    await settle()
    next._core._ledger._drop('repeated')
    await next._capture({ title: 'After' })
    expect(countsOf(world, 'repeated')).toEqual([2])
    expect(world.stored).toEqual(new Map())
  })

  test('of several pages are counted once, whichever reports first', async () => {
    const world = createWorld()
    const [first, second] = [world.start(), world.start()]
    await settle()
    first._core._ledger._drop('sampled')
    second._core._ledger._drop('sampled')
    await second._capture({ title: 'Second' })
    await first._capture({ title: 'First' })
    expect(countsOf(world, 'sampled')).toEqual([2, undefined])
  })

  test('are found again in a store that is slow to read', async () => {
    const world = createWorld()
    const { _openStore: openStore } = world.platform
    world.platform._openStore = () => ({ ...openStore(), _readNow: () => undefined })
    const first = world.start()
    await settle()
    first._core._ledger._drop('ignored')
    const next = world.start()
    next._core._ledger._drop('ignored')
    await settle()
    await next._capture({ title: 'After' })
    expect(countsOf(world, 'ignored')).toEqual([2])
  })

  test('stay with a report until it has arrived, even after a restart', async () => {
    const world = createWorld()
    world.answer = () => undefined
    const client = world.start()
    client._core._ledger._drop('repeated')
    await client._capture({ title: 'Waits' })
    expect([...world.stored.keys()]).toHaveLength(1)
    world.answer = () => JOINED
    const second = world.start()
    await settle()
    expect(world.stored.has(`counts-${PUBLIC_KEY}`)).toBe(false)
    await second._capture({ title: 'Joins another' })
    expect(countsOf(world, 'repeated')).toEqual([1, 1, undefined])
  })

  test('are not counted twice when an earlier form of the report has arrived', async () => {
    const world = createWorld()
    world.answer = (_, attempt) => (attempt === 1 ? { status: 409 } : ACCEPTED)
    const client = world.start()
    client._core._ledger._drop('repeated')
    expect(await client._capture({ title: 'Known' })).toMatchObject({ status: 'sent' })
    await client._capture({ title: 'Next' })
    expect(countsOf(world, 'repeated')).toEqual([1, undefined])
  })

  test('stay in a report that has to lose its other metadata', async () => {
    const world = createWorld()
    world.answer = ({ metadata }) => (metadata?.['screen'] ? { status: 413 } : ACCEPTED)
    const client = world.start({
      beforeSend: (content) => ({ ...content, metadata: { screen: 'x', 'bugle.dropped.repeated': 'mine' } }),
    })
    client._core._ledger._drop('repeated')
    expect(await client._capture({ title: 'Large' })).toMatchObject({ status: 'sent', trimmed: ['metadata'] })
    expect(world.received[1]?.metadata).toEqual({ 'bugle.dropped.repeated': 1 })
  })
})
