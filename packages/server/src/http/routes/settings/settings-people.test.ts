import { describe, expect, it } from 'vitest'
import { entriesOf, INVITATION, setSettingsStage } from '../../../../test-support/settings-stage.ts'

const { stage, addAdmin } = setSettingsStage()

describe('people in the settings', () => {
  it('are invited by a link, changed and removed', async () => {
    const admin = await addAdmin()
    const invited = await admin.send('POST', '/people', INVITATION)
    expect(invited.status).toBe(201)
    const { person, link } = invited.body
    expect(person).toMatchObject({
      ...INVITATION,
      canSeeSecurity: false,
      projectIds: null,
      hasPassword: false,
    })
    const accept = (address: string) =>
      stage.api.send('POST', '/session/link/accept', {
        body: { token: address.split('#link=')[1], password: 'a sentence only I know' },
      })
    expect((await accept(link)).status).toBe(200)
    const again = await admin.send('POST', `/people/${person.id}/link`)
    expect(again.status).toBe(201)
    const session = await accept(again.body.link)
    const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
    const role = async () => (await stage.api.send('GET', '/session', { key: cookie })).body.user?.role
    expect(await role()).toBe('viewer')
    const patch = { revision: person.revision, role: 'triager' }
    expect((await admin.send('PATCH', `/people/${person.id}`, patch)).body.role).toBe('triager')
    expect(await role()).toBe('triager')
    expect((await admin.send('PATCH', `/people/${person.id}`, patch)).body.code).toBe('revision-conflict')
    expect((await admin.send('DELETE', `/people/${person.id}`)).status).toBe(204)
    expect(await role()).toBeUndefined()
    const entries = (await entriesOf(admin)).filter(
      ({ subject }: { subject: string }) => subject === person.id,
    )
    expect(
      entries.map(({ action, actor }: { action: string; actor: { id: string } }) => [action, actor.id]),
    ).toEqual([
      ['user.removed', admin.id],
      ['user.updated', admin.id],
      ['user.password_set', person.id],
      ['user.link_created', admin.id],
      ['user.password_set', person.id],
      ['user.link_created', admin.id],
      ['user.created', admin.id],
    ])
    expect(JSON.stringify(entries)).not.toContain(link.split('#link=')[1])
  })

  it('refuse an address that is taken, unknown projects and the end of the last admin', async () => {
    const admin = await addAdmin()
    const lastly = async () => {
      for (const { id } of await stage.api.app.storage.users.list(null, 1_000))
        if (id !== admin.id) await stage.api.app.storage.users.delete(id)
    }
    await lastly()
    const { revision } = (await admin.send('GET', '/people')).body.data[0]
    const taken = await admin.send('POST', '/people', { ...INVITATION, email: admin.email.toUpperCase() })
    expect(taken.body.errors[0].pointer).toBe('#/email')
    for (const projectIds of [[], ['prj_nothing'], ['prj_01m8z3v9q8e1r8000000000000']]) {
      const answer = await admin.send('POST', '/people', { ...INVITATION, projectIds })
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '#/projectIds'])
    }
    // An admin of some projects cannot do everything that this one can.
    const project = await stage.api.addProject()
    await addAdmin({ projects: [project] })
    for (const answer of [
      await admin.send('PATCH', `/people/${admin.id}`, { revision, role: 'viewer' }),
      await admin.send('PATCH', `/people/${admin.id}`, { revision, projectIds: [project.id] }),
      await admin.send('DELETE', `/people/${admin.id}`),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, 'last-admin'])
  })

  it('get no right that the admin does not hold, and no link from an admin with fewer rights', async () => {
    const project = await stage.api.addProject()
    const other = await stage.api.addProject()
    const full = await addAdmin()
    const unseeing = await addAdmin({ canSeeSecurity: false })
    const limited = await addAdmin({ projects: [project] })
    const refused = [
      await unseeing.send('POST', '/people', { ...INVITATION, canSeeSecurity: true }),
      await unseeing.send('POST', `/people/${full.id}/link`),
      await limited.send('POST', '/people', INVITATION),
    ]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [403, 'insufficient-scope']),
    )
    // Foreign projects are unknown, whether they exist or not.
    for (const foreign of [other.id, 'prj_01m8z3v9q8e1r8000000000000']) {
      const answer = await limited.send('POST', '/people', {
        ...INVITATION,
        projectIds: [project.id, foreign],
      })
      expect([answer.status, answer.body.errors[0].code]).toEqual([422, 'unknown'])
    }
    const { body: listed } = await unseeing.send('GET', '/people?pageSize=100')
    const own = listed.data.find(({ id }: { id: string }) => id === unseeing.id)
    const raise = { revision: own.revision, canSeeSecurity: true }
    expect((await unseeing.send('PATCH', `/people/${unseeing.id}`, raise)).status).toBe(403)
    const mine = (await limited.send('GET', '/people?pageSize=100')).body.data
    expect(mine.map(({ id }: { id: string }) => id)).toEqual([limited.id])
    const widen = { revision: mine[0].revision, projectIds: null }
    expect((await limited.send('PATCH', `/people/${limited.id}`, widen)).status).toBe(403)
    expect((await limited.send('DELETE', `/people/${full.id}`)).status).toBe(404)
    const invited = await limited.send('POST', '/people', { ...INVITATION, projectIds: [project.id] })
    expect(invited.status).toBe(201)
    // What a person already has need not be granted again.
    const seeing = listed.data.find(({ id }: { id: string }) => id === full.id)
    const rename = { revision: seeing.revision, name: 'New name' }
    expect((await unseeing.send('PATCH', `/people/${full.id}`, rename)).status).toBe(200)
  })
})

describe('people who see security issues', () => {
  it('keep their address, their right and their account from admins who do not', async () => {
    const [full, unseeing] = [await addAdmin(), await addAdmin({ canSeeSecurity: false })]
    const path = `/people/${full.id}`
    const { body } = await unseeing.send('GET', '/people?pageSize=100')
    const { revision } = body.data.find(({ id }: { id: string }) => id === full.id)
    for (const answer of [
      await unseeing.send('PATCH', path, { revision, email: 'mine@example.com' }),
      await unseeing.send('PATCH', path, { revision, canSeeSecurity: false }),
      await unseeing.send('PATCH', path, { revision, projectIds: [(await stage.api.addProject()).id] }),
      await unseeing.send('DELETE', path),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, 'insufficient-scope'])
    expect((await stage.api.app.storage.users.find(full.id))?.email).toBe(full.email)
    expect(
      (await unseeing.send('PATCH', path, { revision, email: full.email, role: 'triager' })).status,
    ).toBe(200)
  })

  it('get more projects only from an admin who sees security issues', async () => {
    const [project, other] = [await stage.api.addProject(), await stage.api.addProject()]
    const seeing = await addAdmin({ projects: [project] })
    const [full, unseeing] = [await addAdmin(), await addAdmin({ canSeeSecurity: false })]
    const { body } = await unseeing.send('GET', '/people?pageSize=100')
    const { revision } = body.data.find(({ id }: { id: string }) => id === seeing.id)
    const more = { revision, projectIds: [project.id, other.id] }
    expect((await unseeing.send('PATCH', `/people/${seeing.id}`, more)).body.code).toBe('insufficient-scope')
    expect((await full.send('PATCH', `/people/${seeing.id}`, more)).status).toBe(200)
  })

  it('cannot all lose the right', async () => {
    const admin = await addAdmin()
    await addAdmin({ canSeeSecurity: false })
    const { users } = stage.api.app.storage
    for (const { id, canSeeSecurity } of await users.list(null, 1_000))
      if (canSeeSecurity && id !== admin.id) await users.delete(id)
    const { body } = await admin.send('GET', '/people?pageSize=100')
    const { revision } = body.data.find(({ id }: { id: string }) => id === admin.id)
    for (const answer of [
      await admin.send('PATCH', `/people/${admin.id}`, { revision, canSeeSecurity: false }),
      await admin.send('DELETE', `/people/${admin.id}`),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, 'last-security-holder'])
  })
})
