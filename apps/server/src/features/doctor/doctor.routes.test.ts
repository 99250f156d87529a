import * as api from '@causeway/contract'
import { afterEach, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
afterEach(() => server?.close())

test('SHIP-012 the dashboard reads the findings of causeway doctor, those of nodes only with their permission', async () => {
  server = await testServer({ env: { PUBLIC_URL: 'http://panel.invalid', TRUSTED_PROXIES: '0.0.0.0/0' } })
  const { isWrong, findings } = await server.call(api.examineInstallation, {})
  expect(isWrong).toBe(true)
  expect(new Set(findings.map(({ check }) => check))).toEqual(new Set(api.DOCTOR_CHECKS))
  const ofNames = findings.filter(({ check }) => check === 'names')
  expect(ofNames).toEqual([expect.objectContaining({ state: 'bad', finding: 'nameUnknown' })])
  expect(findings.find(({ check }) => check === 'proxies')).toMatchObject({
    finding: 'proxiesAll',
    values: { network: '0.0.0.0/0' },
  })

  const { token } = await server.call(api.createLimitedApiToken, { tokenName: 'monitor', permissions: ['settings.read'] })
  const reply = await server.send('GET', '/api/x/doctor', undefined, { authorization: `Bearer ${token}` })
  expect(reply.status).toBe(200)
  expect(JSON.stringify(reply.body)).not.toContain('"check":"nodes"')
  expect(JSON.stringify(reply.body)).toContain('"check":"disk"')
})
