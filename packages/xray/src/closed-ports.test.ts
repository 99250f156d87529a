import { describe, expect, it } from 'vitest'
import { closesPorts, withClosedPorts } from './closed-ports.ts'

const direct = { tag: 'DIRECT', protocol: 'freedom' }
const everything = { type: 'field', network: 'tcp,udp', outboundTag: 'DIRECT' }
const profile = { outbounds: [direct], routing: { domainStrategy: 'IPIfNonMatch', rules: [everything] } }
const ports = { type: 'field', network: 'tcp', port: '61000,61002', outboundTag: 'CAUSEWAY_CLOSED' }
const rule = [
  { ...ports, ip: ['0.0.0.0/8', '127.0.0.0/8', '::/128', '::1/128'] },
  { ...ports, domain: ['regexp:.'] },
]

describe('the closing rule', () => {
  it('stands before every other rule, and leaves the first outbound the first', () => {
    expect(withClosedPorts(profile, [61_000, 61_002])).toEqual({
      outbounds: [direct, { tag: 'CAUSEWAY_CLOSED', protocol: 'blackhole' }],
      routing: { domainStrategy: 'IPIfNonMatch', rules: [...rule, everything] },
    })
    expect(profile.routing.rules).toEqual([everything])
  })

  it('replaces an earlier one, whatever it closed', () => {
    const earlier = withClosedPorts(profile, [61_000, 61_001])
    expect(withClosedPorts(earlier, [61_000, 61_002])).toEqual(withClosedPorts(profile, [61_000, 61_002]))
  })

  it('is recognised only at the beginning and for the very ports', () => {
    const closed = withClosedPorts(profile, [61_000, 61_002])
    expect(closesPorts(closed, [61_000, 61_002])).toBe(true)
    expect(closesPorts(closed, [61_000, 61_001, 61_002])).toBe(false)
    expect(closesPorts(profile, [61_000, 61_002])).toBe(false)
    expect(closesPorts({}, [61_000])).toBe(false)
    expect(closesPorts({ routing: { rules: [everything, ...rule] } }, [61_000, 61_002])).toBe(false)
    // As agents wrote it before 61002 was known of.
    expect(closesPorts({ routing: { rules: [{ ...ports, port: '61000,61001' }] } }, [61_000, 61_001])).toBe(false)
  })
})
