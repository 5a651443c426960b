import { mintLink } from '../src/domain/people/one-time-links.ts'
import { makeUser } from '../src/domain/people/users.ts'
import type { UserRecord } from '../src/model/people/users.ts'
import { setAppStage } from './app-stage.ts'
import type { Answer } from './start-app.ts'

export const PASSWORD = 'correct horse'
export const DAY = 86_400_000

/** Helpers for tests of signing in. */
export function setSessionStage() {
  const stage = setAppStage()

  /** A person who has been invited, and the token of their link. */
  async function invite(email: string): Promise<{ readonly user: UserRecord; readonly token: string }> {
    const rights = { role: 'triager', canSeeSecurity: false, projectIds: null } as const
    const user = makeUser({ email, name: 'Ada', ...rights, createdAt: stage.now })
    await stage.api.app.storage.users.create(user)
    return { user, token: await linkFor(user) }
  }

  async function linkFor(user: UserRecord): Promise<string> {
    const { token, link } = mintLink(user.id, stage.now)
    await stage.api.app.storage.users.createLink(link)
    return token
  }

  const accept = (body: object) => stage.api.send('POST', '/session/link/accept', { body })

  return Object.assign(stage, {
    invite,
    linkFor,
    accept,

    /** A person with a password; the cookies are those of their first sign-in. */
    async join(email: string) {
      const { user, token } = await invite(email)
      const accepted = await accept({ token, password: PASSWORD })
      return { user, cookie: cookieOf(accepted), device: deviceOf(accepted) }
    },
    signIn(email: string, password: string, headers = {}): Promise<Answer> {
      // Newest first: two in the same millisecond have no defined order.
      stage.pass(1)
      return stage.api.send('POST', '/session', { body: { email, password }, headers })
    },
    session: (key: string) => stage.api.send('GET', '/session', { key }),
    signIns: async (key: string) => (await stage.api.send('GET', '/session/sign-ins', { key })).body.data,
  })
}

export function cookieOf({ headers }: Answer): string {
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

export function deviceOf({ headers }: Answer): string {
  return headers.getSetCookie()[1]?.split(';')[0] ?? ''
}

export function faultsOf({ status, body }: Answer) {
  return [status, body.errors?.map(({ pointer, code }: Record<string, string>) => [pointer, code])]
}
