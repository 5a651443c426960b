import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Why nothing may be sent somewhere: a name for programs and a sentence for people. */
export interface Refusal<R extends string = string> {
  readonly reason: R
  readonly detail: string
}

const WORDS = {
  'not-an-address': 'is not an IP address',
  metadata: 'is where a cloud hands out the credentials of its machines',
  unspecified: 'names no machine',
  loopback: 'is the server itself',
  private: 'belongs to a private network',
  'unique-local': 'belongs to a private network',
  'carrier-grade-nat': 'belongs to the inner network of a provider',
  'link-local': 'is only known to its neighbours',
  multicast: 'is a group, not a machine',
  broadcast: 'is everybody, not a machine',
  'wrapped-ipv4': 'wraps an IPv4 address',
  reserved: 'is reserved, for example for documentation or tests',
} as const

export type AddressReason = keyof typeof WORDS

/** Judges an address by itself: `undefined` if it is an ordinary one of the public Internet, and nothing else. */
export function judgeAddress(address: string): Refusal<AddressReason> | undefined {
  const reason = reasonAgainst(address)
  return reason && { reason, detail: `${address} ${WORDS[reason]}.` }
}

/** Of AWS (machines, containers), Azure, Google, Alibaba and Oracle; the one of Azure is in a public network. */
const METADATA_ADDRESSES: readonly string[] = [
  '169.254.169.254',
  '169.254.170.2',
  'fd00:ec2::254',
  'fd00:ec2::23',
  '168.63.129.16',
  'fd20:ce::254',
  '100.100.100.200',
  '192.0.0.192',
]

const REASON_BY_RANGE: Readonly<Record<string, AddressReason>> = {
  unspecified: 'unspecified',
  loopback: 'loopback',
  private: 'private',
  deprecatedSiteLocal: 'private',
  uniqueLocal: 'unique-local',
  carrierGradeNat: 'carrier-grade-nat',
  linkLocal: 'link-local',
  multicast: 'multicast',
  broadcast: 'broadcast',
  ipv4Mapped: 'wrapped-ipv4',
  rfc6145: 'wrapped-ipv4',
  rfc6052: 'wrapped-ipv4',
  '6to4': 'wrapped-ipv4',
  teredo: 'wrapped-ipv4',
}

const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

function reasonAgainst(address: string): AddressReason | undefined {
  if (isIP(address) === 0) return 'not-an-address'
  // Only addresses of a link have a zone, as in fe80::1%eth0 (RFC 4007).
  if (address.includes('%')) return 'link-local'
  const parsed = ipaddr.parse(address)
  if (METADATA_ADDRESSES.includes(parsed.toString())) return 'metadata'
  const range = parsed.range()
  if (range !== 'unicast') return REASON_BY_RANGE[range] ?? 'reserved'
  if (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST)) return undefined
  // The library knows the special ranges; of IPv6 only an eighth is given out at all (RFC 4291, 2.4).
  return parsed.match(IPV4_COMPATIBLE) ? 'wrapped-ipv4' : 'reserved'
}
