import { isObject, objectAt, textAt, type XrayObject } from './config.ts'

/**
 * Where agents of the 2.1 generation have their core, themselves and their supervisor of processes listen for programs of the
 * node. The first two ask for no name; the password of the third is the same in every copy.
 */
export const AGENT_PORTS: readonly number[] = [61_000, 61_001, 61_002]

const CLOSED = 'CAUSEWAY_CLOSED'
/** All addresses by which a program is reached that listens on the loopback: Linux takes the unspecified one for it. */
const OWN_ADDRESSES = ['0.0.0.0/8', '127.0.0.0/8', '::/128', '::1/128']
/** A name is looked up only on the way out, by then past the rules, and sniffing may put another in place of an address. */
const EVERY_NAME = ['regexp:.']

/**
 * The closing rule: the config with these TCP ports closed to subscribers, at the node's own addresses and by any name. What
 * listens there is for programs of the node alone. Other machines stay reachable at these ports by their addresses.
 */
export function withClosedPorts<C extends XrayObject>(config: C, ports: readonly number[]): C {
  const routing = objectAt(config, 'routing')
  const rule = { type: 'field', network: 'tcp', port: ports.join() }
  return {
    ...config,
    // The first outbound is where everything goes that no rule names.
    outbounds: [...without('tag', config['outbounds']), { tag: CLOSED, protocol: 'blackhole' }],
    routing: {
      ...routing,
      rules: [
        { ...rule, ip: OWN_ADDRESSES, outboundTag: CLOSED },
        { ...rule, domain: EVERY_NAME, outboundTag: CLOSED },
        ...without('outboundTag', routing['rules']),
      ],
    },
  }
}

/** Whether the config begins with the closing rule for these ports. */
export function closesPorts(config: XrayObject, ports: readonly number[]): boolean {
  const { rules } = objectAt(withClosedPorts({}, ports), 'routing')
  const own = objectAt(config, 'routing')['rules']
  return Array.isArray(rules) && Array.isArray(own) && JSON.stringify(own.slice(0, rules.length)) === JSON.stringify(rules)
}

/** Without what an earlier time has added. */
function without(key: 'tag' | 'outboundTag', list: unknown): unknown[] {
  return Array.isArray(list) ? list.filter((each) => !(isObject(each) && textAt(each, key) === CLOSED)) : []
}
