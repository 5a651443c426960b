const FRAGMENT = /^#link=([\w-]+)$/
/** Kept only in this tab and only until the link is used, so that a reload does not lose it. */
const STORED_UNDER = 'bugle-link'

/** The token of a one-time link. It is removed from the address immediately, so that neither the history nor the address bar shows it. */
export function takeLinkToken(): string | undefined {
  const token = FRAGMENT.exec(location.hash)?.[1]
  if (token === undefined) return sessionStorage.getItem(STORED_UNDER) ?? undefined
  sessionStorage.setItem(STORED_UNDER, token)
  history.replaceState(history.state, '', location.pathname)
  return token
}

/** Called once the link has been used, or does not work. */
export function forgetLinkToken(): void {
  sessionStorage.removeItem(STORED_UNDER)
}
