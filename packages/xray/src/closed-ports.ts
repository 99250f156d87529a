import { isObject, objectAt, textAt, type XrayObject } from './config.ts'

const CLOSED = 'CAUSEWAY_CLOSED'

/**
 * The config with these ports closed to whoever comes through the core: on the machine itself, its agent listens there and asks
 * nobody for a name. To any address, since a name that is looked up only on the way out could stand for the machine.
 */
export function withClosedPorts<C extends XrayObject>(config: C, ports: readonly number[]): C {
  const routing = isObject(config['routing']) ? config['routing'] : {}
  const rule = { type: 'field', network: 'tcp', port: ports.join(), outboundTag: CLOSED }
  return {
    ...config,
    // The first of them is where everything goes that no rule names.
    outbounds: [...without('tag', config['outbounds']), { tag: CLOSED, protocol: 'blackhole' }],
    routing: { ...routing, rules: [rule, ...without('outboundTag', routing['rules'])] },
  }
}

export function hasClosedPorts(config: XrayObject): boolean {
  const { rules } = objectAt(config, 'routing')
  return Array.isArray(rules) && rules.some((rule) => textAt(rule, 'outboundTag') === CLOSED)
}

/** Without what an earlier time has added. */
function without(key: 'tag' | 'outboundTag', list: unknown): unknown[] {
  return Array.isArray(list) ? list.filter((each) => !(isObject(each) && each[key] === CLOSED)) : []
}
