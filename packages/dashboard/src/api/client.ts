import { createClient } from '@bugle/client'
import type { ErrorCode } from '@bugle/contract'

const listeners = new Set<() => void>()

/** Lets the person sign in again, and resolves to whether they have. */
type SignInAgain = () => Promise<boolean>
let signInAgain: SignInAgain | undefined
/** Shared by all calls that need it at the same time. */
let signingIn: Promise<boolean> | undefined

const SIGN_IN_TOO_OLD: ErrorCode = 'recent-sign-in-required'

/** The API, called as the person who is signed in. */
export const client = createClient({ url: location.origin, usesCookie: true, fetch: watchfulFetch })

/** Calls the listener whenever the server responds that the person is no longer signed in. */
export function onSignedOut(listener: () => void): void {
  listeners.add(listener)
}

/** Calls the function whenever a call needs a recent sign-in; if the person has signed in, the call is repeated. */
export function onRecentSignInRequired(ask: SignInAgain): () => void {
  signInAgain = ask
  return () => {
    signInAgain = undefined
  }
}

async function watchfulFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  // On the sign-in page it only means that the person has not signed in yet.
  const isAtDoor = new URL(response.url).pathname === '/session'
  if (response.status === 401 && !isAtDoor) for (const listener of listeners) listener()
  if (signInAgain === undefined || !(await needsRecentSignIn(response))) return response
  signingIn ??= signInAgain().finally(() => {
    signingIn = undefined
  })
  return (await signingIn) ? watchfulFetch(...request) : response
}

async function needsRecentSignIn(response: Response): Promise<boolean> {
  const { status, headers } = response
  if (status !== 403 || !headers.get('content-type')?.startsWith('application/problem+json')) return false
  const { code } = await response.clone().json()
  return code === SIGN_IN_TOO_OLD
}
