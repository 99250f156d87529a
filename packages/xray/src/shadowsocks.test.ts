import { describe, expect, it } from 'vitest'
import { addUserEntries } from './add-user.ts'
import { deriveInbounds } from './inbound-records.ts'
import { emptyNodeConfig, NodeConfigBuilder, type NodeUser } from './node-config.ts'
import { NOBODY, sharedKey, withoutOpenDoor } from './shadowsocks.ts'

const password = 'AAAAAAAAAAAAAAAAAAAAAA=='
const inboundOf = (method: string) => ({ tag: method, protocol: 'shadowsocks', settings: { method, password } })
const inbounds = ['128', '256'].map((bits) => inboundOf(`2022-blake3-aes-${bits}-gcm`))
const alone = inboundOf('2022-blake3-chacha20-poly1305')
const alice: NodeUser = {
  username: 'alice',
  vlessUuid: '550E8400-e29b-41d4-a716-446655440000',
  trojanPassword: 'tr',
  ssPassword: 'ss',
  tags: inbounds.map(({ tag }) => tag),
}
const keys = ['VQ6EAOKbQdSnFkRmVUQAAA==', 'NTUwZTg0MDBlMjliNDFkNGE3MTY0NDY2NTU0NDAwMDA=']

describe('Shadowsocks 2022', () => {
  it('gives each user a key as long as the method wants, always the same', () => {
    expect(sharedKey(alice.vlessUuid, '2022-blake3-aes-128-gcm')).toBe(keys[0])
    expect(sharedKey(alice.vlessUuid, '2022-blake3-aes-256-gcm')).toBe(keys[1])
  })

  it('has users without a method, in the config of a node and in live changes', () => {
    const builder = new NodeConfigBuilder(emptyNodeConfig({ inbounds }, alice.tags))
    builder.add(alice)
    const built = builder.build((text) => text).config['inbounds'] as { settings: { clients: unknown } }[] // as: what was put in
    expect(built.map(({ settings }) => settings.clients)).toEqual(
      keys.map((key) => [{ password: key, email: 'alice', id: alice.vlessUuid }]),
    )
    const records = inbounds.map((rawInbound) => ({ tag: rawInbound.tag, type: 'shadowsocks', rawInbound }))
    expect(addUserEntries(alice, records)).toEqual(
      keys.map((key, index) => ({ type: 'shadowsocks2022', tag: alice.tags[index], username: 'alice', key, level: 0 })),
    )
  })

  it('is never left to everybody who knows the key of the inbound', () => {
    const randomKey = (bytes: number) => `${bytes} bytes`
    const empty = { ...alone, settings: { ...alone.settings, method: '2022-blake3-aes-256-gcm', clients: [] } }
    expect(withoutOpenDoor(empty, randomKey)).toEqual({
      ...empty,
      settings: { ...empty.settings, clients: [{ password: '32 bytes', email: NOBODY }] },
    })
    const taken = { ...empty, settings: { ...empty.settings, clients: [{ password: 'x', email: 'alice' }] } }
    const older = { protocol: 'shadowsocks', settings: { clients: [] } }
    for (const closed of [taken, older, alone, { protocol: 'vless' }]) expect(withoutOpenDoor(closed, randomKey)).toBe(closed)
  })

  it('with ChaCha20 is of one key and no users: it runs on every node as it stands, and no host leads to it', () => {
    expect(deriveInbounds({ inbounds: [...inbounds, alone] }).map(({ tag }) => tag)).toEqual(alice.tags)
    expect(emptyNodeConfig({ inbounds: [alone] }, [])).toEqual({ inbounds: [alone] })
  })
})
