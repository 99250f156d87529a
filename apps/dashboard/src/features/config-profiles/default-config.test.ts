import { createConfigProfile } from '@causeway/contract'
import { expect, it } from 'vitest'
import { defaultConfig, randomTagSuffix } from './default-config.ts'

const config = defaultConfig(4711)

it('PROF-016 PROF-021 logs at info and has no routing rules', () => {
  expect(config).toMatchObject({ log: { loglevel: 'info' }, routing: { rules: [] } })
})

it('PROF-017 PROF-018 PROF-019 has one Shadowsocks inbound on port 1234 for tcp and udp with sniffing', () => {
  expect(config['inbounds']).toEqual([
    {
      tag: 'Shadowsocks_4711',
      port: 1234,
      protocol: 'shadowsocks',
      settings: { clients: [], network: 'tcp,udp' },
      sniffing: { enabled: true, destOverride: ['http', 'tls', 'quic'] },
    },
  ])
})

it('PROF-020 has the outbounds DIRECT and BLOCK', () => {
  expect(config['outbounds']).toEqual([
    { protocol: 'freedom', tag: 'DIRECT' },
    { protocol: 'blackhole', tag: 'BLOCK' },
  ])
})

it('is a config that the contract takes, with another tag each time', () => {
  expect(createConfigProfile.body.safeParse({ name: 'first', config }).success).toBe(true)
  const suffixes = new Set(Array.from({ length: 20 }, randomTagSuffix))
  expect(suffixes.size).toBeGreaterThan(15)
  for (const suffix of suffixes) expect(suffix).toBeGreaterThan(0)
})
