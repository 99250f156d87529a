import { expect, it } from 'vitest'
import { checkMemberNames } from './member-names.ts'

const paths = (config: Record<string, unknown>) => checkMemberNames(config).map(({ path }) => path)

it('names that Xray reads regardless of case are refused where the checks would not see them', () => {
  expect(paths({ Log: {}, log: { Access: '/etc/passwd', error: 'none' } })).toEqual(['Log', 'log.Access'])
  expect(paths({ log: { acceſſ: '/etc/passwd' } })).toEqual(['log.acce\u017f\u017f'])
  const certificates = [{ CertificateFile: '/a' }]
  const inbound = { Tag: 'A', streamSettings: { tlsSettings: { certificates } }, settings: { CLIENTS: [] } }
  expect(paths({ inbounds: [inbound], routing: { Rules: [] } })).toEqual([
    'routing.Rules',
    'inbounds[0].Tag',
    'inbounds[0].settings.CLIENTS',
    'inbounds[0].streamSettings.tlsSettings.certificates[0].CertificateFile',
  ])
})

it('other names and those of free maps stay as they are', () => {
  const headers = { Host: 'a', TAG: 'b' }
  expect(paths({ remarks: 'x', inbounds: [{ tag: 'A', streamSettings: { wsSettings: { headers } } }], Dns2: {} })).toEqual([])
})
