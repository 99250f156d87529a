import { describe, expect, it } from 'vitest'
import { formatOfClientType, formatOfUserAgent } from '@causeway/subscription'

describe('the format for a client by its name', () => {
  it.each([
    ['FlClash/1', 'mihomo'],
    ['FlClashX/0.2', 'mihomo'],
    ['clash-verge/v2', 'mihomo'],
    ['Clash-Verge/v2', 'mihomo'],
    ['clash-Verge', 'mihomo'],
    ['koala-clash/1', 'mihomo'],
    ['Koala-Clash/1', 'mihomo'],
    ['ClashMeta/2', 'mihomo'],
    ['clash-meta', 'mihomo'],
    ['Clash-Meta', 'mihomo'],
    ['Murge', 'mihomo'],
    ['clashX meta/1', 'mihomo'],
    ['ClashX Meta/1', 'mihomo'],
    ['mihomo/1.19', 'mihomo'],
    ['Clash-nyanpasu/1', 'mihomo'],
    ['clash.meta/1', 'mihomo'],
    ['Clash.meta/1', 'clash'],
    ['ClashX/1.1', 'clash'],
    ['ClashX Pro', 'clash'],
    ['clash', 'clash'],
    ['CLASH', 'links'],
    ['Stash/2', 'stash'],
    ['stash', 'stash'],
    ['Outline', 'outline'],
    ['Shadowsocks/5', 'outline'],
    ['SSR', 'outline'],
    ['SSD', 'outline'],
    ['SSconf', 'outline'],
    ['', 'links'],
    ['v2rayN/7.0.0', 'links'],
    ['sing-box/1.11.0', 'links'],
    ['Mozilla/5.0 clash', 'links'],
    ['Happ/1.0', 'links'],
  ])('"%s" reads %s', (userAgent, kind) => {
    expect(formatOfUserAgent(userAgent, false)).toEqual({ kind })
  })

  it.each([
    ['SFA/1.11.0 (Android)', [1, 11, 0]],
    ['SFI/1.12.3-beta.4', [1, 12, 3]],
    ['SFM/1.9.9', [1, 9, 9]],
    ['SFT/1.10.0', [1, 10, 0]],
    ['RabbitHole/2.0.1', [2, 0, 1]],
    ['rabbithole/2.0.1', null],
    ['RabbitHole/2', null],
    ['Karing/1.0.29', null],
    ['karing', null],
    ['Singbox', null],
  ])('"%s" reads sing-box of version %j', (userAgent, version) => {
    expect(formatOfUserAgent(userAgent, true)).toEqual({ kind: 'sing-box', version })
  })

  it.each([
    ['Streisand/1', 'xray-json'],
    ['streisand', 'xray-json'],
    ['Happ/3', 'xray-json'],
    ['Happ', 'links'],
    ['ktor-client', 'xray-json'],
    ['V2Box 1', 'xray-json'],
    ['io.github.saeeddev94.xray/1', 'xray-json'],
    ['v2rayNG/1.8.29', 'xray-json'],
    ['v2rayNG/1.8.28', 'links'],
    ['v2rayNG/1.9.0', 'xray-json'],
    ['v2rayNG/2.0', 'links'],
    ['v2rayN/6.40', 'links'],
    ['v2rayN/6.40.0', 'xray-json'],
    ['v2rayN/6.39.9', 'links'],
    ['clash', 'clash'],
  ])('"%s" reads %s where the base address serves JSON', (userAgent, kind) => {
    expect(formatOfUserAgent(userAgent, true)).toEqual({ kind })
  })

  it('is what the path says where it says something', () => {
    expect(formatOfClientType('singbox')).toEqual({ kind: 'sing-box', version: [1, 12, 0] })
    expect(formatOfClientType('singbox-legacy')).toEqual({ kind: 'sing-box', version: [1, 10, 0] })
    // An app that says which sing-box it has gets that one's form, also where it fetches by the path.
    const app = 'SFA/1.14.4 (612; sing-box 1.14.4; language en)'
    expect(formatOfClientType('singbox', app)).toEqual({ kind: 'sing-box', version: [1, 14, 4] })
    expect(formatOfUserAgent('Karing/2.0 (sing-box 1.12.3)', false)).toEqual({ kind: 'sing-box', version: [1, 12, 3] })
    expect(formatOfClientType('singbox-legacy', app)).toEqual({ kind: 'sing-box', version: [1, 10, 0] })
    expect(formatOfClientType('json')).toEqual(formatOfClientType('v2ray-json'))
    expect(formatOfClientType('stash')).toEqual({ kind: 'stash' })
    expect(formatOfClientType('mihomo')).toEqual({ kind: 'mihomo' })
    expect(formatOfClientType('mihomo', 'mihomo/v1.19.13')).toEqual({ kind: 'mihomo', version: [1, 19, 13] })
  })
})
