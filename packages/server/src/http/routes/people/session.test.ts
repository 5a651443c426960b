import { describe, expect, it } from 'vitest'
import {
  cookieOf,
  DAY,
  deviceOf,
  faultsOf,
  PASSWORD,
  setSessionStage,
} from '../../../../test-support/session-stage.ts'
import { mintUnshardedId } from '../../../model/ids.ts'

const stage = setSessionStage()
const { invite, linkFor, accept, join, signIn, session, signIns } = stage

describe('signing in', () => {
  it('accepts the email address in any case, and sets a cookie that scripts cannot read', async () => {
    const { user } = await join('capital@example.com')
    const answer = await signIn(' Capital@EXAMPLE.com', PASSWORD, { 'user-agent': 'Firefox/144' })
    expect(answer.headers.get('set-cookie')).toMatch(
      /^bugle_session=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax, bugle_device=/,
    )
    expect(answer.body.user.id).toBe(user.id)
    expect(await signIns(cookieOf(answer))).toMatchObject([{ userAgent: 'Firefox/144', isCurrent: true }, {}])
  })

  it('does not reveal what was wrong', async () => {
    await join('known@example.com')
    const { user: invited } = await invite('invited@example.com')
    const answers = [
      await signIn('known@example.com', 'wrong horse'),
      await signIn('unknown@example.com', PASSWORD),
      await signIn(invited.email, PASSWORD),
      await signIn(invited.id, PASSWORD),
    ]
    for (const { status, body, headers } of answers) {
      expect([status, body.code, body.detail]).toEqual([401, 'sign-in-failed', answers[0]?.body.detail])
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  it('is limited for guesses, but not for others, and works again after a while', async () => {
    await join('target@example.com')
    await join('bystander@example.com')
    for (let guess = 0; guess < 10; guess++)
      expect((await signIn('target@example.com', `guess number ${guess}`)).status).toBe(401)
    const refused = await signIn('target@example.com', PASSWORD)
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate-limited',
      '6',
    ])
    expect((await signIn('bystander@example.com', PASSWORD)).status).toBe(200)
    stage.pass(6_000)
    expect((await signIn('target@example.com', PASSWORD)).status).toBe(200)
    stage.pass(60_000)
  })

  it('still works in a known browser, however much strangers guess', async () => {
    const { user, device } = await join('regular@example.com')
    for (let guess = 0; guess < 10; guess++)
      expect((await signIn(user.email, `guess number ${guess}`)).status).toBe(401)
    const by = (cookie: string) => signIn(user.email, PASSWORD, { cookie })
    expect((await by('')).status).toBe(429)
    const again = await by(`x=y; ${device}`)
    expect(again.status).toBe(200)
    expect((await by(`${device.slice(0, -2)}xx`)).status).toBe(429)

    for (let guess = 0; guess < 10; guess++)
      expect((await signIn(user.email, 'wrong horse', { cookie: device })).status).toBe(401)
    expect((await by(device)).status).toBe(429)
    expect((await by(deviceOf(again))).status).toBe(200)
    stage.pass(60_000)
  })

  it('from a page of another site is refused before anything is read', async () => {
    await join('lured@example.com')
    const headers = { 'sec-fetch-site': 'cross-site' }
    const answer = await signIn('lured@example.com', PASSWORD, headers)
    expect([answer.status, answer.body.code]).toEqual([403, 'csrf-header-required'])
    const plain = await stage.api.send('POST', '/session', {
      body: JSON.stringify({ email: 'lured@example.com', password: PASSWORD }),
      headers: { 'content-type': 'text/plain' },
    })
    expect(plain.status).toBe(415)
  })
})

describe('a session', () => {
  it('continues while it is used, and ends after 30 days without use', async () => {
    const { cookie } = await join('idle@example.com')
    for (let step = 0; step < 2; step++) {
      stage.pass(29 * DAY)
      const { status, body } = await session(cookie)
      expect(status).toBe(200)
      expect(Date.parse(body.expiresAt)).toBeLessThanOrEqual(stage.now + 30 * DAY)
    }
    stage.pass(30 * DAY)
    expect((await session(cookie)).body.code).toBe('credentials-required')
  })

  it('ends after 90 days, however much it is used', async () => {
    const { cookie } = await join('busy@example.com')
    const began = stage.now
    for (let step = 0; step < 8; step++) {
      stage.pass(10 * DAY)
      expect((await session(cookie)).status).toBe(200)
    }
    stage.pass(9 * DAY)
    expect((await session(cookie)).body.expiresAt).toBe(new Date(began + 90 * DAY).toISOString())
    stage.pass(DAY)
    expect((await session(cookie)).status).toBe(401)
  })

  it('is extended when another process records its use', async () => {
    const { cookie, user } = await join('roaming@example.com')
    await session(cookie)
    const [signIn] = await stage.api.app.storage.signIns.list(user.id)
    stage.pass(29 * DAY)
    await stage.api.app.storage.signIns.recordUses([{ id: signIn?.id ?? 'sgn_', at: stage.now }])
    stage.pass(29 * DAY)
    expect((await session(cookie)).status).toBe(200)
  })

  it('ends immediately on signing out, and its cookie is cleared', async () => {
    const { cookie } = await join('leaving@example.com')
    const other = cookieOf(await signIn('leaving@example.com', PASSWORD))
    const answer = await stage.api.send('DELETE', '/session', { key: cookie })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('set-cookie')).toMatch(/^bugle_session=; Max-Age=0; /)
    expect((await session(cookie)).status).toBe(401)
    expect((await session(other)).status).toBe(200)
  })

  it('can be ended from another browser, only by its own person', async () => {
    const { cookie } = await join('here@example.com')
    const there = cookieOf(await signIn('here@example.com', PASSWORD))
    const stranger = await stage.api.addUser()
    const [newest, oldest] = await signIns(cookie)
    expect([newest.isCurrent, oldest.isCurrent]).toEqual([false, true])
    const end = (key: string, id: string) => stage.api.send('DELETE', `/session/sign-ins/${id}`, { key })
    expect((await end(stranger, newest.id)).status).toBe(404)
    expect((await end(cookie, mintUnshardedId('sgn', stage.now))).status).toBe(404)
    expect((await end(cookie, newest.id)).status).toBe(204)
    expect((await session(there)).status).toBe(401)
    expect(await signIns(cookie)).toMatchObject([{ id: oldest.id }])
  })

  it('ends everywhere at once, for this person', async () => {
    const { cookie } = await join('everywhere@example.com')
    const there = cookieOf(await signIn('everywhere@example.com', PASSWORD))
    const stranger = await stage.api.addUser()
    expect((await stage.api.send('DELETE', '/session/sign-ins', { key: cookie })).status).toBe(204)
    expect([(await session(cookie)).status, (await session(there)).status]).toEqual([401, 401])
    expect((await session(stranger)).status).toBe(200)
  })
})

describe('a new password', () => {
  const change = (key: string, currentPassword: string, newPassword: string) =>
    stage.api.send('POST', '/session/password', { key, body: { currentPassword, newPassword } })

  it('needs the current one, and ends every other session', async () => {
    const { cookie } = await join('careful@example.com')
    const there = cookieOf(await signIn('careful@example.com', PASSWORD))
    const wrong = await change(cookie, 'wrong horse', 'another horse')
    expect(faultsOf(wrong)).toEqual([422, [['#/currentPassword', 'incorrect']]])
    expect(faultsOf(await change(cookie, PASSWORD, 'careful@example.com'))).toEqual([
      422,
      [['#/newPassword', 'password']],
    ])
    expect((await session(there)).status).toBe(200)

    expect((await change(cookie, PASSWORD, 'another horse')).status).toBe(204)
    expect([(await session(cookie)).status, (await session(there)).status]).toEqual([200, 401])
    expect((await signIn('careful@example.com', PASSWORD)).status).toBe(401)
    expect((await signIn('careful@example.com', 'another horse')).status).toBe(200)
  })

  it('does not replace one that was set with a link at the same time', async () => {
    const { user, cookie } = await join('recovering@example.com')
    const token = await linkFor(user)
    const changes = Array.from({ length: 6 }, () => change(cookie, PASSWORD, PASSWORD))
    const accepted = await accept({ token, password: 'another horse' })
    for (const { status } of await Promise.all(changes)) expect([204, 401]).toContain(status)
    // Either the change came first and the link is no longer valid, or the link came first and the change is refused.
    const isRecovered = accepted.status === 200
    expect((await signIn(user.email, PASSWORD)).status).toBe(isRecovered ? 401 : 200)
    expect((await signIn(user.email, 'another horse')).status).toBe(isRecovered ? 200 : 401)
  })

  it('makes the browser known again', async () => {
    const { user, cookie, device } = await join('known-again@example.com')
    const changed = await change(cookie, PASSWORD, 'another horse')
    const renewed = changed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    for (let guess = 0; guess < 10; guess++) await signIn(user.email, PASSWORD)
    const statuses = [device, renewed].map(async (known) =>
      signIn(user.email, 'another horse', { cookie: known }),
    )
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([429, 200])
    stage.pass(60_000)
  })

  it('cannot be used to guess the current one', async () => {
    const { cookie } = await join('stolen@example.com')
    const guesses = Array.from({ length: 12 }, () => change(cookie, 'wrong horse', 'another horse'))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    stage.pass(60_000)
  })
})
