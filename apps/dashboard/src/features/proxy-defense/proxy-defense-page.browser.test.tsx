import * as contract from '@causeway/contract'
import { type Endpoint, getAuthStatus, getMusic } from '@causeway/contract'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, hold } from '../../../test/fake-api.ts'
import { violations } from '../../../test/axe.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'
import { startSession } from '../../api/session.ts'
import { eggClicks, isEggUnlocked } from './parts/egg.ts'

const GAME = '/dashboard/proxy-defense'
const HOME = '/dashboard/home'
const LOGIN = '/auth/login'

/** Home is only where one gets to: it may go on loading, whatever it reads. */
const HELD = Object.values<unknown>(contract)
  .filter(
    (value): value is Endpoint => typeof value === 'object' && value !== null && 'method' in value && value.method === 'GET',
  )
  .filter(({ name }) => !['getAuthStatus', 'getMusic', 'getBuild', 'getRelease'].includes(name))

const logo = page.getByRole('button', { name: 'Causeway', exact: true })
const found = page.getByRole('dialog', { name: 'Easter Egg Found' })
const title = page.getByRole('heading', { level: 1, name: 'Proxy Defense' })

function given(clicks: number): void {
  localStorage.setItem('proxy-defense-egg', String(clicks))
  answer(getAuthStatus, () => ({
    isLoginAllowed: true,
    isRegisterAllowed: false,
    tgAuth: null,
    oauth2: { providers: { github: false, pocketid: false, yandex: false } },
  }))
  answer(getMusic, () => ({ playlistUrl: null, serviceUrl: 'https://stream.example/' }))
  for (const read of HELD) hold(read)
}
const showLogin = () => showPage(LOGIN, { isSignedIn: false })

describe('the egg', () => {
  it('EGG-001 EGG-002 EGG-003 the hundredth click on the logo finds it, once', async () => {
    given(97)
    await showLogin()
    await logo.click()
    await expect.element(page.getByText('2 more')).toBeVisible()
    await logo.click()
    await expect.element(page.getByText('1 more')).toBeVisible()
    expect(isEggUnlocked()).toBe(false)
    await logo.click()
    await expect.element(found).toBeVisible()
    expect(isEggUnlocked()).toBe(true)
    for (const name of ['Close', 'Play Game']) await expect.element(found.getByText(name, { exact: true })).toBeVisible()
    expect(await violations('[role=dialog]')).toEqual([])
    await found.getByText('Close', { exact: true }).click()
    await expect.element(found).not.toBeInTheDocument()
    await logo.click()
    expect(eggClicks()).toBe(100)
    await expect.element(found).not.toBeInTheDocument()
  })

  it('EGG-001 counts by the keyboard as well, and goes on counting in this browser', async () => {
    given(0)
    await showLogin()
    // The form takes the focus when it comes.
    await expect.element(page.getByLabelText('Username')).toBeVisible()
    logo.element().focus()
    await userEvent.keyboard('{Enter}{Enter}  ')
    expect(eggClicks()).toBe(4)
    await showLogin()
    await logo.click()
    expect(eggClicks()).toBe(5)
  })

  it('hints more and more', async () => {
    given(0)
    await showLogin()
    await logo.click()
    await expect.element(page.getByText('Something stirs')).not.toBeInTheDocument()
    for (const [clicks, words] of [
      [9, 'Something stirs'],
      [29, 'Go on'],
      [50, 'More than half'],
      [79, 'Nearly there'],
      [89, '10 more'],
    ] as const) {
      localStorage.setItem('proxy-defense-egg', String(clicks))
      await logo.click()
      await expect.element(page.getByText(words)).toBeVisible()
    }
  })

  it('who is not signed in plays after signing in', async () => {
    given(99)
    const { address } = await showLogin()
    await logo.click()
    await expect.element(found).toMatchTextContent('once you have signed in')
    await found.getByRole('button', { name: 'Play Game' }).click()
    startSession('a token')
    await expect.element(title).toBeVisible()
    expect(address()).toBe(GAME)
  })

  it('EGG-003 EGG-005 the logo of the dashboard leads there, too', async () => {
    given(99)
    const { address } = await showPage(HOME)
    await logo.click()
    await found.getByRole('button', { name: 'Play Game' }).click()
    await expect.element(title).toBeVisible()
    expect(address()).toBe(GAME)
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await expect.poll(address).toBe(HOME)
    await logo.click()
    await expect.poll(address).toBe(GAME)
  })
})

describe('the page', () => {
  it('EGG-004 leads home while the egg is not found', async () => {
    given(99)
    const { address } = await showPage(GAME)
    await expect.poll(address).toBe(HOME)
    await expect.element(title).not.toBeInTheDocument()
  })

  it('SHELL-039 EGG-005 EGG-006 MUSIC-015 has the game, its music and the way home', async () => {
    given(100)
    const { address } = await showPage(GAME)
    await expect.element(page.getByRole('application', { name: 'Game board' })).toBeVisible()
    await expect.element(page.getByRole('region', { name: 'Music player' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Home', exact: true }).click()
    await expect.poll(address).toBe(HOME)
    await expect.element(page.getByRole('region', { name: 'Music player' })).not.toBeInTheDocument()
  })

  it('EGG-007 can be locked again', async () => {
    given(100)
    const { address } = await showPage(GAME)
    await page.getByRole('button', { name: 'Reset easter egg' }).click()
    await expect.poll(address).toBe(HOME)
    expect(eggClicks()).toBe(0)
  })

  it.each([
    ['wide', {}],
    ['on a phone', PHONE],
    ['wide in Persian', { language: 'fa' }],
    ['on a phone in Persian', { ...PHONE, language: 'fa' }],
    ['in light', { colorScheme: 'light' }],
  ] as const)('%s it fits and has no fault that a machine can find', async (_, view) => {
    given(100)
    await showPage(GAME, view)
    await expect.element(page.getByRole('application')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth)
    // The colours of the screen before may still be there for a moment.
    await expect.poll(() => violations(), { timeout: 10_000 }).toEqual([])
  })
})
