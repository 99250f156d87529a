import { createLimitedApiToken, getAuthStatus, getWall, type Wall } from '@causeway/contract'
import { beforeEach, afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, disconnect, refuse, requests } from '../../../test/fake-api.ts'
import { sampleNode, uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

const WALL = '/wall#token=abc.def'
const MONITOR = { width: 1920, height: 1080 } as const
const GIB = 1024 ** 3
const starts = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 10, 21, hour)).toISOString())
let wall: Wall

beforeEach(() => {
  answerSmallPanel()
  const nodes = [
    sampleNode({ uuid: uuid(401), name: 'Warsaw', countryCode: 'PL', usersOnline: 7 }),
    sampleNode({ uuid: uuid(402), name: 'Tokyo', countryCode: 'JP', isConnected: false, isNodeOnline: false }),
  ]
  wall = getWall.response.parse({
    release: 'one',
    now: new Date().toISOString(),
    onlineNow: 7,
    nodes,
    needs: { usersNearLimit: 3, usersExpiring: 0, billsDue: 0, failedRollouts: 0, isBackupFailed: false },
    history: {
      timeZone: 'Europe/Warsaw',
      step: 'hour',
      starts,
      nodes: [{ uuid: uuid(401), name: 'Warsaw', countryCode: 'PL', bytes: starts.map((_, at) => at * GIB) }],
      usersOnline: starts.map((_, at) => at),
    },
  })
  answer(getWall, () => wall)
})
afterEach(() => {
  vi.useRealTimers()
})

it('a link opens the wall without a session: the sentence, what needs attention, the chart, the fleet and the map', async () => {
  await showPage(WALL, { ...MONITOR, isSignedIn: false })
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent(/^1 of 2 nodes serve\. 7 users online\.$/)
  const needs = page.getByRole('region', { name: 'Needs attention' })
  await expect.element(needs).toMatchTextContent(/Tokyo ?is down.*3 users are near their traffic limit/)
  await expect.element(page.getByRole('region', { name: 'Nodes', exact: true })).toMatchTextContent(/Tokyo.*Down.*Warsaw/)
  await expect.poll(() => document.querySelectorAll('figure svg g').length).toBeGreaterThan(1)
  await expect.element(page.getByRole('region', { name: 'Traffic and users online' }).getByRole('img')).toBeVisible()
  await expect.element(page.getByText('Europe/Warsaw')).toBeVisible()
  // Nothing to press but what fills the screen.
  expect(page.getByRole('link').elements()).toEqual([])
  expect(
    page
      .getByRole('button')
      .elements()
      .map((one) => one.getAttribute('aria-label')),
  ).toEqual(['Full screen'])
  expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark')
})

it('without a connection it says since when, keeps the figures and wakes by itself', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], shouldAdvanceTime: true })
  await showPage(WALL, { ...MONITOR, isSignedIn: false })
  await expect.element(page.getByText('7 users online.', { exact: false })).toBeVisible()
  disconnect(getWall)
  await vi.advanceTimersByTimeAsync(11_000)
  await expect.element(page.getByText(/No connection since \d+:\d\d/)).toBeVisible()
  await expect.element(page.getByText('7 users online.', { exact: false })).toBeVisible()
  answer(getWall, () => ({ ...wall, onlineNow: 8 }))
  await vi.advanceTimersByTimeAsync(11_000)
  await expect.element(page.getByText('8 users online.', { exact: false })).toBeVisible()
  await expect.element(page.getByText(/No connection since/)).not.toBeInTheDocument()
})

it('without nodes it says so in one sentence', async () => {
  wall = { ...wall, nodes: [], history: { ...wall.history, nodes: [] } }
  await showPage(WALL, { ...MONITOR, isSignedIn: false })
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('No nodes yet')
  expect(page.getByRole('figure').elements()).toEqual([])
})

it('a link that was withdrawn closes the wall with a sentence, and no figure stays', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], shouldAdvanceTime: true })
  const screen = await showPage(WALL, MONITOR)
  await expect.element(page.getByText('7 users online.', { exact: false })).toBeVisible()
  refuse(getWall, { status: 403, message: 'Forbidden resource' })
  await vi.advanceTimersByTimeAsync(11_000)
  await expect.element(page.getByText('This wall is closed')).toBeVisible()
  await expect.element(page.getByText('7 users online.', { exact: false })).not.toBeInTheDocument()
  // The session of an administrator on the same browser goes on.
  expect(screen.address()).toContain('/wall')
  expect(localStorage.getItem('session')).not.toBeNull()
})

it('without a link and a session the wall asks to sign in; with a session it opens', async () => {
  answer(getAuthStatus, () => ({
    isLoginAllowed: true,
    isRegisterAllowed: false,
    tgAuth: null,
    oauth2: { providers: { github: false, pocketid: false, yandex: false } },
  }))
  const screen = await showPage('/wall', { isSignedIn: false })
  await expect.poll(screen.address).toContain('/auth/login')
  await showPage('/wall', MONITOR)
  await expect.element(page.getByText('7 users online.', { exact: false })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Back to the panel' })).toBeInTheDocument()
})

it('a link is made for a token that opens the wall alone, and is shown once', async () => {
  answer(createLimitedApiToken, () => ({ uuid: uuid(900), token: 'ey.made' }))
  await showPage('/dashboard/home')
  await page.getByRole('button', { name: 'More about Home' }).click()
  await page.getByRole('menuitem', { name: 'Link for a wall' }).click()
  const modal = page.getByRole('dialog', { name: 'Link for a wall' })
  await modal.getByRole('textbox', { name: 'Name' }).fill('Hall')
  await modal.getByText('90 days').click()
  await modal.getByRole('button', { name: 'Create link' }).click()
  await expect
    .element(modal.getByRole('group', { name: 'Link', exact: true }))
    .toHaveTextContent(`${location.origin}/wall#token=ey.made`)
  await expect.element(modal.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  const [sent] = requests(createLimitedApiToken)
  expect(sent).toMatchObject({ tokenName: 'Hall', permissions: ['wall.read'], isShownOnce: true })
  expect(Math.round((Date.parse(sent?.expiresAt ?? '') - Date.now()) / 86_400_000)).toBe(90)
})

it.each([
  ['en', 'dark', MONITOR, MONITOR.height],
  ['fa', 'light', { width: 1440, height: 900 }, 900],
  // A phone scrolls.
  ['en', 'light', PHONE, Infinity],
] as const)('in %s, %s nothing is cut off and nothing hinders', async (language, colorScheme, size, height) => {
  await showPage(`/wall?theme=${colorScheme}#token=abc.def`, { language, ...size, isSignedIn: false })
  await expect.poll(() => document.querySelectorAll('figure svg g').length).toBeGreaterThan(1)
  expect(document.documentElement.dataset['mantineColorScheme']).toBe(colorScheme)
  expect(await violations()).toEqual([])
  await expect.poll(() => document.documentElement.scrollWidth - window.innerWidth).toBeLessThanOrEqual(0)
  expect(document.documentElement.scrollHeight).toBeLessThanOrEqual(height)
})
