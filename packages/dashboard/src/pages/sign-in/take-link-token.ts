const FRAGMENT = /^#link=([\w-]+)$/

let taken: string | undefined

/** The token of a one-time link, taken out of the address at once: neither history nor a glance shall keep it. */
export function takeLinkToken(): string | undefined {
  const token = FRAGMENT.exec(location.hash)?.[1]
  if (token === undefined) return taken
  taken = token
  history.replaceState(history.state, '', location.pathname)
  return token
}
