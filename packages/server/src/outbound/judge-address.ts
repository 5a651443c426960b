import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Why a destination is blocked: a code for programs and a sentence for people. */
export interface Refusal<R extends string = string> {
  readonly reason: R
  readonly detail: string
}

const WORDS = {
  'not-an-address': 'is not an IP address',
  metadata: 'is a cloud metadata address',
  unspecified: 'is an unspecified address',
  loopback: 'is a loopback address',
  private: 'belongs to a private network',
  'unique-local': 'belongs to a private network',
  'carrier-grade-nat': 'belongs to a carrier-grade NAT network',
  'link-local': 'is a link-local address',
  multicast: 'is a multicast address',
  broadcast: 'is a broadcast address',
  'wrapped-ipv4': 'embeds an IPv4 address',
  reserved: 'is reserved, for example for documentation or tests',
} as const

export type AddressReason = keyof typeof WORDS

/** Judges an address: `undefined` if it is an ordinary public one. */
export function judgeAddress(address: string): Refusal<AddressReason> | undefined {
  const reason = reasonAgainst(address)
  return reason && { reason, detail: `${address} ${WORDS[reason]}.` }
}

/** The metadata services of AWS (machines, containers), Azure, Google, Alibaba and Oracle. Azure's address is in a public network. */
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
  // Only link-local addresses have a zone, as in fe80::1%eth0 (RFC 4007).
  if (address.includes('%')) return 'link-local'
  const parsed = ipaddr.parse(address)
  if (METADATA_ADDRESSES.includes(parsed.toString())) return 'metadata'
  const range = parsed.range()
  if (range !== 'unicast') return REASON_BY_RANGE[range] ?? 'reserved'
  if (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST)) return undefined
  // The library knows the special ranges; only an eighth of the IPv6 space is allocated (RFC 4291, 2.4).
  return parsed.match(IPV4_COMPATIBLE) ? 'wrapped-ipv4' : 'reserved'
}
