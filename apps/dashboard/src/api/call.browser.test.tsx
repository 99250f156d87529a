import {
  createNode,
  deleteInternalSquad,
  getNode,
  listHosts,
  listInternalSquads,
  removeUsersFromInternalSquad,
  restartAllNodes,
} from '@causeway/contract'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import { CallError } from './call-error.ts'
import { call } from './call.ts'
import { sessionToken } from './credentials.ts'
import { endSession, sessionStore, startSession } from './session.ts'
import { loadTexts } from './texts.ts'

const UUID = '11111111-1111-4111-8111-111111111111'
let network: MockInstance<typeof fetch>

function answer(status: number, body: unknown): void {
  network.mockResolvedValueOnce(new Response(JSON.stringify(body), { status }))
}
async function failure(promise: Promise<unknown>): Promise<CallError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof CallError) return error
  throw new Error('the call did not fail as calls fail', { cause: error })
}

beforeAll(() => loadTexts())
beforeEach(() => {
  network = vi.spyOn(globalThis, 'fetch')
})
afterEach(() => endSession())

describe('a call', () => {
  it('CALL-011 reads the reply from its wrapper', async () => {
    answer(200, { response: { total: 0, internalSquads: [] } })
    expect(await call(listInternalSquads, {})).toEqual({ total: 0, internalSquads: [] })
  })

  it('CALL-009 does not send a body that the contract refuses, and names the fields', async () => {
    const error = await failure(
      call(createNode, { name: 'ab', address: 'x', configProfile: { activeConfigProfileUuid: UUID, activeInbounds: [] } }),
    )
    expect(network).not.toHaveBeenCalled()
    expect(error.issues.map((issue) => issue.path[0])).toEqual(['name', 'address'])
  })

  it('CALL-010 CALL-013 refuses a reply that the contract refuses', async () => {
    answer(200, { response: { total: 'many', internalSquads: [] } })
    await expect(call(listInternalSquads, {})).rejects.toThrow('does not have the expected form')
    answer(200, [])
    await expect(call(listHosts, {})).rejects.toThrow('does not have the expected form')
  })

  it('CALL-012 uses the method and the path of its endpoint', async () => {
    answer(200, { response: { eventSent: true } })
    await call(restartAllNodes, { forceRestart: true })
    const [url, init] = network.mock.lastCall ?? []
    expect([url, init?.method, init?.body]).toEqual(['/api/nodes/actions/restart-all', 'POST', '{"forceRestart":true}'])
    answer(404, {})
    await failure(call(getNode, { uuid: UUID }))
    expect(network.mock.lastCall?.[0]).toBe(`/api/nodes/${UUID}`)
    expect(network.mock.lastCall?.[1]).not.toHaveProperty('body')
  })

  it('sends the body of a deletion that names what it is about, and none with others', async () => {
    answer(200, { response: { eventSent: true } })
    await call(removeUsersFromInternalSquad, { uuid: UUID, userUuids: [UUID] })
    const [url, init] = network.mock.lastCall ?? []
    expect([url, init?.method]).toEqual([`/api/internal-squads/${UUID}/bulk-actions/remove-users`, 'DELETE'])
    expect(init?.body).toBe(`{"userUuids":["${UUID}"]}`)
    answer(200, { response: { isDeleted: true } })
    await call(deleteInternalSquad, { uuid: UUID })
    expect(network.mock.lastCall?.[1]).not.toHaveProperty('body')
  })

  it('ERR-001 ERR-002 hands a failure to its caller, with the server’s message or its own', async () => {
    answer(404, { message: 'Node not found', errorCode: 'A011' })
    expect(await failure(call(getNode, { uuid: UUID }))).toMatchObject({ message: 'Node not found', status: 404, code: 'A011' })
    network.mockResolvedValueOnce(new Response('<html>', { status: 502 }))
    expect((await failure(call(getNode, { uuid: UUID }))).message).toBe('Request failed')
    network.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    expect((await failure(call(getNode, { uuid: UUID }))).message).toBe('Request failed')
  })

  it.each([401, 403])('AUTH-035 a %d ends the session', async (status) => {
    startSession('token')
    answer(status, { message: 'Unauthorized', statusCode: status })
    expect((await failure(call(listHosts, {}))).hadSession).toBe(true)
    expect(sessionStore.getState()).toEqual({ isAuthenticated: false, isInitialized: true })
    expect(sessionToken()).toBeNull()
  })

  it('AUTH-035 a late refusal of the session before leaves the present one alone', async () => {
    startSession('old')
    const late = Promise.withResolvers<Response>()
    network.mockReturnValueOnce(late.promise)
    const failed = failure(call(listHosts, {}))
    startSession('new')
    late.resolve(new Response('{}', { status: 401 }))
    expect((await failed).hadSession).toBe(true)
    expect(sessionToken()).toBe('new')
    expect(sessionStore.getState().isAuthenticated).toBe(true)
  })
})
