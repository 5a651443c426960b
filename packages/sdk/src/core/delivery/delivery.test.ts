import { describe, expect, test, vi } from 'vitest'
import { ACCEPTED, createWorld, PUBLIC_KEY, settle, type World } from '../../../test-support/fake-world.ts'

const DAY_MS = 86_400_000

describe('after failures', () => {
  test('a new report is sent at once, but at most every 15 s', async () => {
    const world = createWorld()
    world.answer = () => undefined
    const client = world.start()
    for (let time = 0; time < 6; time++) {
      await client._capture({ title: `Down ${time}` })
      await world.pass(500)
    }
    await world.pass(11_000)
    const before = world.received.length
    world.answer = () => ACCEPTED
    await world.pass(3_000)
    expect(await client._capture({ title: 'Up' })).toMatchObject({ status: 'sent' })
    expect(world.received.length - before).toBe(7)
  })

  test('a storm of reports does not cause a storm of requests', async () => {
    const world = createWorld()
    world.answer = () => undefined
    const client = world.start()
    for (let time = 0; time < 50; time++) await client._capture({ title: `Down ${time}` })
    expect(world.received.length).toBeLessThanOrEqual(2)
  })

  test.each(['offline', 'hidden'])('a page that was %s retries at once when it returns', async () => {
    const world = createWorld()
    world.answer = () => undefined
    const client = world.start()
    await client._capture({ title: 'Down' })
    for (let minute = 0; minute < 20; minute++) await world.pass(60_000)
    world.answer = () => ACCEPTED
    world.happen('wake')
    await settle()
    expect(world.stored).toEqual(new Map())
  })

  test('a report that is blocked does not hold up others', async () => {
    const world = createWorld()
    world.answer = ({ title }) => (title === '<script>' ? { status: 403, body: '<html>WAF' } : ACCEPTED)
    const client = world.start()
    expect(await client._capture({ title: '<script>' })).toMatchObject({
      status: 'queued',
      reason: 'retrying',
    })
    expect(await client._capture({ title: 'Other' })).toMatchObject({ status: 'queued' })
    await world.pass(2_000)
    expect(world.received.map(({ title }) => title)).toContain('Other')
    expect(world.stored.size).toBe(1)
  })

  test.each([400, 401, 403, 404, 410, 413, 422])(
    'after a %d that is not from Bugle, the whole report is sent again',
    async (status) => {
      const world = createWorld()
      world.answer = () => ({ status, body: '{"errors": [{"pointer": "#/description"}]}' })
      const client = world.start()
      expect(await client._capture({ title: 'Kept', description: 'Whole' })).toMatchObject({
        status: 'queued',
        reason: 'retrying',
      })
      world.answer = () => ACCEPTED
      await world.pass(4_000)
      expect(world.received.at(-1)).toMatchObject({ title: 'Kept', description: 'Whole' })
      expect(world.stored).toEqual(new Map())
    },
  )
})

describe('a clock', () => {
  /** A server that responds at this time, but cannot accept anything. */
  function unable(world: World, time: string): void {
    world.answer = () => ({ status: 503, headers: { date: new Date(time).toUTCString() } })
  }

  test.each([-20_000, -40, 40, 4_000])(
    'that is set by %d days while a report waits does not drop it',
    async (days) => {
      const world = createWorld()
      unable(world, '2026-11-15T12:00:00Z')
      const client = world.start()
      await client._capture({ title: 'Waits' })
      await client._close(0)
      await world.pass(days * DAY_MS)
      unable(world, '2026-11-16T12:00:00Z')
      await world.start()._close(0)
      world.received.length = 0
      world.answer = () => ACCEPTED
      world.start()
      await settle()
      expect(world.received).toMatchObject([{ title: 'Waits' }])
      expect(world.received[0]).not.toHaveProperty('queuedAt')
      expect(world.stored).toEqual(new Map())
    },
  )

  test('of the server determines when a report has not been accepted for thirty days', async () => {
    const world = createWorld()
    unable(world, '2026-11-15T12:00:00Z')
    const dropped: unknown[] = []
    const start = () => world.start({ onDrop: (reason) => dropped.push(reason) })
    const client = start()
    await client._capture({ title: 'Never accepted' })
    await client._close(0)
    unable(world, '2026-12-15T11:59:00Z')
    await start()._close(0)
    expect(dropped).toEqual([])
    unable(world, '2026-12-15T12:01:00Z')
    const last = start()
    await settle()
    expect(dropped).toEqual(['expired'])
    expect([...world.stored.keys()]).toEqual([`counts-${PUBLIC_KEY}`])
    await last._close(0)
  })

  test('of anything other than the server is ignored', async () => {
    const world = createWorld()
    unable(world, '2026-11-15T12:00:00Z')
    const client = world.start()
    await client._capture({ title: 'Behind a portal' })
    world.answer = () => ({ status: 503, body: '<html>', headers: { date: 'Thu, 01 Jan 2099 00:00:00 GMT' } })
    await client._flush(0)
    expect(world.stored.size).toBe(1)
  })

  test('that is set back does not prevent a second report from being sent', async () => {
    const world = createWorld()
    const client = world.start()
    await client._capture({ title: 'Before' })
    await world.pass(-DAY_MS)
    world.answer = () => undefined
    await client._capture({ title: 'Fails' })
    world.answer = () => ACCEPTED
    await world.pass(16_000)
    expect(await client._capture({ title: 'After' })).toMatchObject({ status: 'sent' })
  })
})

describe('a key that is replaced', () => {
  const CONFIG = { crash: { enabled: true, sampleRate: 1 }, enabled: true, refreshAfterSeconds: 60 }
  const configOf = (id: string) => ({ status: 200, body: { ...CONFIG, project: { id } } })
  const NEW_KEY = 'bgl_pub_new'

  /** Accepts only the new key. */
  const answerNewKey: World['answer'] = ({ publicKey }) =>
    publicKey === NEW_KEY ? ACCEPTED : { status: 401 }

  async function leaveReport(world: World, config: World['config']): Promise<void> {
    world.config = config
    world.answer = () => undefined
    const client = world.start()
    await settle()
    await client._capture({ title: 'Left behind' })
    await client._close(0)
    world.received.length = 0
  }

  test.each([
    ['of the same project, known from before', configOf('prj_1')],
    ['that was never online', undefined],
  ])('hands its reports over to the new key, for one %s', async (_, before) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const world = createWorld()
    await leaveReport(world, before)
    world.config = configOf('prj_1')
    world.answer = answerNewKey
    const client = world.start({ publicKey: NEW_KEY })
    await settle()
    expect(world.received.at(-1)).toMatchObject({ title: 'Left behind', publicKey: NEW_KEY })
    expect(await client._flush(0)).toBe(true)
    // The new key is correct.
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })

  test('and still works is used for its own reports', async () => {
    const world = createWorld()
    await leaveReport(world, undefined)
    world.answer = () => ACCEPTED
    world.start({ publicKey: NEW_KEY })
    await settle()
    expect(world.received).toMatchObject([{ title: 'Left behind', publicKey: PUBLIC_KEY }])
  })

  test('of another project neither hands over its reports nor blocks them', async () => {
    const world = createWorld()
    await leaveReport(world, configOf('prj_1'))
    world.config = configOf('prj_2')
    world.answer = answerNewKey
    const client = world.start({ publicKey: NEW_KEY })
    await settle()
    expect(await client._capture({ title: 'Ours' })).toMatchObject({ status: 'sent' })
    expect(await client._flush(0)).toBe(true)
    const accepted = world.received.filter(({ publicKey }) => publicKey === NEW_KEY)
    expect(accepted.map(({ title }) => title)).toEqual(['Ours'])
    await client._close(0)
    world.answer = () => ACCEPTED
    world.start()
    await settle()
    expect(world.received.at(-1)).toMatchObject({ title: 'Left behind', publicKey: PUBLIC_KEY })
  })
})

describe('a developer', () => {
  test('gets one warning that a report was trimmed, and every result contains it', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const world = createWorld()
    const client = world.start()
    for (const title of ['a'.repeat(300), 'b'.repeat(300)])
      expect(await client._capture({ title })).toMatchObject({ status: 'sent', trimmed: ['title'] })
    expect(await client._capture({ title: 'Short' })).not.toHaveProperty('trimmed')
    expect(warn.mock.calls).toEqual([['[bugle] report trimmed: title']])
    warn.mockRestore()
  })

  test('gets no warning in production, but the result contains it', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const world = createWorld()
    world.platform._isDevelopment = () => false
    world.answer = () => ({ status: 401 })
    const client = world.start()
    expect(await client._capture({ title: 'a'.repeat(300) })).toMatchObject({
      reason: 'key-refused',
      trimmed: ['title'],
    })
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })
})
