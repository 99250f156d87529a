import { describe, expect, it } from 'vitest'
import { resolveEntries, shareLinks, type PreparedHost } from '@causeway/subscription'
import { makeUser, prepare, privateKey, seededRandom, valuesOf } from '../../test/samples.ts'

const uuid = '550e8400-e29b-41d4-a716-446655440000'

function linksOf(hosts: PreparedHost[], isHapp = false): string[] {
  const user = makeUser()
  return shareLinks(resolveEntries(hosts, user, valuesOf(user), seededRandom()), { isHapp })
}

describe('share links of the wire’s test vectors', () => {
  const reality = prepare(
    {
      protocol: 'vless',
      streamSettings: {
        network: 'raw',
        security: 'reality',
        realitySettings: { serverNames: ['a.example'], privateKey, shortIds: ['0a'], spiderX: '/x' },
      },
    },
    { remark: 'dup' },
  )

  it('REALITY over raw TCP, and a second host of the same name', () => {
    const link = `vless://${uuid}@node.example.com:443?security=reality&type=tcp&headerType=&path=&host=&flow=xtls-rprx-vision&sni=a.example&fp=&pbk=ZsytdQM4qCkODG97moJN_6HY3eB5HyCxo5AcFswv8D0&sid=0a&spx=%2Fx`
    expect(linksOf([reality, reality])).toEqual([`${link}#dup`, `${link}#dup%20%5E~2~%5E`])
  })

  it('WebSocket with early data and a description for Happ, which no other client gets', () => {
    const host = prepare(
      {
        protocol: 'vless',
        streamSettings: {
          network: 'ws',
          wsSettings: { path: '/ws?ed=2048' },
          security: 'tls',
          tlsSettings: { serverName: 'ws.example', alpn: ['h2', 'http/1.1'] },
        },
      },
      { remark: 'ws', serverDescription: 'Fast' },
    )
    const link = `vless://${uuid}@node.example.com:443?security=tls&type=ws&headerType=&path=%2Fws%3Fed%3D2048&host=&sni=ws.example&fp=&alpn=h2%2Chttp%2F1.1#ws`
    expect(linksOf([host], true)).toEqual([`${link}?serverDescription=RmFzdA==`])
    expect(linksOf([host])).toEqual([link])
  })

  it('XHTTP with extra parameters', () => {
    const host = prepare(
      {
        protocol: 'vless',
        streamSettings: {
          network: 'xhttp',
          security: 'none',
          xhttpSettings: { path: '/xh', host: 'h.example', mode: 'packet-up' },
        },
      },
      { remark: 'xh', xHttpExtraParams: { xPaddingBytes: '100-1000' } },
    )
    expect(linksOf([host])).toEqual([
      `vless://${uuid}@node.example.com:443?security=none&type=xhttp&headerType=&path=%2Fxh&host=h.example&mode=packet-up&extra=%7B%22xPaddingBytes%22%3A%22100-1000%22%7D#xh`,
    ])
  })

  it('Trojan with an encoded password, and Shadowsocks', () => {
    const trojan = prepare(
      {
        protocol: 'trojan',
        streamSettings: { security: 'tls', tlsSettings: { serverName: 't.example', fingerprint: 'firefox' } },
      },
      { remark: 't' },
    )
    const shadowsocks = prepare({ protocol: 'shadowsocks' }, { remark: 'ss', port: 1234 })
    expect(linksOf([trojan, shadowsocks])).toEqual([
      'trojan://tr%2Fpw@node.example.com:443?security=tls&type=tcp&headerType=&path=&host=&sni=t.example&fp=firefox#t',
      'ss://Y2hhY2hhMjAtaWV0Zi1wb2x5MTMwNTpzc3B3@node.example.com:1234#ss',
    ])
  })
})

describe('links are encoded as forms are', () => {
  it('with plus for blanks and everything else percent-encoded', () => {
    const host = prepare({ protocol: 'vless', streamSettings: { network: 'ws' } }, { path: "/a b!'()~*-._ü", remark: 'é' })
    expect(linksOf([host])[0]).toContain('&path=%2Fa+b%21%27%28%29%7E*-._%C3%BC&')
  })
})

describe('the query of a host is kept', () => {
  it('but what is drawn at random is drawn for each link, and each user has keys of their own', () => {
    const wild = prepare(
      { protocol: 'vless', streamSettings: { security: 'tls', tlsSettings: { serverName: '*.example' } } },
      { remark: 'wild' },
    )
    const drawn = (user: ReturnType<typeof makeUser>, random: () => number) =>
      shareLinks(resolveEntries([wild], user, valuesOf(user), random), { isHapp: false })[0]
    const [first, other] = [makeUser(), makeUser({ vlessUuid: '11111111-1111-4111-8111-111111111111' })]
    const zeros = drawn(first, () => 0)
    expect(zeros).toContain(`vless://${uuid}@`)
    expect(zeros).toContain('&sni=0000000000.example&')
    expect(drawn(first, () => 0.5)).not.toContain('0000000000.example')
    expect(drawn(first, () => 0)).toBe(zeros)
    expect(drawn(other, () => 0)).toBe(zeros?.replace(uuid, '11111111-1111-4111-8111-111111111111'))
  })
})
