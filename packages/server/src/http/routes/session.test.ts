import { MAX_VIEWS } from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'
import { mintLink } from '../../domain/one-time-links.ts'
import { makeUser } from '../../domain/users.ts'
import { mintUnshardedId } from '../../ids.ts'
import type { UserRecord } from '../../storage/records/users.ts'

const PASSWORD = 'correct horse'
const DAY = 86_400_000

let now = Date.UTC(2026, 10, 15)
let api: TestApp
let project: TestProject

beforeAll(async () => {
  api = await startApp({ clock: () => now })
  project = await api.addProject()
})
afterAll(() => api[Symbol.asyncDispose]())

/** A person who has been invited, and the token of their link. */
async function invite(email: string): Promise<{ readonly user: UserRecord; readonly token: string }> {
  const rights = { role: 'triager', canSeeSecurity: false, projectIds: null } as const
  const user = makeUser({ email, name: 'Ada', ...rights, createdAt: now })
  await api.app.storage.users.create(user)
  return { user, token: await linkFor(user) }
}

async function linkFor(user: UserRecord | null): Promise<string> {
  const { token, link } = mintLink(user?.id ?? null, now)
  await api.app.storage.users.createLink(link)
  return token
}

/** A person with a password; the cookies are those of their first sign-in. */
async function join(email: string) {
  const { user, token } = await invite(email)
  const accepted = await accept({ token, password: PASSWORD })
  return { user, cookie: cookieOf(accepted), device: deviceOf(accepted) }
}

const accept = (body: object) => api.send('POST', '/session/link/accept', { body })
const signIn = (email: string, password: string, headers = {}) => {
  // Newest first: two in the same millisecond have no order.
  now += 1
  return api.send('POST', '/session', { body: { email, password }, headers })
}
const session = (key: string) => api.send('GET', '/session', { key })
const signIns = async (key: string) => (await api.send('GET', '/session/sign-ins', { key })).body.data

function cookieOf({ headers }: Answer): string {
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

function deviceOf({ headers }: Answer): string {
  return headers.getSetCookie()[1]?.split(';')[0] ?? ''
}

function faultsOf({ status, body }: Answer) {
  return [status, body.errors?.map(({ pointer, code }: Record<string, string>) => [pointer, code])]
}

describe('a one-time link', () => {
  it('says whose it is, and sets the first password', async () => {
    const { token, user } = await invite('first@example.com')
    const read = () => api.send('POST', '/session/link', { body: { token } })
    const expiresAt = new Date(now + DAY).toISOString()
    const expected = { email: user.email, name: 'Ada', purpose: 'first', expiresAt }
    expect((await read()).body).toEqual(expected)
    expect((await read()).body).toEqual(expected)

    const accepted = await accept({ token, password: PASSWORD, name: 'Countess' })
    expect(accepted.body).toEqual({
      user: {
        id: user.id,
        email: user.email,
        name: 'Countess',
        role: 'triager',
        canSeeSecurity: false,
        scopes: ['issues:read', 'projects:read', 'events:read', 'issues:triage'],
        projectIds: null,
      },
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + 30 * DAY).toISOString(),
    })
    expect(accepted.headers.get('cache-control')).toBe('no-store')
    expect((await session(cookieOf(accepted))).body).toEqual(accepted.body)
    expect((await signIn(user.email, PASSWORD)).status).toBe(200)
  })

  it('works once, in the same words as one that never was', async () => {
    const { token } = await invite('once@example.com')
    await accept({ token, password: PASSWORD })
    const answers = [
      await accept({ token, password: 'another horse' }),
      await accept({ token: 'x'.repeat(43), password: 'another horse' }),
      await accept({ token: 'not even a token', password: 'another horse' }),
      await api.send('POST', '/session/link', { body: { token } }),
    ]
    expect(answers.map(({ body }) => [body.code, body.detail])).toEqual(
      answers.map(() => ['link-invalid', answers[0]?.body.detail]),
    )
    expect((await signIn('once@example.com', 'another horse')).status).toBe(401)
  })

  it('works for a day', async () => {
    const { token } = await invite('late@example.com')
    now += DAY
    expect((await accept({ token, password: PASSWORD })).body.code).toBe('link-invalid')
  })

  it('is not used up by a password that is refused', async () => {
    const { token } = await invite('picky@example.com')
    const refused = async (password: string) => faultsOf(await accept({ token, password }))
    expect(await refused('nine char')).toEqual([422, [['#/password', 'too-short']]])
    expect(await refused('🐴'.repeat(257))).toEqual([422, [['#/password', 'too-long']]])
    expect(await refused('Picky@Example.com')).toEqual([422, [['#/password', 'password']]])
    expect(await refused('🐴'.repeat(256))).toEqual([200, undefined])
  })

  it('for a forgotten password ends every sign-in, and says that it is one', async () => {
    const { user, cookie } = await join('forgetful@example.com')
    const token = await linkFor(user)
    expect((await api.send('POST', '/session/link', { body: { token } })).body.purpose).toBe('reset')
    const accepted = await accept({ token, password: 'another horse' })
    expect((await session(cookie)).status).toBe(401)
    expect((await session(cookieOf(accepted))).status).toBe(200)
    expect((await signIn(user.email, PASSWORD)).status).toBe(401)
    expect((await signIn(user.email, 'another horse')).status).toBe(200)
  })

  it('of nobody makes the first person, who says who they are', async () => {
    await using fresh = await startApp({ clock: () => now })
    const acceptFirst = (body: object) => fresh.send('POST', '/session/link/accept', { body })
    const [{ token, link }, other] = [mintLink(null, now), mintLink(null, now)]
    for (const one of [link, other.link]) await fresh.app.storage.users.createLink(one)
    const read = await fresh.send('POST', '/session/link', { body: { token } })
    expect(read.body).toMatchObject({ email: null, name: null, purpose: 'first' })
    expect(faultsOf(await acceptFirst({ token, password: PASSWORD }))).toEqual([
      422,
      [
        ['#/email', 'required'],
        ['#/name', 'required'],
      ],
    ])
    const wish = { password: PASSWORD, name: 'Root', email: 'Root@Example.com' }
    expect(faultsOf(await acceptFirst({ ...wish, token, email: 'no address' }))).toEqual([
      422,
      [['#/email', 'email']],
    ])
    const accepted = await acceptFirst({ ...wish, token })
    expect(accepted.body.user).toMatchObject({
      email: 'root@example.com',
      role: 'admin',
      canSeeSecurity: true,
      projectIds: null,
    })
    for (const used of [token, other.token])
      expect((await acceptFirst({ ...wish, token: used, email: 'second@example.com' })).status).toBe(404)
  })

  it('of nobody is over when there is somebody', async () => {
    await using fresh = await startApp({ clock: () => now })
    const { token, link } = mintLink(null, now)
    await fresh.app.storage.users.createLink(link)
    await fresh.addUser()
    const body = { token, password: PASSWORD, name: 'Eve', email: 'eve@example.com' }
    expect((await fresh.send('POST', '/session/link', { body: { token } })).body.code).toBe('link-invalid')
    expect((await fresh.send('POST', '/session/link/accept', { body })).body.code).toBe('link-invalid')
    expect(await fresh.app.storage.users.find('eve@example.com')).toBeUndefined()
  })

  it('of a person is for their address alone', async () => {
    const { token } = await invite('own@example.com')
    const refused = await accept({ token, password: PASSWORD, email: 'other@example.com' })
    expect(faultsOf(refused)).toEqual([422, [['#/email', 'unexpected']]])
  })
})

describe('signing in', () => {
  it('takes the address however it is written, and sets a cookie that no script reads', async () => {
    const { user } = await join('capital@example.com')
    const answer = await signIn(' Capital@EXAMPLE.com', PASSWORD, { 'user-agent': 'Firefox/144' })
    expect(answer.headers.get('set-cookie')).toMatch(
      /^bugle_session=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax, bugle_device=/,
    )
    expect(answer.body.user.id).toBe(user.id)
    expect(await signIns(cookieOf(answer))).toMatchObject([{ userAgent: 'Firefox/144', isCurrent: true }, {}])
  })

  it('does not say what was wrong', async () => {
    await join('known@example.com')
    const { user: invited } = await invite('invited@example.com')
    const answers = [
      await signIn('known@example.com', 'wrong horse'),
      await signIn('unknown@example.com', PASSWORD),
      await signIn(invited.email, PASSWORD),
      await signIn(invited.id, PASSWORD),
      await signIn('known\u0000@example.com', PASSWORD),
    ]
    for (const { status, body, headers } of answers) {
      expect([status, body.code, body.detail]).toEqual([401, 'sign-in-failed', answers[0]?.body.detail])
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  it('is slowed down for whoever guesses, and goes on for others and after a while', async () => {
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
    now += 6_000
    expect((await signIn('target@example.com', PASSWORD)).status).toBe(200)
    now += 60_000
  })

  it('goes on in a browser that did so before, however much strangers guess', async () => {
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
    now += 60_000
  })

  it('by a page of another site is refused, before anything is looked at', async () => {
    await join('lured@example.com')
    const headers = { 'sec-fetch-site': 'cross-site' }
    const answer = await signIn('lured@example.com', PASSWORD, headers)
    expect([answer.status, answer.body.code]).toEqual([403, 'csrf-header-required'])
    const plain = await api.send('POST', '/session', {
      body: JSON.stringify({ email: 'lured@example.com', password: PASSWORD }),
      headers: { 'content-type': 'text/plain' },
    })
    expect(plain.status).toBe(415)
  })
})

describe('a sign-in', () => {
  it('lives on while it is used, and ends after 30 days without', async () => {
    const { cookie } = await join('idle@example.com')
    for (let step = 0; step < 2; step++) {
      now += 29 * DAY
      const { status, body } = await session(cookie)
      expect(status).toBe(200)
      expect(Date.parse(body.expiresAt)).toBeLessThanOrEqual(now + 30 * DAY)
    }
    now += 30 * DAY
    expect((await session(cookie)).body.code).toBe('credentials-required')
  })

  it('ends after 90 days, however much it is used', async () => {
    const { cookie } = await join('busy@example.com')
    const began = now
    for (let step = 0; step < 8; step++) {
      now += 10 * DAY
      expect((await session(cookie)).status).toBe(200)
    }
    now += 9 * DAY
    expect((await session(cookie)).body.expiresAt).toBe(new Date(began + 90 * DAY).toISOString())
    now += DAY
    expect((await session(cookie)).status).toBe(401)
  })

  it('is known to have been used, and is not forgotten, where another process writes it down', async () => {
    const { cookie, user } = await join('roaming@example.com')
    await session(cookie)
    const [signIn] = await api.app.storage.signIns.list(user.id)
    now += 29 * DAY
    await api.app.storage.signIns.recordUses([{ id: signIn?.id ?? 'sgn_', at: now }])
    now += 29 * DAY
    expect((await session(cookie)).status).toBe(200)
  })

  it('is over at once on signing out, and its cookie is cleared', async () => {
    const { cookie } = await join('leaving@example.com')
    const other = cookieOf(await signIn('leaving@example.com', PASSWORD))
    const answer = await api.send('DELETE', '/session', { key: cookie })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('set-cookie')).toMatch(/^bugle_session=; Max-Age=0; /)
    expect((await session(cookie)).status).toBe(401)
    expect((await session(other)).status).toBe(200)
  })

  it('is ended from another browser, by its own person alone', async () => {
    const { cookie } = await join('here@example.com')
    const there = cookieOf(await signIn('here@example.com', PASSWORD))
    const stranger = await api.addUser()
    const [newest, oldest] = await signIns(cookie)
    expect([newest.isCurrent, oldest.isCurrent]).toEqual([false, true])
    const end = (key: string, id: string) => api.send('DELETE', `/session/sign-ins/${id}`, { key })
    expect((await end(stranger, newest.id)).status).toBe(404)
    expect((await end(cookie, mintUnshardedId('sgn', now))).status).toBe(404)
    expect((await end(cookie, newest.id)).status).toBe(204)
    expect((await session(there)).status).toBe(401)
    expect(await signIns(cookie)).toMatchObject([{ id: oldest.id }])
  })

  it('ends everywhere at once, for this person', async () => {
    const { cookie } = await join('everywhere@example.com')
    const there = cookieOf(await signIn('everywhere@example.com', PASSWORD))
    const stranger = await api.addUser()
    expect((await api.send('DELETE', '/session/sign-ins', { key: cookie })).status).toBe(204)
    expect([(await session(cookie)).status, (await session(there)).status]).toEqual([401, 401])
    expect((await session(stranger)).status).toBe(200)
  })
})

describe('a new password', () => {
  const change = (key: string, currentPassword: string, newPassword: string) =>
    api.send('POST', '/session/password', { key, body: { currentPassword, newPassword } })

  it('needs the one before, and ends every other sign-in', async () => {
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

  it('does not undo the one of a link that is used meanwhile', async () => {
    const { user, cookie } = await join('recovering@example.com')
    const token = await linkFor(user)
    const changes = Array.from({ length: 6 }, () => change(cookie, PASSWORD, PASSWORD))
    const accepted = await accept({ token, password: 'another horse' })
    for (const { status } of await Promise.all(changes)) expect([204, 401]).toContain(status)
    // Either the change came first and the link is over, or the link did and the change is refused.
    const isRecovered = accepted.status === 200
    expect((await signIn(user.email, PASSWORD)).status).toBe(isRecovered ? 401 : 200)
    expect((await signIn(user.email, 'another horse')).status).toBe(isRecovered ? 200 : 401)
  })

  it('lets the browser be known again', async () => {
    const { user, cookie, device } = await join('known-again@example.com')
    const changed = await change(cookie, PASSWORD, 'another horse')
    const renewed = changed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    for (let guess = 0; guess < 10; guess++) await signIn(user.email, PASSWORD)
    const statuses = [device, renewed].map(async (known) =>
      signIn(user.email, 'another horse', { cookie: known }),
    )
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([429, 200])
    now += 60_000
  })

  it('can not be used to guess the one before', async () => {
    const { cookie } = await join('stolen@example.com')
    const guesses = Array.from({ length: 12 }, () => change(cookie, 'wrong horse', 'another horse'))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    now += 60_000
  })
})

describe('a saved view', () => {
  const create = (key: string, body: object) => api.send('POST', '/session/views', { key, body })
  const list = async (key: string) => (await api.send('GET', '/session/views', { key })).body.data

  it('is kept as it was saved, for its person alone', async () => {
    const [ada, bob] = [await api.addUser(), await api.addUser()]
    const wish = { name: 'Crashes <b>💥</b>', projectId: project.slug, query: 'q=%22a%22&status=open' }
    const { status, body } = await create(ada, wish)
    expect([status, body]).toEqual([
      201,
      { ...wish, id: body.id, projectId: project.id, createdAt: new Date(now).toISOString() },
    ])
    expect([await list(ada), await list(bob)]).toEqual([[body], []])
    const remove = (key: string) => api.send('DELETE', `/session/views/${body.id}`, { key })
    expect((await remove(bob)).status).toBe(404)
    expect((await remove(ada)).status).toBe(204)
    expect((await remove(ada)).status).toBe(404)
  })

  it('is of a project that the person sees', async () => {
    const other = await api.addProject()
    const ada = await api.addUser({ projects: [project] })
    const answers = [other.slug, other.id, 'missing', ''].map((projectId) =>
      create(ada, { name: 'x', projectId, query: '' }),
    )
    const shown = (await Promise.all(answers)).map(({ status, body }) => [status, body.detail])
    expect(shown).toEqual(shown.map(() => [404, 'Nothing is here that you may see.']))
    expect((await create(ada, { name: 'x', projectId: project.slug, query: '' })).status).toBe(201)
  })

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['query', { query: 'a b' }],
    ['query', { query: 'ü' }],
    ['query', { query: 'x'.repeat(1_025) }],
  ])('is refused for its %s', async (member, wish) => {
    const ada = await api.addUser()
    const answer = await create(ada, { name: 'x', projectId: project.slug, query: '', ...wish })
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, `#/${member}`])
  })

  it('is one of fifty', async () => {
    const ada = await api.addUser()
    const body = { name: 'x', projectId: project.slug, query: '' }
    for (let index = 0; index < MAX_VIEWS; index++) expect((await create(ada, body)).status).toBe(201)
    expect((await create(ada, body)).body.code).toBe('limit-reached')
    expect(await list(ada)).toHaveLength(MAX_VIEWS)
  })
})
