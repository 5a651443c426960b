import { mintUnshardedId } from '../../src/model/ids.ts'
import type { UserRecord } from '../../src/model/people/users.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { DAY_MS } from './story-reports.ts'

/** Invites people, who sign in, and have access tokens and views until they are deleted. */
export async function playPeople(
  { users, signIns, accessTokens, views }: Storage,
  project: ProjectRecord,
  now: number,
): Promise<void> {
  const hash = (text: string) => Buffer.from(`${text}-${now}`)
  const user: UserRecord = {
    ...{ id: mintUnshardedId('usr', now), email: `ada-${now}@a.example`, name: 'Ada', role: 'admin' },
    ...{ canSeeSecurity: true, projectIds: null, passwordHash: null, createdAt: now },
  }
  const guest = { ...user, id: mintUnshardedId('usr', now), email: `eve-${now}@a.example` }
  await users.createLink({ userId: null, createdAt: now, expiresAt: now + DAY_MS, hash: hash('first') })
  await users.acceptFirstLink({ hash: hash('first'), at: now, user: guest })
  await users.create(user)
  await Promise.all([
    users.find(user.id),
    users.find(user.email),
    users.list(null, 50),
    users.hasAdmin(),
    users.list(user.id, 50),
  ])
  await users.update(user.id, { name: 'Ada L.' })
  const link = { userId: user.id, createdAt: now, expiresAt: now + DAY_MS }
  await users.createLink({ ...link, hash: hash('link') })
  await users.findLink(hash('link'))
  await users.acceptLink({ hash: hash('link'), at: now, passwordHash: 'x', name: null })
  await users.expireLinks(now)
  const signIn = { id: mintUnshardedId('sgn', now), userId: user.id, hash: hash('sign-in'), userAgent: null }
  await signIns.create({ ...signIn, createdAt: now, lastSeenAt: now }, 'x')
  await signIns.findByHash(signIn.hash)
  await signIns.list(user.id)
  await signIns.recordUses([{ id: signIn.id, at: now }])
  await users.setPassword({
    userId: user.id,
    at: now,
    currentHash: 'x',
    passwordHash: 'y',
    keptSignInId: signIn.id,
  })
  const token = {
    ...{ id: mintUnshardedId('pat', now), userId: user.id, name: 'Script', ending: 'abcd', scopes: [] },
    ...{ hash: hash('token'), createdAt: now, expiresAt: null, lastUsedAt: null },
  }
  await accessTokens.create(token)
  await accessTokens.find(token.id)
  await accessTokens.findByHash(token.hash)
  await accessTokens.list(user.id)
  await accessTokens.recordUses([{ id: token.id, at: now }])
  await accessTokens.revoke(token.id)
  const view = {
    id: mintUnshardedId('viw', now),
    userId: user.id,
    name: 'Mine',
    projectId: project.id,
    query: '',
    isShared: true,
  }
  await views.create({ ...view, createdAt: now })
  await views.find(view.id)
  await views.list(user.id)
  await views.listOfProject(user.id, project.id)
  await views.update(user.id, view.id, { isShared: false })
  await views.delete(user.id, view.id)
  await views.deleteShared(view.id)
  await signIns.end(user.id, signIn.id)
  await signIns.endAll(user.id)
  await signIns.expireSome({ createdAt: now - DAY_MS, lastSeenAt: now - DAY_MS })
  await users.delete(user.id)
  await users.delete(guest.id)
}
