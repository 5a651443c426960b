import { expect, it } from 'vitest'
import { findDeviceId, mintDeviceToken } from './known-devices.ts'
import { makeUser } from './users.ts'

const rights = { role: 'viewer', canSeeSecurity: false, projectIds: null } as const
const fields = { name: 'Ada', ...rights, createdAt: 0 }
const ada = { ...makeUser({ ...fields, email: 'ada@example.com' }), passwordHash: 'a hash' }
const token = mintDeviceToken(ada)

it('is recognised by its token, each browser separately', () => {
  expect(findDeviceId(token, ada)).toMatch(/^[\w-]{22}$/)
  expect(findDeviceId(mintDeviceToken(ada), ada)).not.toBe(findDeviceId(token, ada))
})

it.each([
  ['without a person', undefined, ada],
  [
    'of another person',
    token,
    { ...makeUser({ ...fields, email: 'bob@example.com' }), passwordHash: 'a hash' },
  ],
  ['of an earlier password', token, { ...ada, passwordHash: 'another hash' }],
  [
    'of a person without a password',
    mintDeviceToken({ ...ada, passwordHash: null }),
    { ...ada, passwordHash: null },
  ],
  ['with another id', `${'x'.repeat(22)}${token.slice(22)}`, ada],
  ['with another signature', `${token.slice(0, 23)}${'x'.repeat(43)}`, ada],
  ['that is too short', token.slice(0, -1), ada],
])('is not recognised by the token %s', (_, text, user) => {
  expect(findDeviceId(text, user)).toBeNull()
})
