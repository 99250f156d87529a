import * as contract from '@causeway/contract'
import {
  getHwidSettings,
  getSystemStats,
  getUser,
  isEndpoint,
  listInternalSquads,
  listUsers,
  listUserTags,
  updateUser,
  type CallInput,
  type Endpoint,
} from '@causeway/contract'
import { Button } from '@mantine/core'
import { useQueryClient, type MutationCache } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { answer, hold, requests } from '../../test/fake-api.ts'
import { sampleSystemStats, sampleUser } from '../../test/samples.ts'
import { showPage, showPart } from '../../test/screen.tsx'
import { useApiMutation } from './use-api-mutation.ts'

const writes = Object.values<unknown>(contract)
  .filter(isEndpoint)
  .filter(({ method }) => method !== 'GET')

const OFFLINE = 'You are offline. Nothing was sent.'
const inner = window.fetch
let isOnline = true
let tried = 0

/** As a browser says it: a property, an event, and every request failing. */
function setOnline(next: boolean): void {
  isOnline = next
  window.dispatchEvent(new Event(next ? 'online' : 'offline'))
}

beforeEach(() => {
  tried = 0
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline)
  window.fetch = (target, init) => {
    if (target === '/health') return isOnline ? Promise.resolve(new Response()) : Promise.reject(new TypeError('Failed to fetch'))
    if (isOnline) return inner(target, init)
    tried += 1
    return Promise.reject(new TypeError('Failed to fetch'))
  }
})
afterEach(() => {
  setOnline(true)
  window.fetch = inner
})

/** A write of any endpoint, with no more input than its address needs. */
function Write({ endpoint, onSettled }: { endpoint: Endpoint; onSettled: (name: string, cache: MutationCache) => void }) {
  const cache = useQueryClient().getMutationCache()
  const write = useApiMutation(endpoint, { quiet: true })
  const uuid = '11111111-1111-4111-8111-111111111111'
  const input = Object.fromEntries(Object.keys(endpoint.params.shape).map((name) => [name, uuid]))
  const send = () => write.mutate(input as CallInput<Endpoint>, { onSettled: () => onSettled(endpoint.name, cache) })
  return <Button onClick={send}>write</Button>
}

it('without a network every write of the contract fails at once, and none is kept to be sent later', async () => {
  const settled = new Map<string, MutationCache>()
  await showPart(writes.map((endpoint) => <Write key={endpoint.name} endpoint={endpoint} onSettled={note} />))
  function note(name: string, cache: MutationCache): void {
    settled.set(name, cache)
  }
  setOnline(false)
  for (const button of page.getByRole('button', { name: 'write' }).elements()) (button as HTMLElement).click()
  await expect.poll(() => settled.size).toBe(writes.length)
  expect(writes.length).toBeGreaterThan(80)
  // Those without a body reach the network, which is not there.
  expect(tried).toBeGreaterThan(20)
  const kept = [...settled.values()][0]?.getAll() ?? []
  expect(kept).toHaveLength(writes.length)
  expect(kept.filter(({ state }) => state.isPaused || state.status !== 'error')).toEqual([])
})

describe('a user that is edited', () => {
  const user = sampleUser({ description: 'first' })
  const description = () => page.getByRole('textbox', { name: 'Description' })
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  async function open(): Promise<void> {
    answer(listUsers, () => ({ users: [user], total: 1 }))
    answer(getUser, () => user)
    answer(getSystemStats, () => sampleSystemStats())
    answer(listUserTags, () => ({ tags: [] }))
    answer(getHwidSettings, () => ({ isDeviceLimitEnabled: false, fallbackDeviceLimit: 0 }))
    answer(listInternalSquads, () => ({ total: 0, internalSquads: [] }))
    answer(updateUser, () => user)
    await showPage(`/dashboard/management/users?edit=${user.uuid}`)
    await description().fill('given up')
  }
  async function giveUp(): Promise<void> {
    await button('Cancel').click()
    await button('Discard').click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  }

  it('is told at once that nothing was sent, and nothing is sent after the dialog was closed and the network is back', async () => {
    await open()
    setOnline(false)
    await button('Save').click()
    await expect.element(page.getByText(OFFLINE)).toBeVisible()
    await expect.element(description()).toHaveValue('given up')
    await giveUp()
    const reads = requests(listUsers).length
    setOnline(true)
    await expect.poll(() => requests(listUsers).length).toBeGreaterThan(reads)
    expect(requests(updateUser)).toEqual([])
  })

  it('is not saved by an answer that comes after the dialog was closed', async () => {
    await open()
    const reads = requests(getUser).length
    const release = hold(getUser)
    await button('Save').click()
    await expect.poll(() => requests(getUser).length).toBe(reads + 1)
    await giveUp()
    release()
    // A question to the server that is asked afterwards is answered afterwards.
    await page.getByRole('button', { name: 'Refresh' }).first().click()
    await expect.poll(() => requests(listUsers).length).toBeGreaterThan(1)
    expect(requests(updateUser)).toEqual([])
  })
})
