import { createHost, type ConfigProfile, type Host, type Inbound, updateHost } from '@causeway/contract'
import { describe, expect, it } from 'vitest'
import { sampleHost } from '../../../test/samples.ts'
import { hostForm, type HostForm, isJsonText, toClone, toCreateHost, toHostPatch } from './host-form.ts'

const uuid = (digit: string) => `${digit.repeat(8)}-1111-4111-8111-${digit.repeat(12)}`
const inbound: Inbound = {
  uuid: uuid('b'),
  profileUuid: uuid('a'),
  tag: 'VLESS',
  type: 'vless',
  network: 'xhttp',
  security: null,
  port: 443,
  rawInbound: null,
}
const profiles: ConfigProfile[] = [
  { uuid: uuid('a'), name: 'Europe', config: {}, inbounds: [inbound], nodes: [], createdAt: '', updatedAt: '' },
]
const host = sampleHost({
  uuid: uuid('c'),
  remark: 'Germany',
  address: 'de.example.net',
  alpn: 'h2',
  isDisabled: true,
  securityLayer: 'TLS',
  xHttpExtraParams: { mode: 'auto' },
  inbound: { configProfileUuid: uuid('a'), configProfileInboundUuid: uuid('b') },
})

/** What is sent when these fields have been changed by hand. */
function patch(change: Partial<HostForm>, of: Host = host) {
  const changed = new Set(Object.keys(change) as (keyof HostForm)[]) // the keys of a part of a form
  return toHostPatch(of.uuid, { values: { ...hostForm.fromEntity({ host: of, profiles }), ...change }, changed })
}

describe('host form', () => {
  it('HOST-037 whether a host is disabled goes there and back', () => {
    expect(hostForm.fromEntity({ host, profiles }).isDisabled).toBe(true)
    expect(patch({ isDisabled: false }).isDisabled).toBe(false)
  })

  it('HOST-051 HOST-065 what the form makes passes the contract', () => {
    const form = { ...hostForm.empty(), remark: 'x', address: ' a.example ', port: 443, inbound }
    const body = toCreateHost(form)
    expect(body).toMatchObject({
      address: 'a.example',
      isDisabled: false,
      inbound: { configProfileUuid: uuid('a'), configProfileInboundUuid: uuid('b') },
    })
    expect(createHost.body.safeParse(body).success).toBe(true)
    expect(updateHost.body.safeParse(patch(form)).success).toBe(true)
    expect(toCreateHost({ ...form, inbound: null })).toBeUndefined()
  })

  it.each([
    ['', null],
    ['  ', null],
    ['{broken', null],
    ['{"mode":"auto"}', { mode: 'auto' }],
  ])('HOST-053 HOST-067 extra parameters %j are sent as %j', (text, sent) => {
    expect(patch({ xHttpExtraParams: text }).xHttpExtraParams).toEqual(sent)
  })

  it('text that is not JSON is told apart', () => {
    expect([isJsonText(''), isJsonText('{}'), isJsonText('{')]).toEqual([true, true, false])
  })

  it('a host without inbound is edited without naming one', () => {
    const lost = { ...host, inbound: { configProfileUuid: null, configProfileInboundUuid: null } }
    expect(patch({ ...hostForm.fromEntity({ host: lost, profiles }), sni: 'a.example' }, lost)).not.toHaveProperty('inbound')
  })

  it('only what was changed is sent, so that values from elsewhere stay as they are', () => {
    const foreign = { ...host, alpn: 'h2,h3', fingerprint: 'unsafe' }
    expect(hostForm.fromEntity({ host: foreign, profiles })).toMatchObject({ alpn: 'h2,h3', fingerprint: 'unsafe' })
    expect(patch({ sni: 'a.example' }, foreign)).toEqual({ uuid: host.uuid, sni: 'a.example' })
    expect(patch({ alpn: null }, foreign)).toEqual({ uuid: host.uuid, alpn: null })
  })

  it('shuffling, the post-quantum key exchange and the nodes go there and back, each only when it was changed', () => {
    const wanted = { shuffleHost: true, mihomoX25519: true, allowInsecure: true, nodes: [uuid('d')] }
    expect(hostForm.fromEntity({ host: { ...host, ...wanted }, profiles })).toMatchObject(wanted)
    expect(patch(wanted)).toEqual({ uuid: host.uuid, ...wanted })
    expect(patch({ nodes: [] }, { ...host, ...wanted })).toEqual({ uuid: host.uuid, nodes: [] })
    const created = toCreateHost({ ...hostForm.empty(), remark: 'x', address: 'a.example', port: 443, inbound, ...wanted })
    expect(created).toMatchObject(wanted)
  })

  it('HOST-046 HOST-047 HOST-066 a clone is disabled, has a name of its own and the shape of a new host', () => {
    const clone = toClone(host, 'x7')
    expect(clone).toMatchObject({ remark: 'Clone #x7', isDisabled: true, address: host.address })
    const sent = createHost.body.safeParse(clone)
    expect(sent.success && 'uuid' in sent.data).toBe(false)
    expect(sent.success).toBe(true)
  })

  it('a dangling host has no clone', () => {
    expect(toClone({ ...host, inbound: { configProfileUuid: uuid('a'), configProfileInboundUuid: null } }, 'x')).toBeUndefined()
  })
})
