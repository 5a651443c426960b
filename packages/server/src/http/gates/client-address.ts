import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

const PREFIX_GROUPS = 4

/**
 * Identifies a client: an IPv4 address, or the first 64 bits of an IPv6 address, because the client chooses the
 * rest. A trusted proxy may pass on anything; all invalid addresses count as one client.
 */
export function clientOf(address: string): string {
  if (isIPv4(address)) return address
  if (isIP(address) === 0) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, PREFIX_GROUPS)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}
