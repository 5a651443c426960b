import { mintUnshardedId } from '../../../src/model/ids.ts'
import type { Probe, Prober } from './prober.ts'

/** An id of nothing that exists; the same for both apps. */
const MISSING_SIGN_IN = mintUnshardedId('sgn', 0)
const MISSING_VIEW = mintUnshardedId('viw', 0)

/** How the lane is checked for resources of people. No session ends, because they are still needed. */
export const SESSION_PROBES: Readonly<Record<string, Probe>> = {
  async signIn({ ask }) {
    await ask({ method: 'POST', path: '/session', body: { email: 'zebra@example.com', password: 'quagga' } })
    await ask({ method: 'POST', path: '/session', body: { email: 'zebra@example.com' } })
  },

  async getSession({ ask }) {
    await ask({ path: '/session' })
  },

  async getSetup({ ask }) {
    await ask({ path: '/session/setup' })
  },

  async readLink({ ask }) {
    for (const token of ['okapi', 'x'.repeat(43)])
      await ask({ method: 'POST', path: '/session/link', body: { token } })
  },

  async acceptLink({ ask }) {
    for (const password of ['short', 'an okapi, a quagga'])
      await ask({ method: 'POST', path: '/session/link/accept', body: { token: 'x'.repeat(43), password } })
  },

  async changePassword({ ask }) {
    const body = { currentPassword: 'okapi', newPassword: 'an okapi, a quagga' }
    await ask({ method: 'POST', path: '/session/password', body })
  },

  async listSignIns({ ask }) {
    await ask({ path: '/session/sign-ins' })
  },

  async listViews({ ask, place }) {
    await ask({ path: '/session/views' })
    for (const projectId of [place.project.slug, place.project.id, 'nobody'])
      await ask({ path: `/session/views?projectId=${projectId}` })
  },

  async createView({ ask, place }) {
    for (const projectId of [place.project.slug, place.project.id, 'nobody']) {
      const body = { name: 'Zebras', projectId, query: 'category=security&q=zebra' }
      await ask({ method: 'POST', path: '/session/views', body })
      await ask({ method: 'POST', path: '/session/views', body: { ...body, isShared: true } })
    }
    await ask({ path: '/session/views' })
  },

  async changeView({ ask, place, sharedView }) {
    const body = { name: 'Mine', projectId: place.project.slug, query: 'q=zebra' }
    const made = await ask({ method: 'POST', path: '/session/views', body })
    for (const id of [made.body.id ?? MISSING_VIEW, sharedView, MISSING_VIEW])
      await ask({ method: 'PATCH', path: `/session/views/${id}`, body: { name: 'Ours', isShared: true } })
  },

  async deleteView({ ask, place, sharedView }) {
    const body = { name: 'Gone', projectId: place.project.slug, query: '' }
    const made = await ask({ method: 'POST', path: '/session/views', body })
    for (const id of [made.body.id ?? MISSING_VIEW, sharedView, MISSING_VIEW])
      await ask({ method: 'DELETE', path: `/session/views/${id}` })
  },

  signOut: (prober) => withoutProof(prober, '/session'),
  endAllSignIns: (prober) => withoutProof(prober, '/session/sign-ins'),

  async endSignIn({ ask }) {
    await ask({ method: 'DELETE', path: `/session/sign-ins/${MISSING_SIGN_IN}` })
  },
}

/** A change that does not show that it comes from the dashboard. */
async function withoutProof({ ask }: Prober, path: string): Promise<void> {
  await ask({ method: 'DELETE', path, headers: { 'bugle-csrf': '0' } })
}
