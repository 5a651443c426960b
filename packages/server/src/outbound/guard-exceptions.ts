import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A place that webhooks may reach although it is private, and by plain http too; `port` `null`: any. */
export type GuardException =
  | { readonly kind: 'name'; readonly name: string; readonly port: number | null }
  | {
      readonly kind: 'network'
      readonly address: string
      readonly prefix: number
      readonly port: number | null
    }

/** Where a webhook goes; `address` is `null` as long as the name is all that is known. */
export interface Place {
  readonly name: string
  readonly port: number
  readonly address: string | null
}

/** Reads a name, an address, either with a port, or a network; `undefined` if it is none of them. */
export function parseGuardException(text: string): GuardException | undefined {
  return parseNetwork(text) ?? parseHost(text)
}

/** Whether the operator vouches for the place. */
export function isExcepted(exceptions: readonly GuardException[], place: Place): boolean {
  return exceptions.some((exception) => covers(exception, place))
}

/** Whether the operator vouches for this very address, not only for a name or a network it is found in. */
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
  // A network of everything is no exception, but a guard that is switched off.
  if (!/^[1-9]\d{0,2}$/.test(prefix) || Number(prefix) > bitsOf(address)) return undefined
  return { kind: 'network', address, prefix: Number(prefix), port: null }
}

const HOST = /^(?<host>\[[^\]\s]+\]|[^\s:/?#@[\]\\]+)(?::(?<port>[1-9]\d{0,4}))?$/
const NAME = /^[\w-]+(\.[\w-]+)*$/

function parseHost(text: string): GuardException | undefined {
  const { host, port: digits } = HOST.exec(text)?.groups ?? {}
  const port = digits === undefined ? null : Number(digits)
  if (host === undefined || (port ?? 0) > 65_535 || !URL.canParse(`http://${host}`)) return undefined
  // Spelled as it will be in the URL of a webhook.
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
