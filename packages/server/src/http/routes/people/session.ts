import { endpoints } from '@bugle/contract'
import type { FastifyRequest } from 'fastify'
import type { People } from '../../../domain/people/people.ts'
import type { Device, OpenedSession } from '../../../domain/people/sessions.ts'
import type { DeviceCookie } from '../../answers/device-cookie.ts'
import type { SessionCookie } from '../../answers/session-cookie.ts'
import { clientOf } from '../../gates/client-address.ts'
import { answer, type Bind } from '../../route.ts'

const NO_STORE = { 'cache-control': 'no-store', vary: 'Authorization, Cookie' }

interface SessionRouteDependencies {
  readonly people: People
  readonly cookie: SessionCookie
  readonly deviceCookie: DeviceCookie
}

export function bindSession(bind: Bind, { people, cookie, deviceCookie }: SessionRouteDependencies): void {
  const { sessions, links, signIns, views } = people
  const deviceOf = ({ ip, headers }: FastifyRequest): Device => ({
    address: clientOf(ip),
    userAgent: headers['user-agent'],
    token: deviceCookie.read(headers.cookie),
  })
  const signedIn = ({ session, token, deviceToken }: OpenedSession) =>
    answer(200, session, {
      ...NO_STORE,
      'set-cookie': [cookie.write(token), deviceCookie.write(deviceToken)],
    })
  const signedOut = () => answer(204, undefined, { ...NO_STORE, 'set-cookie': cookie.cleared })

  bind(endpoints.signIn, async ({ body, request }) =>
    signedIn(await sessions.signIn(body, deviceOf(request))),
  )

  bind(endpoints.getSession, async ({ caller }) => answer(200, sessions.get(caller), NO_STORE))

  bind(endpoints.signOut, async ({ caller }) => {
    await signIns.endOwn(caller)
    return signedOut()
  })

  bind(endpoints.getSetup, async () => answer(200, { isPending: await links.isSetupPending() }, NO_STORE))

  bind(endpoints.readLink, async ({ body, request }) =>
    answer(200, await links.read(body.token, deviceOf(request)), NO_STORE),
  )

  bind(endpoints.acceptLink, async ({ body, request }) =>
    signedIn(await links.accept(body, deviceOf(request))),
  )

  bind(endpoints.changePassword, async ({ caller, body, request }) => {
    const deviceToken = await sessions.changePassword(caller, body, deviceOf(request))
    return answer(204, undefined, { ...NO_STORE, 'set-cookie': deviceCookie.write(deviceToken) })
  })

  bind(endpoints.listSignIns, async ({ caller }) => answer(200, await signIns.list(caller), NO_STORE))

  bind(endpoints.endSignIn, async ({ caller, params }) => {
    await signIns.end(caller, params.id)
    return answer(204, undefined, NO_STORE)
  })

  bind(endpoints.endAllSignIns, async ({ caller }) => {
    await signIns.endAll(caller)
    return signedOut()
  })

  bind(endpoints.listViews, async ({ caller, query }) =>
    answer(200, await views.list(caller, query), NO_STORE),
  )

  bind(endpoints.createView, async ({ caller, body }) =>
    answer(201, await views.create(caller, body), NO_STORE),
  )

  bind(endpoints.changeView, async ({ caller, params, body }) =>
    answer(200, await views.change(caller, params.id, body), NO_STORE),
  )

  bind(endpoints.deleteView, async ({ caller, params }) => {
    await views.delete(caller, params.id)
    return answer(204, undefined, NO_STORE)
  })
}
