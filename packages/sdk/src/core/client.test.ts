import { describe, expect, test, vi } from 'vitest'
import { ACCEPTED, createWorld, PUBLIC_KEY, settle } from '../../test-support/fake-world.ts'

describe('a report', () => {
  test('arrives as text with the key inside, the device fields, an id that sorts by time, and nothing more', async () => {
    const world = createWorld()
    const client = world.start({ appVersion: '2.4.1', branch: 'main', buildNumber: '' })
    expect(await client._capture({ title: 'Blank screen' })).toEqual({
      status: 'sent',
      id: expect.stringMatching(/^0[\da-f]{7}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      issueId: 'iss_1',
      issueNumber: 1,
    })
    expect(world.received).toEqual([
      {
        publicKey: PUBLIC_KEY,
        title: 'Blank screen',
        platform: 'test',
        osVersion: 'TestOS 1',
        deviceModel: 'Bench',
        appVersion: '2.4.1',
        branch: 'main',
        submissionId: expect.any(String),
        occurredAt: '2026-11-15T12:00:00.000Z',
        sdk: { name: '@bugle/sdk/test', version: '0.1.0' },
      },
    ])
    expect(world.stored).toEqual(new Map())
  })

  test('is stored before it is sent, and kept until the server has responded', async () => {
    const world = createWorld()
    let storedAtSending = 0
    world.answer = () => {
      storedAtSending = world.stored.size
      return { status: 500 }
    }
    const client = world.start()
    expect(await client._capture({ title: 'Kept' })).toMatchObject({ status: 'queued', reason: 'retrying' })
    expect([storedAtSending, world.stored.size]).toEqual([1, 1])
  })

  test('is the same submission at every attempt, even if the app has changed in the meantime', async () => {
    const world = createWorld()
    world.answer = () => undefined
    const before = world.start({ appVersion: '1.0' })
    expect(await before._capture({ title: 'Old' })).toMatchObject({ status: 'queued' })
    await before._close(0)
    world.answer = () => ACCEPTED
    world.start({ appVersion: '2.0' })
    await settle()
    const [first, ...rest] = world.received
    expect(rest.at(-1)).toEqual(first)
    expect(first).toMatchObject({ appVersion: '1.0' })
    expect(world.stored).toEqual(new Map())
  })

  test('is queued as offline when there is no network', async () => {
    const world = createWorld()
    world.answer = () => undefined
    world.isOnline = false
    expect(await world.start()._capture({ title: 'Down' })).toMatchObject({ reason: 'offline' })
    world.answer = () => ACCEPTED
    world.happen('wake')
    await settle()
    expect(world.stored).toEqual(new Map())
  })

  test('does not count as sent when a captive portal responds', async () => {
    const world = createWorld()
    world.answer = () => ({ status: 200, body: '<html>Please sign in</html>' })
    expect(await world.start()._capture({ title: 'Hotel' })).toMatchObject({ status: 'queued' })
    expect(world.stored.size).toBe(1)
  })

  test('that fits is sent when the page hides, before the call returns; one that is in flight is not sent again', async () => {
    const world = createWorld()
    world.platform._openStore = () => ({
      _put: () => new Promise(() => {}),
      _putNow: () => {},
      _readNow: () => undefined,
      _remove: async () => {},
      _readAll: async () => new Map(),
    })
    const client = world.start()
    void client._capture({ title: 'Small' })
    void client._capture({ title: 'Large', description: 'é'.repeat(30_000) })
    world.happen('hide')
    world.happen('hide')
    expect(world.received.map(({ title }) => title)).toEqual(['Small'])
  })
})

describe('a server', () => {
  test('that requests a delay gets no requests until then, even from a page that hides', async () => {
    const world = createWorld()
    world.answer = () => ({ status: 429, headers: { 'retry-after': '60' } })
    const client = world.start()
    expect(await client._capture({ title: 'Too many' })).toMatchObject({ reason: 'held' })
    world.happen('hide')
    world.happen('wake')
    await world.pass(59_000)
    expect(world.received).toHaveLength(1)
    world.answer = () => ACCEPTED
    await world.pass(3_000)
    expect(world.received).toHaveLength(2)
    expect(world.stored).toEqual(new Map())
  })

  test('that does not accept a field gets the report once more without it, and later the count of the loss', async () => {
    const world = createWorld()
    world.answer = ({ category }) =>
      category ? { status: 422, body: { errors: [{ pointer: '#/category' }] } } : ACCEPTED
    const client = world.start()
    expect(await client._capture({ title: 'Odd', category: 'strange' })).toMatchObject({ status: 'sent' })
    expect(world.received[1]).not.toHaveProperty('category')
    expect(world.received[1]?.submissionId).toBe(world.received[0]?.submissionId)
    await client._capture({ title: 'Next' })
    expect(world.received[2]?.metadata).toEqual({ 'bugle.dropped.trimmed': 1 })
  })

  test('that refuses the report as too large gets a shorter one', async () => {
    const world = createWorld()
    world.answer = ({ description = '' }) => (description.length > 5_000 ? { status: 413 } : ACCEPTED)
    const client = world.start()
    expect(await client._capture({ title: 'Long', description: 'y'.repeat(20_000) })).toMatchObject({
      status: 'sent',
    })
    expect(world.received[1]?.description).toHaveLength(4_096)
  })

  test('that refuses the report permanently causes a drop, whose count is sent with the next report', async () => {
    const world = createWorld()
    world.answer = (_, attempt) =>
      attempt > 1 ? ACCEPTED : { status: 422, body: { errors: [{ pointer: '#/title' }] } }
    const client = world.start()
    expect(await client._capture({ title: 'Bad' })).toMatchObject({ status: 'dropped', reason: 'refused' })
    expect([...world.stored.keys()]).toEqual([`counts-${PUBLIC_KEY}`])
    await client._capture({ title: 'Good' })
    expect(world.received[1]?.metadata).toEqual({ 'bugle.dropped.refused': 1 })
  })

  test('that does not know the key is retried after half an hour; nothing is lost, and there is one warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const world = createWorld()
    world.answer = () => ({ status: 401 })
    const client = world.start()
    expect(await client._capture({ title: 'Revoked' })).toMatchObject({ reason: 'key-refused' })
    await world.pass(29 * 60_000)
    expect(world.received).toHaveLength(1)
    await world.pass(2 * 60_000)
    expect(world.received).toHaveLength(2)
    expect(world.stored.size).toBe(1)
    expect(warn.mock.calls).toEqual([['[bugle] publicKey refused']])
    warn.mockRestore()
  })

  test('that is blocked is retried less and less often, silently, but at least every five minutes', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const world = createWorld()
    world.answer = () => undefined
    const client = world.start()
    await client._capture({ title: 'Blocked' })
    for (let second = 0; second < 600; second++) await world.pass(1_000)
    const early = world.received.length
    for (let second = 0; second < 3_600; second += 10) await world.pass(10_000)
    expect([early, world.received.length - early].map((count) => count < 30)).toEqual([true, true])
    expect(world.received.length - early).toBeGreaterThanOrEqual(12)
    expect(world.stored.size).toBe(1)
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })
})

describe('a client', () => {
  test('leaves no timer and no listener when it is closed', async () => {
    const world = createWorld()
    world.answer = () => undefined
    const client = world.start()
    await client._capture({ title: 'Unsent' })
    expect(world.countWatchers()).toBe(1)
    await client._close(0)
    expect([world.countTimers(), world.countWatchers()]).toEqual([0, 0])
    expect(world.stored.size).toBe(1)
  })

  test('aborts requests in flight when it is closed; the report stays in the queue', async () => {
    const world = createWorld()
    const urls: string[] = []
    world.platform.fetch = (url, { signal }) =>
      new Promise((_, reject) => {
        urls.push(url)
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    const client = world.start()
    const captured = client._capture({ title: 'On its way' })
    await settle()
    const closed = client._close(1_000)
    await world.pass(1_000)
    await closed
    expect(await captured).toMatchObject({ status: 'queued' })
    await settle()
    expect(urls.map((url) => url.split('/').at(-1)).sort()).toEqual(['issues', 'sdk-config'])
    expect([world.countTimers(), world.stored.size]).toEqual([0, 1])
  })

  test('sends nothing more once it is closed, although the response was a success', async () => {
    const world = createWorld()
    world.answer = () => undefined
    const before = world.start()
    await before._capture({ title: 'One' })
    await before._capture({ title: 'Two' })
    await before._close(0)
    const sent = world.received.length
    let accept = () => {}
    world.platform.fetch = async (_, { body }) => {
      if (body) world.received.push(JSON.parse(String(body)))
      await new Promise<void>((resolve) => {
        accept = resolve
      })
      return new Response('{"id": "iss_1"}', { status: 201 })
    }
    const client = world.start()
    await settle()
    const closed = client._close(0)
    await world.pass(0)
    await closed
    accept()
    await settle()
    expect(world.received.length).toBe(sent + 1)
  })

  test('has no timer while there is nothing to send', async () => {
    const world = createWorld()
    const client = world.start()
    await client._capture({ title: 'Sent' })
    await settle()
    expect(world.countTimers()).toBe(0)
  })

  test('knows the exact system a moment later', async () => {
    const world = createWorld()
    world.platform._readDevice = () => ({
      _known: { osVersion: 'Windows >=10' },
      _soon: Promise.resolve({ osVersion: 'Windows 11' }),
    })
    const client = world.start()
    await client._capture({ title: 'At once' })
    await settle()
    await client._capture({ title: 'Later' })
    expect(world.received.map(({ osVersion }) => osVersion)).toEqual(['Windows >=10', 'Windows 11'])
  })
})
