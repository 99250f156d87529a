import { getAuthStatus } from '@causeway/contract'
import { expect, test } from './fixtures.ts'
import { apiClient } from './stage/api-client.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'

test('a stranger is told that the administrator exists', async ({ panel, session }) => {
  expect(session.token).not.toBe('')
  const status = await apiClient(panel.origin)(getAuthStatus, {})
  expect(status.isRegisterAllowed).toBe(false)
})

test('the fault proxy breaks what it is told to and nothing else', async ({ panel, session }) => {
  expect(session.token).not.toBe('')
  const proxy = await startFaultProxy(panel.origin)
  const api = apiClient(proxy.origin)
  proxy.inject({ path: '/api/auth/status', times: 1, effect: { kind: 'drop' } })
  await expect(api(getAuthStatus, {})).rejects.toThrow('fetch failed')
  expect((await api(getAuthStatus, {})).isRegisterAllowed).toBe(false)
  proxy.inject({ path: '/api/auth/status', times: 1, effect: { kind: 'malform' } })
  await expect(api(getAuthStatus, {})).rejects.toThrow(SyntaxError)
  await proxy.close()
})
