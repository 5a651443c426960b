import { expect, it } from 'vitest'
import { memorySqliteStorage, temporarySqliteStorage } from '../../../test-support/temporary-storage.ts'
import { mintLink } from '../../domain/people/one-time-links.ts'
import { makeUser } from '../../domain/people/users.ts'
import { describeUserStorage } from '../suites/users.contract.ts'

describeUserStorage('SQLite in memory', memorySqliteStorage)

it('preserves people, hashes and links in messages to the writer thread', async () => {
  await using storage = await temporarySqliteStorage()
  const rights = { role: 'admin', canSeeSecurity: true, projectIds: null } as const
  const user = makeUser({ email: 'ada@example.com', name: 'Ada', ...rights, createdAt: 1 })
  const { link } = mintLink(null, 1)
  expect(await storage.users.createLink(link)).toBe('created')
  expect(await storage.users.findLink(link.hash)).toEqual({ ...link, user: null })
  expect(await storage.users.acceptFirstLink({ hash: link.hash, at: 2, user })).toBe('created')
  const { link: second } = mintLink(user.id, 3)
  await storage.users.createLink(second)
  const command = { hash: second.hash, at: 4, passwordHash: 'new', name: null }
  expect(await storage.users.acceptLink(command)).toEqual({ ...user, passwordHash: 'new' })
})
