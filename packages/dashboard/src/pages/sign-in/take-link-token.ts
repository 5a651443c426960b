const FRAGMENT = /^#link=([\w-]+)$/
/** In the tab alone, and only until the link is used: a reload must not lose it. */
const STORED_UNDER = 'bugle-link'

/** The token of a one-time link, taken out of the address at once: neither history nor a glance shall keep it. */
export function takeLinkToken(): string | undefined {
  const token = FRAGMENT.exec(location.hash)?.[1]
  if (token === undefined) return sessionStorage.getItem(STORED_UNDER) ?? undefined
  sessionStorage.setItem(STORED_UNDER, token)
  history.replaceState(history.state, '', location.pathname)
  return token
}

/** Once the link is used, or turns out not to work. */
export function forgetLinkToken(): void {
  sessionStorage.removeItem(STORED_UNDER)
}
