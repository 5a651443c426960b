/** What a link to the page contains: `/r#{publicKey}.{secret}`. What follows the `#` is never sent to a server. */
export interface Link {
  /** The address of the server. */
  readonly endpoint: string
  readonly publicKey: string
  readonly secret: string
}

const FRAGMENT = /^#(bgl_pub_\w+)\.([\w-]{43})$/

/** Reads the address of the page; `undefined` if it is not a complete link. */
export function readLink(address: string): Link | undefined {
  const { origin, pathname, hash } = new URL(address)
  const [, publicKey, secret] = FRAGMENT.exec(hash) ?? []
  if (!publicKey || !secret) return undefined
  return { endpoint: origin + pathname.replace(/\/r$/, ''), publicKey, secret }
}
