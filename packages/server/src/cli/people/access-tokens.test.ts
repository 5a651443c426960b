import { describe, expect } from 'vitest'
import { expectFailure, test } from '../../../test-support/bugle-command.ts'
import { mintAccessToken } from '../../domain/people/access-tokens.ts'
import { mintUnshardedId } from '../../model/ids.ts'
import { openStorageForCommand } from '../../storage/open-storage.ts'

describe.concurrent('bugle token', () => {
  test('lists tokens with the scopes that they have now, without the tokens, and revokes one', async ({
    bugle,
  }) => {
    const ada = await bugle.json('user add --email ada@example.com --name Ada --role viewer')
    await bugle.json('user add --email bob@example.com --name Bob --role viewer')
    expect((await bugle.run('token list')).stdout).toContain('No tokens.')
    const scopes = ['issues:read', 'issues:delete'] as const
    const given = { userId: ada.id, name: 'Bot', scopes, createdAt: Date.now(), expiresAt: null }
    const { token, record } = mintAccessToken(given)
    const storage = await openStorageForCommand(`sqlite:${bugle.database}`)
    await storage.accessTokens.create(record)
    await storage.close()

    expect(await bugle.json('token list')).toEqual([
      {
        ...{ id: record.id, userId: ada.id, email: 'ada@example.com', name: 'Bot', ending: token.slice(-4) },
        ...{ scopes: ['issues:read'], expiresAt: null, lastUsedAt: null, createdAt: expect.any(String) },
      },
    ])
    expect(await bugle.json('token list --user bob@example.com')).toEqual([])
    const { stdout } = await bugle.run('token list --user ada@example.com')
    expect(stdout).toMatch(/^ID +OWNER .*\npat_\w+ +ada@example\.com +Bot +….... +active +issues:read\n$/)
    expect(stdout).not.toContain(token.slice(8, -4))

    expect((await bugle.run(`token revoke ${record.id}`)).stdout).toBe(`Revoked ${record.id}.\n`)
    expect(await bugle.json('token list')).toEqual([])
    const [entry] = await bugle.json('audit list --action access_token.revoked')
    expect(entry).toMatchObject({ actor: { kind: 'os' }, subject: record.id })
  })

  test('says what is wrong with an id', async ({ bugle }) => {
    const missing = mintUnshardedId('pat', 0)
    await expectFailure(bugle, `token revoke ${missing}`, `there is no token "${missing}"`)
    await expectFailure(bugle, 'token list --user eve@example.com', 'no user has the email address')
    const wrong = await bugle.run('token revoke nonsense')
    expect([wrong.code, wrong.stdout]).toEqual([2, ''])
    expect(wrong.stderr).toContain('"nonsense" is not the id of a token')
  })
})
