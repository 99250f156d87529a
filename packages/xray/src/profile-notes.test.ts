import { expect, it } from 'vitest'
import { notesOnProfile } from './profile-notes.ts'

const inbound = (tag: string, protocol: string, method?: string) => ({ tag, protocol, settings: method ? { method } : {} })

it('says which inbounds older agents cannot let users into at once, and which have no users', () => {
  const inbounds = [
    inbound('vless', 'vless'),
    inbound('vmess', 'vmess'),
    inbound('hysteria', 'hysteria'),
    inbound('older', 'shadowsocks'),
    inbound('newer', 'shadowsocks', '2022-blake3-aes-128-gcm'),
    inbound('alone', 'shadowsocks', '2022-blake3-chacha20-poly1305'),
    inbound('tunnel', 'tunnel'),
  ]
  expect(notesOnProfile({ inbounds })).toEqual([
    { path: 'inbounds[1]', message: expect.stringContaining('Inbound "vmess" takes new users') as string },
    { path: 'inbounds[2]', message: expect.stringContaining('no Hysteria at all') as string },
    { path: 'inbounds[4]', message: expect.stringContaining('Inbound "newer" takes new users') as string },
    { path: 'inbounds[5]', message: expect.stringContaining('Inbound "alone" has one key for everybody') as string },
  ])
})
