import { lookup as lookupInDns } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type GuardException, isExcepted, isExceptedItself, type Place } from './guard-exceptions.ts'
import { type AddressReason, judgeAddress, type Refusal } from './judge-address.ts'

export type DestinationReason =
  | AddressReason
  | 'unreadable-url'
  | 'not-https'
  | 'credentials-in-url'
  | 'local-name'
  | 'single-label'
  | 'malformed-name'

/** Finds all addresses of a name. */
export type Lookup = (name: string) => Promise<readonly { readonly address: string }[]>

/** What determines the allowed destinations. */
export interface Guard {
  readonly exceptions: readonly GuardException[]
  /** Uses the system by default. */
  readonly lookup?: Lookup
}

export type Resolution =
  /** The addresses have been checked: connect to one of them, and never resolve the name again. */
  | { readonly kind: 'allowed'; readonly url: URL; readonly addresses: readonly string[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal<DestinationReason> }
  /** The name has no address, or DNS is not responding. */
  | { readonly kind: 'unresolved' }

/** Judges only the text of a URL: `undefined` if it is allowed. Its addresses are judged when sending. */
export function judgeUrl(
  text: string,
  exceptions: readonly GuardException[],
): Refusal<DestinationReason> | undefined {
  // The parser undoes every odd spelling: decimal, octal, hexadecimal, percent-encoded, full-width, upper case.
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return { reason: 'unreadable-url', detail: 'This is not a URL.' }
  if (!/^https?:$/.test(url.protocol)) return NOT_HTTPS
  if (url.username !== '' || url.password !== '') {
    return { reason: 'credentials-in-url', detail: 'The URL must not contain a user name or a password.' }
  }
  const place = placeOf(url)
  const refusal =
    place.address === null ? judgeName(place, exceptions) : judgeAddressAt(place, place.address, exceptions)
  if (refusal !== undefined) return refusal
  return url.protocol === 'https:' || isExcepted(exceptions, place) ? undefined : NOT_HTTPS
}

const NOT_HTTPS = { reason: 'not-https', detail: 'The URL must start with https://.' } as const

/** Judges a URL and every address that its name currently resolves to. */
export async function resolveDestination(
  text: string,
  { exceptions, lookup = lookupAll }: Guard,
): Promise<Resolution> {
  const refusal = judgeUrl(text, exceptions)
  if (refusal !== undefined) return { kind: 'refused', refusal }

  const url = new URL(text)
  const place = placeOf(url)
  const addresses = place.address === null ? await addressesOf(place.name, lookup) : [place.address]
  if (addresses.length === 0) return { kind: 'unresolved' }
  for (const address of addresses) {
    const refused = judgeAddressAt(place, address, exceptions)
    if (refused === undefined) continue
    const detail = `${place.name} resolves to a blocked address: ${refused.detail}`
    return { kind: 'refused', refusal: { ...refused, detail } }
  }
  return { kind: 'allowed', url, addresses }
}

function placeOf({ hostname, protocol, port }: URL): Place {
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  const defaultPort = protocol === 'https:' ? 443 : 80
  return {
    name,
    port: port === '' ? defaultPort : Number(port),
    address: isIP(name) === 0 ? null : name,
  }
}

/** Names that can be resolved only inside a network (RFC 6761, RFC 6762, RFC 8375, and `internal` by ICANN). */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/
const LABELS = /^[^.]{1,63}(\.[^.]{1,63})+$/
const MAX_NAME_CHARS = 253

function judgeName(
  place: Place,
  exceptions: readonly GuardException[],
): Refusal<DestinationReason> | undefined {
  if (isExcepted(exceptions, place)) return undefined
  const { name } = place
  const undotted = name.replace(/\.+$/, '')
  if (LOCAL_NAME.test(undotted)) {
    return { reason: 'local-name', detail: `${name} can be resolved only inside a private network.` }
  }
  if (!undotted.includes('.')) {
    return { reason: 'single-label', detail: `${name} is not a full host name.` }
  }
  if (!LABELS.test(name) || name.length > MAX_NAME_CHARS) {
    return { reason: 'malformed-name', detail: `${name} is not a valid host name.` }
  }
  return undefined
}

function judgeAddressAt(
  place: Place,
  address: string,
  exceptions: readonly GuardException[],
): Refusal<AddressReason> | undefined {
  const refusal = judgeAddress(address)
  if (refusal === undefined) return undefined
  // Allowing 100.64.0.0/10 or fd00::/8 should not include the metadata services of clouds in those networks.
  const isAllowed = refusal.reason === 'metadata' ? isExceptedItself : isExcepted
  return isAllowed(exceptions, { ...place, address }) ? undefined : refusal
}

async function addressesOf(name: string, lookup: Lookup): Promise<readonly string[]> {
  try {
    return (await lookup(name)).map(({ address }) => address)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

function lookupAll(name: string): ReturnType<Lookup> {
  return lookupInDns(name, { all: true })
}
