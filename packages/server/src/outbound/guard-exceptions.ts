import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A private destination that webhooks may be sent to, also over plain http; `port` `null`: any. */
export type GuardException =
  | { readonly kind: 'name'; readonly name: string; readonly port: number | null }
  | {
      readonly kind: 'network'
      readonly address: string
      readonly prefix: number
      readonly port: number | null
    }

/** The destination of a webhook; `address` is `null` until the name is resolved. */
export interface Place {
  readonly name: string
  readonly port: number
  readonly address: string | null
}

/** Parses a name or an address, each with or without a port, or a network; `undefined` if it is none of these. */
export function parseGuardException(text: string): GuardException | undefined {
  return parseNetwork(text) ?? parseHost(text)
}

/** Whether the operator allows the destination. */
export function isExcepted(exceptions: readonly GuardException[], place: Place): boolean {
  return exceptions.some((exception) => covers(exception, place))
}

/** Whether the operator allows this exact address, and not only its name or network. */
export function isExceptedItself(exceptions: readonly GuardException[], place: Place): boolean {
  return exceptions.some(
    (exception) =>
      exception.kind === 'network' &&
      exception.prefix === bitsOf(exception.address) &&
      covers(exception, place),
  )
}

function covers(exception: GuardException, { name, port, address }: Place): boolean {
  if (exception.port !== null && exception.port !== port) return false
  if (exception.kind === 'name') return exception.name === name
  if (address === null) return false
  const network = ipaddr.parse(exception.address)
  const candidate = ipaddr.parse(address)
  return candidate.kind() === network.kind() && candidate.match(network, exception.prefix)
}

function parseNetwork(text: string): GuardException | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  if (!isPlainAddress(address) || rest.length > 0) return undefined
  if (prefix === undefined) return networkOf(address, null)
  // A network that contains every address would disable the guard.
  if (!/^[1-9]\d{0,2}$/.test(prefix) || Number(prefix) > bitsOf(address)) return undefined
  return { kind: 'network', address, prefix: Number(prefix), port: null }
}

const HOST = /^(?<host>\[[^\]\s]+\]|[^\s:/?#@[\]\\]+)(?::(?<port>[1-9]\d{0,4}))?$/
const NAME = /^[\w-]+(\.[\w-]+)*$/

function parseHost(text: string): GuardException | undefined {
  const { host, port: digits } = HOST.exec(text)?.groups ?? {}
  const port = digits === undefined ? null : Number(digits)
  if (host === undefined || (port ?? 0) > 65_535 || !URL.canParse(`http://${host}`)) return undefined
  // Normalised as in the URL of a webhook.
  const name = new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, '$1')
  if (isPlainAddress(name)) return networkOf(name, port)
  return NAME.test(name) ? { kind: 'name', name, port } : undefined
}

function networkOf(address: string, port: number | null): GuardException {
  return { kind: 'network', address, prefix: bitsOf(address), port }
}

function isPlainAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%')
}

function bitsOf(address: string): number {
  return isIPv4(address) ? 32 : 128
}
