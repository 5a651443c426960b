import { describe, expect, it } from 'vitest'
import { cookieOf, DAY, faultsOf, PASSWORD, setSessionStage } from '../../../../test-support/session-stage.ts'
import { startApp } from '../../../../test-support/start-app.ts'
import { mintLink } from '../../../domain/people/one-time-links.ts'

const stage = setSessionStage()
const { invite, linkFor, accept, join, signIn, session } = stage

describe('a one-time link', () => {
  it('shows who it is for, and sets the first password', async () => {
    const { token, user } = await invite('first@example.com')
    const read = () => stage.api.send('POST', '/session/link', { body: { token } })
    const expiresAt = new Date(stage.now + DAY).toISOString()
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
      createdAt: new Date(stage.now).toISOString(),
      expiresAt: new Date(stage.now + 30 * DAY).toISOString(),
    })
    expect(accepted.headers.get('cache-control')).toBe('no-store')
    expect((await session(cookieOf(accepted))).body).toEqual(accepted.body)
    expect((await signIn(user.email, PASSWORD)).status).toBe(200)
  })

  it('works once, and then looks like one that never existed', async () => {
    const { token } = await invite('once@example.com')
    await accept({ token, password: PASSWORD })
    const answers = [
      await accept({ token, password: 'another horse' }),
      await accept({ token: 'x'.repeat(43), password: 'another horse' }),
      await accept({ token: 'not even a token', password: 'another horse' }),
      await stage.api.send('POST', '/session/link', { body: { token } }),
    ]
    expect(answers.map(({ body }) => [body.code, body.detail])).toEqual(
      answers.map(() => ['link-invalid', answers[0]?.body.detail]),
    )
    expect((await signIn('once@example.com', 'another horse')).status).toBe(401)
  })

  it('works for a day', async () => {
    const { token } = await invite('late@example.com')
    stage.pass(DAY)
    expect((await accept({ token, password: PASSWORD })).body.code).toBe('link-invalid')
  })

  it('stays valid if the password is refused', async () => {
    const { token } = await invite('picky@example.com')
    const refused = async (password: string) => faultsOf(await accept({ token, password }))
    expect(await refused('nine char')).toEqual([422, [['#/password', 'too-short']]])
    expect(await refused('🐴'.repeat(257))).toEqual([422, [['#/password', 'too-long']]])
    expect(await refused('Picky@Example.com')).toEqual([422, [['#/password', 'password']]])
    expect(await refused('🐴'.repeat(256))).toEqual([200, undefined])
  })

  it('for a forgotten password ends every session, and shows its purpose', async () => {
    const { user, cookie } = await join('forgetful@example.com')
    const token = await linkFor(user)
    expect((await stage.api.send('POST', '/session/link', { body: { token } })).body.purpose).toBe('reset')
    const accepted = await accept({ token, password: 'another horse' })
    expect((await session(cookie)).status).toBe(401)
    expect((await session(cookieOf(accepted))).status).toBe(200)
    expect((await signIn(user.email, PASSWORD)).status).toBe(401)
    expect((await signIn(user.email, 'another horse')).status).toBe(200)
  })

  it('without a person creates the first one, who enters email and name', async () => {
    await using fresh = await startApp({ clock: () => stage.now })
    const acceptFirst = (body: object) => fresh.send('POST', '/session/link/accept', { body })
    const [{ token, link }, other] = [mintLink(null, stage.now), mintLink(null, stage.now)]
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
    const fields = { password: PASSWORD, name: 'Root', email: 'Root@Example.com' }
    expect(faultsOf(await acceptFirst({ ...fields, token, email: 'no address' }))).toEqual([
      422,
      [['#/email', 'email']],
    ])
    const accepted = await acceptFirst({ ...fields, token })
    expect(accepted.body.user).toMatchObject({
      email: 'root@example.com',
      role: 'admin',
      canSeeSecurity: true,
      projectIds: null,
    })
    for (const used of [token, other.token])
      expect((await acceptFirst({ ...fields, token: used, email: 'second@example.com' })).status).toBe(404)
  })

  it('without a person becomes invalid when there is an admin', async () => {
    await using fresh = await startApp({ clock: () => stage.now })
    const { token, link } = mintLink(null, stage.now)
    await fresh.app.storage.users.createLink(link)
    await fresh.addUser({ role: 'admin' })
    const body = { token, password: PASSWORD, name: 'Eve', email: 'eve@example.com' }
    const over = { code: 'link-invalid', detail: expect.stringContaining('npx bugle user add --role admin') }
    expect((await fresh.send('POST', '/session/link', { body: { token } })).body).toMatchObject(over)
    expect((await fresh.send('POST', '/session/link/accept', { body })).body).toMatchObject(over)
    expect(await fresh.app.storage.users.find('eve@example.com')).toBeUndefined()
  })

  it('without a person works while there is no admin, which anyone can check', async () => {
    await using fresh = await startApp({ clock: () => stage.now })
    const isPending = async () => (await fresh.send('GET', '/session/setup')).body.isPending
    const { token, link } = mintLink(null, stage.now)
    await fresh.app.storage.users.createLink(link)
    await fresh.addUser({ role: 'viewer' })
    expect(await isPending()).toBe(true)
    const body = { token, password: PASSWORD, name: 'Eve', email: 'eve@example.com' }
    expect((await fresh.send('POST', '/session/link/accept', { body })).body.user.role).toBe('admin')
    expect(await isPending()).toBe(false)
  })

  it('of a person is only for their email address', async () => {
    const { token } = await invite('own@example.com')
    const refused = await accept({ token, password: PASSWORD, email: 'other@example.com' })
    expect(faultsOf(refused)).toEqual([422, [['#/email', 'unexpected']]])
  })
})
