import { expect, test } from 'vitest'
import { withTorrentRule, withTorrentWebhook } from './torrent-rule.ts'

const none = { placement: 0, ruleTags: [], exceptUsernames: [], exceptAddresses: [] }
const profile = {
  outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
  routing: {
    domainStrategy: 'AsIs',
    rules: [
      { ruleTag: 'mail', port: '25', outboundTag: 'BLOCK' },
      { ruleTag: 'other', port: '26', outboundTag: 'BLOCK' },
    ],
  },
}
const caught = {
  type: 'field',
  ruleTag: 'CAUSEWAY_TORRENT',
  protocol: ['bittorrent'],
  outboundTag: 'CAUSEWAY_TORRENT',
  webhook: { url: 'causeway:torrents' },
}

test('PLUG-002 the rule stands where it is wanted, and its outbound is not the first', () => {
  const [mail, other] = profile.routing.rules
  const outbounds = [...profile.outbounds, { tag: 'CAUSEWAY_TORRENT', protocol: 'blackhole' }]
  expect(withTorrentRule(profile, none)).toEqual({
    outbounds,
    routing: { domainStrategy: 'AsIs', rules: [caught, mail, other] },
  })
  expect(withTorrentRule(profile, { ...none, placement: 1 })).toMatchObject({ routing: { rules: [mail, caught, other] } })
  expect(withTorrentRule(profile, { ...none, placement: 1000 })).toMatchObject({ routing: { rules: [mail, other, caught] } })
})

test('PLUG-002 users and addresses that are excepted pass before it, and other rules report where they are named', () => {
  const config = withTorrentRule(profile, {
    placement: 0,
    ruleTags: ['mail'],
    exceptUsernames: ['ann'],
    exceptAddresses: ['192.0.2.1'],
  })
  const passing = { type: 'field', protocol: ['bittorrent'], outboundTag: 'DIRECT' }
  expect(config).toMatchObject({
    routing: {
      rules: [
        { ...passing, user: ['ann'] },
        { ...passing, sourceIP: ['192.0.2.1'] },
        caught,
        { ruleTag: 'mail', webhook: { url: 'causeway:torrents' } },
        { ruleTag: 'other' },
      ],
    },
  })
})

test('the agent puts its own address in place, and leaves webhooks of the profile', () => {
  const config = withTorrentRule({ routing: { rules: [{ webhook: { url: 'https://example.com' } }] } }, none)
  expect(withTorrentWebhook(config, '/run/it.sock:/')).toMatchObject({
    routing: { rules: [{ webhook: { url: '/run/it.sock:/' } }, { webhook: { url: 'https://example.com' } }] },
  })
  expect(withTorrentWebhook(profile, '/run/it.sock:/')).toBe(profile)
})
