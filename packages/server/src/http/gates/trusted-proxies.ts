import { BlockList, isIP, isIPv4 } from 'node:net'

/** Whether an address belongs to a proxy whose `X-Forwarded-For` is trusted. */
export function trustedProxies(trustProxy: false | string): (address: string) => boolean {
  if (trustProxy === false) return () => false
  const networks = new BlockList()
  for (const part of trustProxy.split(',')) {
    const [address = '', prefix] = part.trim().split('/')
    if (prefix === undefined) networks.addAddress(address, familyOf(address))
    else networks.addSubnet(address, Number(prefix), familyOf(address))
  }
  return (address) => isIP(address) !== 0 && networks.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6'
}
