import { createClient } from '@bugle/client'

const listeners = new Set<() => void>()

/** The API, called as the person who is signed in. */
export const client = createClient({ url: location.origin, usesCookie: true, fetch: watchfulFetch })

/** Calls the listener whenever the server responds that the person is no longer signed in. */
export function onSignedOut(listener: () => void): void {
  listeners.add(listener)
}

async function watchfulFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  // On the sign-in page it only means that the person has not signed in yet.
  const isAtDoor = new URL(response.url).pathname === '/session'
  if (response.status === 401 && !isAtDoor) for (const listener of listeners) listener()
  return response
}
