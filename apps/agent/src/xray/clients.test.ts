import type { InboundAccess } from '@causeway/contract/agent'
import { describe, expect, it } from 'vitest'
import { clientOf } from './clients.ts'

const who = { tag: 'A', username: 'alice', level: 0 }
const client = { email: 'alice', level: 0, hashId: 'h' }

describe('clientOf', () => {
  it.each<[InboundAccess, unknown]>([
    [
      { type: 'vless', ...who, uuid: 'u', flow: 'xtls-rprx-vision' },
      { ...client, protocol: 'vless', id: 'u', flow: 'xtls-rprx-vision' },
    ],
    [
      { type: 'trojan', ...who, password: 'p' },
      { ...client, protocol: 'trojan', password: 'p' },
    ],
    [
      { type: 'vmess', ...who, uuid: 'u' },
      { ...client, protocol: 'vmess', id: 'u' },
    ],
    [
      { type: 'hysteria', ...who, password: 'p' },
      { ...client, protocol: 'hysteria', password: 'p' },
    ],
    [
      { type: 'shadowsocks', ...who, password: 'p', cipherType: 7, ivCheck: true },
      { ...client, protocol: 'shadowsocks', password: 'p', cipherType: 7, ivCheck: true },
    ],
    [
      { type: 'shadowsocks2022', ...who, key: 'k' },
      { ...client, protocol: 'shadowsocks2022', password: 'k' },
    ],
    [{ type: 'socks', ...who, socks_username: 'u', socks_password: 'p' }, undefined],
    [{ type: 'http', ...who, http_username: 'u', http_password: 'p' }, undefined],
  ])('of %j', (access, expected) => {
    expect(clientOf(access, 'h')).toEqual(expected)
  })

  it.each<[InboundAccess, string]>([
    [{ type: 'vless', ...who, level: 256, uuid: 'u', flow: '' }, 'must be from 0 to 255, not 256'],
    [{ type: 'trojan', ...who, level: -1, password: 'p' }, 'must be from 0 to 255, not -1'],
    [{ type: 'shadowsocks', ...who, password: 'p', cipherType: 0, ivCheck: false }, 'cannot have cipher type 0'],
    [{ type: 'shadowsocks', ...who, password: 'p', cipherType: 9, ivCheck: false }, 'cannot have cipher type 9'],
    [{ type: 'shadowsocks', ...who, password: '', cipherType: 7, ivCheck: false }, 'password of alice is empty'],
  ])('refuses what a restarted core would refuse: %j', (access, sentence) => {
    expect(() => clientOf(access, 'h')).toThrow(sentence)
  })
})
