import { expect } from 'vitest'
import { setAppStage } from './app-stage.ts'
import type { Answer, UserOptions } from './start-app.ts'

export const INVITATION = { email: 'grace@example.com', name: 'Grace', role: 'viewer' }

export type SettingsAdmin = Awaited<ReturnType<ReturnType<typeof setSettingsStage>['addAdmin']>>

/** An app for all tests of a file, with admins who use the settings. */
export function setSettingsStage() {
  const stage = setAppStage()
  return {
    stage,
    /** An admin, and what they do in the settings. */
    async addAdmin(options: UserOptions = {}) {
      const email = options.email ?? `admin-${Math.random().toString(36).slice(2)}@example.com`
      const key = await stage.api.addUser({ canSeeSecurity: true, ...options, email })
      const user = await stage.api.app.storage.users.find(email)
      if (user === undefined) throw new Error('the person was not added')
      const send = (method: string, path: string, body?: object): Promise<Answer> =>
        stage.api.send(method, `/admin${path}`, { key, ...(body && { body }) })
      return { ...user, key, send }
    },
  }
}

/** Entries of the audit log, as the admin sees them. */
export async function entriesOf(
  admin: { readonly send: (method: string, path: string) => Promise<Answer> },
  query = '',
) {
  const { status, body } = await admin.send('GET', `/audit-log${query}`)
  expect(status).toBe(200)
  return body.data
}
