import { listInternalSquads } from '@causeway/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { connectionStore } from '../../api/connection.ts'
import { answer, disconnect } from '../../../test/fake-api.ts'
import { sampleInternalSquad } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const SQUADS = '/dashboard/management/internal-squads'
const inner = window.fetch
let isThere: boolean

beforeEach(() => {
  isThere = false
  // What asks whether anybody is there is no endpoint of the contract.
  window.fetch = (target, init) => {
    if (target !== '/health') return inner(target, init)
    return isThere ? Promise.resolve(new Response('{}')) : Promise.reject(new TypeError('Failed to fetch'))
  }
})
afterEach(() => {
  window.fetch = inner
  connectionStore.setState({ isAway: false, tries: 0, nextTryAt: 0 })
})

const strip = () => page.getByText('The server cannot be reached.')

it('while the server is away one strip says so with a countdown, without a toast, and what was read comes back with it', async () => {
  disconnect(listInternalSquads)
  await showPage(SQUADS)
  await expect.element(strip()).toBeVisible()
  await expect.element(page.getByText(/^Next try in [1-5] s$/)).toBeVisible()
  expect(page.getByText('Get Internal Squads').elements()).toEqual([])
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [sampleInternalSquad()] }))
  isThere = true
  await page.getByRole('button', { name: 'Try now' }).click()
  await expect.element(page.getByText('Friends')).toBeVisible()
  await expect.element(strip()).not.toBeInTheDocument()
})

it('a single call that breaks while the server answers others is told by its toast', async () => {
  isThere = true
  disconnect(listInternalSquads)
  await showPage(SQUADS, { ...PHONE })
  await expect.element(page.getByText('Get Internal Squads')).toBeVisible()
  expect(strip().elements()).toEqual([])
})
