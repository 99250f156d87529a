import { expect, it } from 'vitest'
import { portSpans, portsOfTags } from './port-spans.ts'

it.each([
  [443, [{ first: 443, last: 443 }]],
  ['443', [{ first: 443, last: 443 }]],
  [
    '443, 1000-2000',
    [
      { first: 443, last: 443 },
      { first: 1000, last: 2000 },
    ],
  ],
  ['env:EDGE_PORT', [{ first: 8443, last: 8443 }]],
  ['env:NO_SUCH_PORT', []],
  [undefined, []],
  ['any', []],
])('reads the port %j of an inbound', (port, spans) => {
  expect(portSpans([{ port }], { EDGE_PORT: '8443' })).toEqual(spans)
})

it('tells the ports of inbounds by tag, without those that others of the machine fill', () => {
  const inbounds = [
    { tag: 'A', port: 443 },
    { tag: 'B', port: '1000-1010', listen: '0.0.0.0' },
    { tag: 'C', port: 8001, listen: '127.0.0.1' },
    { tag: 'D', port: 0, listen: '/run/xray.sock' },
    { port: 80 },
  ]
  expect([...portsOfTags(inbounds)]).toEqual([
    ['A', [{ first: 443, last: 443 }]],
    ['B', [{ first: 1000, last: 1010 }]],
  ])
})

it('tells how long a sender of datagrams must be silent, by what the inbound takes', () => {
  const silence = (inbound: Record<string, unknown>) => portSpans([{ port: 443, ...inbound }])[0]?.silentSeconds
  expect(silence({ protocol: 'shadowsocks', settings: { network: 'tcp,udp' } })).toBe(200)
  expect(silence({ protocol: 'shadowsocks', settings: { network: 'tcp' } })).toBeUndefined()
  expect(silence({ protocol: 'shadowsocks' })).toBeUndefined()
  expect(silence({ protocol: 'hysteria' })).toBe(60)
  expect(silence({ protocol: 'vless', streamSettings: { network: 'kcp' } })).toBe(60)
  expect(silence({ protocol: 'vless', streamSettings: { network: 'tcp' } })).toBeUndefined()
})
