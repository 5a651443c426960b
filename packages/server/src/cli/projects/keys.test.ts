import { describe, expect } from 'vitest'
import { expectFailure, TIME, test } from '../../../test-support/bugle-command.ts'
import { mintUnshardedId, projectNumberOf } from '../../model/ids.ts'

describe.concurrent('bugle key', () => {
  test('create shows the token of a public key, and list shows it again', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    const key = await bugle.json('key create --project weather --kind public --name iOS')
    expect(key).toMatchObject({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      kind: 'public',
      name: 'iOS',
      token: expect.stringMatching(/^bgl_pub_\w{36}$/),
      scopes: [],
      revokedAt: null,
    })
    expect((await bugle.run('key list --project weather')).stdout).toContain(key.token)
    const [listed] = await bugle.json('key list --project weather')
    const number = projectNumberOf(key.projectId)
    expect(listed.dsn).toMatch(new RegExp(`^https?://${key.token}@[\\w.:-]+/${number}$`))
    expect(key.dsn).toBe(listed.dsn)
  })

  test('create shows the token of a secret key once, and list only its last characters', async ({
    bugle,
  }) => {
    await bugle.json('project create --name Weather --slug weather')
    const key = await bugle.json('key create --project weather --kind secret --scope issues:read')
    expect(key).toMatchObject({ token: expect.stringMatching(/^bgl_sec_\w{36}$/), scopes: ['issues:read'] })
    for (const line of ['key list --project weather', 'key list --project weather --json']) {
      const { stdout } = await bugle.run(line)
      expect(stdout).toContain(key.id)
      expect(stdout).toContain(key.token.slice(-4))
      expect(stdout).not.toContain(key.token.slice(8, -4))
    }
  })

  test('create takes several scopes and origins, and keys for all projects are listed separately', async ({
    bugle,
  }) => {
    await bugle.json('project create --name Weather --slug weather')
    const instance = 'key create --all-projects --kind secret --scope issues:read --scope projects:read'
    expect(await bugle.json(instance)).toMatchObject({ scopes: ['issues:read', 'projects:read'] })
    const page =
      'key create --project weather --kind public --origin https://a.example --origin http://localhost:5173'
    expect(await bugle.json(page)).toMatchObject({ origins: ['https://a.example', 'http://localhost:5173'] })
    expect(await bugle.json('key list --all-projects')).toHaveLength(1)
    expect(await bugle.json('key list --project weather')).toHaveLength(1)
  })

  test('list without a project shows the keys of all, with their projects', async ({ bugle }) => {
    for (const slug of ['weather', 'maps']) {
      await bugle.json(`project create --name ${slug} --slug ${slug}`)
      await bugle.json(`key create --project ${slug} --kind public --name ${slug}-app`)
    }
    await bugle.json('key create --all-projects --kind secret --scope issues:read --name everything')
    const names = (keys: { name: string }[]) => keys.map(({ name }) => name)
    expect(names(await bugle.json('key list'))).toEqual(['everything', 'weather-app', 'maps-app'])
    expect(names(await bugle.json('key list --all-projects'))).toEqual(['everything'])
    expect(names(await bugle.json('key list --project maps'))).toEqual(['maps-app'])
    const { stdout } = await bugle.run('key list')
    expect(stdout).toMatch(
      /^ID +PROJECT +KIND .*\nkey_\w+ +all projects +secret .*\nkey_\w+ +weather +public /,
    )
  })

  test('revoke disables a key permanently, and reports if it was already revoked', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    const { id } = await bugle.json('key create --project weather --kind public')
    expect(await bugle.json(`key revoke ${id}`)).toEqual({ id, outcome: 'revoked' })
    const listed = await bugle.json('key list --project weather')
    expect(listed).toMatchObject([{ id, revokedAt: expect.stringMatching(TIME) }])
    expect(await bugle.json(`key revoke ${id}`)).toEqual({ id, outcome: 'already-revoked' })
    expect(await bugle.json('key list --project weather')).toEqual(listed)
  })

  test('fails for keys and projects that do not exist', async ({ bugle }) => {
    const missing = mintUnshardedId('key', Date.now())
    await expectFailure(bugle, `key revoke ${missing}`, `there is no key "${missing}"`)
    await expectFailure(bugle, 'key list --project maps', 'there is no project "maps"')
    await expectFailure(bugle, 'key create --project maps --kind public', 'there is no project "maps"')
  })
})
