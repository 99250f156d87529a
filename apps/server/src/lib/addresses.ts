import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** What is known of a caller whose address nothing tells. */
const UNKNOWN_ADDRESS = 'unknown'

/**
 * One spelling per address. Proxies write ports behind addresses and brackets around them, and a socket of both families shows
 * IPv4 addresses as `::ffff:192.0.2.1`. Text that has no address in it is `unknown`.
 */
export function plainAddress(text: string | undefined): string {
  const given = (text ?? '').trim().replace(/%[^\]]*/, '')
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(given)?.[1]
  const found = [bracketed ?? given, given.replace(/:\d+$/, '')].find((each) => isIP(each) !== 0)
  if (found === undefined) return UNKNOWN_ADDRESS
  if (isIPv4(found)) return found
  const { hostname } = new URL(`http://[${found}]`)
  const short = hostname.slice(1, -1)
  return mappedIPv4(short) ?? short
}

/** Of the spelling that URLs have: `::ffff:c000:201`. */
function mappedIPv4(short: string): string | undefined {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? []
  if (high === undefined || low === undefined) return undefined
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.')
}

/** What throttles count as one caller: an IPv4 address, or the network of 2^64 addresses that one IPv6 customer has. */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

const NAMED_NETWORKS: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Whether this list admits the address; an empty one admits all. */
export function isWithin(networks: readonly string[], address: string | null): boolean {
  if (networks.length === 0) return true
  const admits = trustedProxies(networks)
  return admits !== false && admits(address ?? '')
}

/** An address, or a network such as 203.0.113.0/24. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : undefined
  if (most === undefined || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
}

/** Tells proxies that are trusted with forwarded addresses, in whatever spelling; `false` where none is. */
export function trustedProxies(names: readonly string[]): false | ((address: string) => boolean) {
  if (names.length === 0) return false
  const networks = new BlockList()
  for (const network of names.flatMap((name) => NAMED_NETWORKS[name] ?? [name])) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    networks.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return (address) => {
    const plain = plainAddress(address)
    return plain !== UNKNOWN_ADDRESS && networks.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

/** Networks by which an address is found. */
export class Holder {
  readonly #networks: readonly string[]
  readonly #all = new BlockList()

  constructor(networks: readonly string[]) {
    this.#networks = networks
    for (const network of networks) add(this.#all, network)
  }

  /** The first network that holds the address. */
  find(address: string): string | undefined {
    if (!has(this.#all, address)) return undefined
    return this.#networks.find((network) => {
      const one = new BlockList()
      add(one, network)
      return has(one, address)
    })
  }
}

function add(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
}

function has(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
