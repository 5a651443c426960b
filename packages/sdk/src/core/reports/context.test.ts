import { afterEach, describe, expect, test } from 'vitest'
import { ACCEPTED, createWorld, settle } from '../../../test-support/fake-world.ts'
import { close, findUser, setUser } from '../api.ts'
import type { InitOptions, ReportContent, Reporter } from '../types.ts'

const CONTEXT = { page: 'https://app.example/a', language: 'de', none: undefined }

/** A client on a platform with context, for a person. */
function start(options: Partial<InitOptions> = {}, user?: Reporter) {
  const world = createWorld()
  Object.assign(world.platform, { _readContext: () => CONTEXT })
  return { world, client: world.start(options, { _user: user }) }
}

async function sent(draft: Omit<ReportContent, 'title'>, options?: Partial<InitOptions>, user?: Reporter) {
  const { world, client } = start(options, user)
  await client._capture({ title: 'Blank', ...draft })
  const { context, reporter } = world.received[0] ?? {}
  return { context, reporter }
}

describe('context', () => {
  test('is what the platform collects, with the fields of the call', async () => {
    expect((await sent({})).context).toEqual({ page: 'https://app.example/a', language: 'de' })
    expect((await sent({ context: { language: 'fr', tab: 2 } })).context).toEqual({
      page: 'https://app.example/a',
      language: 'fr',
      tab: 2,
    })
  })

  test('is not collected if the app or the call says so', async () => {
    expect((await sent({}, { context: false })).context).toBeUndefined()
    expect((await sent({ context: false })).context).toBeUndefined()
    expect((await sent({ context: { tab: 2 } }, { context: false })).context).toEqual({ tab: 2 })
    expect((await sent({}, { context: true })).context).toHaveProperty('page')
  })

  test('can be changed by beforeSend', async () => {
    const beforeSend = ({ context, ...rest }: ReportContent) => ({
      ...rest,
      context: { was: typeof context },
    })
    expect((await sent({}, { beforeSend })).context).toEqual({ was: 'object' })
    expect((await sent({}, { beforeSend: (content) => ({ ...content, context: false }) })).context).toBe(
      undefined,
    )
  })

  test('costs no report if it cannot be read, or the platform has none', async () => {
    const world = createWorld()
    const client = world.start()
    await client._capture({ title: 'Plain' })
    Object.assign(world.platform, {
      readContext() {
        throw new Error('denied')
      },
    })
    await world.start()._capture({ title: 'Denied' })
    expect(world.received.map(({ title, context }) => [title, context])).toEqual([
      ['Plain', undefined],
      ['Denied', undefined],
    ])
  })

  test('is cut to the limits of the server', async () => {
    const { world, client } = start()
    const context = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`c${n}`, n ? n : 'x'.repeat(600)]),
    )
    const { trimmed } = await client._capture({ title: 'Long', context })
    const kept = world.received[0]?.context as Record<string, unknown>
    expect(Object.keys(kept)).toHaveLength(30)
    expect(kept['c0']).toHaveLength(512)
    expect(trimmed).toContain('context.c39')
  })

  test('is removed if an earlier server does not know it', async () => {
    const { world, client } = start({}, { id: '1' })
    const errors = [{ pointer: '#/context' }, { pointer: '#/reporter' }]
    world.answer = (report) => (report.context ? { status: 422, body: { errors } } : ACCEPTED)
    const metadata = { page: 'kept' }
    expect(await client._capture({ title: 'Old', metadata })).toMatchObject({
      status: 'sent',
      trimmed: ['context', 'reporter'],
    })
    expect(world.received[1]).toMatchObject({ title: 'Old', metadata })
    expect(world.received[1]).not.toHaveProperty('reporter')
  })
})

describe('the reporter', () => {
  const ADA = { id: '4711', name: 'Ada', email: 'ada@example.com' }

  test('is the person given to setUser, or to the call', async () => {
    expect((await sent({}, {}, ADA)).reporter).toEqual(ADA)
    expect((await sent({ reporter: { email: 'bob@example.com' } }, {}, ADA)).reporter).toEqual({
      email: 'bob@example.com',
    })
    expect((await sent({ reporter: null }, {}, ADA)).reporter).toBeUndefined()
    expect((await sent({})).reporter).toBeUndefined()
  })

  afterEach(async () => {
    setUser(null)
    await close()
  })

  test('can be set before init, has only the known fields, and can be removed', async () => {
    setUser({ id: 4711, name: 'Ada', plan: 'pro' } as unknown as Reporter)
    expect(findUser()).toEqual({ id: '4711', name: 'Ada', email: undefined })
    setUser(null)
    await settle()
    expect(Object.values(findUser() ?? {}).filter(Boolean)).toEqual([])
  })
})
