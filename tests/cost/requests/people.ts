import { MANY_MEMBERS } from '../bodies.ts'
import type { World } from '../world.ts'
import { type Composers, type CostlyRequest, JSON_BODY, type RequestTable, unique } from './compose.ts'

/** Sessions, links and saved views. */
export function peopleRequests(world: World, { send, post, own }: Composers) {
  const { dataset, person } = world
  return {
    signIn: [
      own('a wrong password', [401, 429, 503], 'POST', '/session', {
        email: person.email,
        password: 'x'.repeat(256),
      }),
      post('as many unknown members as fit', [413, 422, 429], '/session', () => MANY_MEMBERS, CSRF),
    ],
    getSession: [own('of a person', [200], 'GET', '/session')],
    signOut: [own('of no one', [401], 'DELETE', '/session')].map(withoutCookie),
    getSetup: [own('of a person', [200], 'GET', '/session/setup')],
    readLink: [own('a link', [200], 'POST', '/session/link', { token: world.linkToken })],
    acceptLink: [
      own('a link that is not there', [400, 404, 410, 422, 429], 'POST', '/session/link/accept', {
        token: 'x'.repeat(43),
        password: 'x'.repeat(256),
      }),
    ],
    changePassword: [
      own('with a wrong password', [403, 422, 429, 401, 503], 'POST', '/session/password', {
        currentPassword: 'x'.repeat(256),
        newPassword: 'y'.repeat(256),
      }),
    ],
    listSignIns: [own('of a person', [200], 'GET', '/session/sign-ins')],
    endSignIn: [own('one that is not there', [404], 'DELETE', `/session/sign-ins/${NO_SIGN_IN}`)],
    endAllSignIns: [own('of no one', [401], 'DELETE', '/session/sign-ins')].map(withoutCookie),
    listViews: [
      own('of a person', [200], 'GET', '/session/views'),
      own('of a project', [200], 'GET', `/session/views?projectId=${dataset.slug}`),
    ],
    createView: [
      send('as many as there may be', [201, 409], () => ({
        method: 'POST',
        path: '/session/views',
        headers: { ...person.headers, ...JSON_BODY },
        body: JSON.stringify({ name: unique(), projectId: dataset.slug, query: `q=${'x'.repeat(1_000)}` }),
      })),
    ],
    changeView: [own('one that is not there', [404], 'PATCH', `/session/views/${NO_VIEW}`, { name: 'x' })],
    deleteView: [own('one that is not there', [404], 'DELETE', `/session/views/${NO_VIEW}`)],
  } satisfies RequestTable
}

const CSRF = { 'bugle-csrf': '1' }
const NO_SIGN_IN = 'sgn_01m8z3v9q8e1r8m6n0p4s2t7wx'
const NO_VIEW = 'viw_01m8z3v9q8e1r8m6n0p4s2t7wx'

function withoutCookie(request: CostlyRequest): CostlyRequest {
  return {
    ...request,
    next() {
      const { headers, ...rest } = request.next()
      const { cookie: _, ...others } = headers
      return { ...rest, headers: others }
    },
  }
}
