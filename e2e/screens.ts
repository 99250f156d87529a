// npm run screens: the pictures of docs/screens, taken of the demo in a browser.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type Page } from '@playwright/test'
import { getAccount, getAuthStatus, listHosts, listNodes, listUsers } from '@causeway/contract'
import { apiClient } from './stage/api-client.ts'
import { registerAdmin, ADMIN } from './stage/panel.ts'
import { freePort } from './stage/processes.ts'
import { ensureChromium } from '../scripts/chromium.ts'
import { root } from '../scripts/steps.ts'

const START_LIMIT_MS = 900_000
/** Of a page, on a machine that does other things beside. */
const PAGE_LIMIT_MS = 120_000
const REST_LIMIT_MS = 8000
/** Until the nodes of the demo have been read a few times. */
const FIRST_READINGS_MS = 45_000
/** Charts grow into place, and pictures arrive. */
const SETTLE_MS = 2500

let accountUuid = ''
const DESKTOP = { width: 1440, height: 900 }
const MONITOR = { width: 1920, height: 1080 }
const PHONE = { width: 390, height: 844 }

interface Screen {
  name: string
  path: string
  scheme: 'dark' | 'light'
  size?: typeof DESKTOP
  language?: 'fa'
}

ensureChromium()
const folder = mkdtempSync(path.join(tmpdir(), 'causeway-screens-'))
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const server = spawn(process.execPath, ['scripts/run.mjs', 'scripts/causeway.ts', 'start', '--demo'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, PORT: String(port), DATA_DIR: folder },
})
try {
  await untilReady()
  const screens = await screensOf(await registerAdmin(origin))
  console.log('Waiting for the first readings of the nodes ...')
  await sleep(FIRST_READINGS_MS)
  const browser = await chromium.launch({
    args: ['--no-sandbox'],
    ...(process.env['CHROMIUM'] === undefined ? {} : { executablePath: process.env['CHROMIUM'] }),
  })
  mkdirSync(path.join(root, 'docs/screens'), { recursive: true })
  for (const screen of screens) await take(browser, screen)
  await browser.close()
} finally {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
  rmSync(folder, { recursive: true, force: true })
}

async function untilReady(): Promise<void> {
  for (const end = Date.now() + START_LIMIT_MS; ; await sleep(1000)) {
    const isReady = await apiClient(origin)(getAuthStatus, {}).then(
      () => true,
      () => false,
    )
    if (isReady) return
    if (Date.now() > end || server.exitCode !== null) throw new Error('The demo did not start.')
  }
}

async function screensOf(token: string): Promise<Screen[]> {
  const call = apiClient(origin, token)
  const { users } = await call(listUsers, {
    start: 0,
    size: 1,
    sorting: [{ id: 'lifetimeUsedTrafficBytes', desc: true }],
  } as never)
  accountUuid = (await call(getAccount, {})).uuid
  const [user] = users
  const node = (await call(listNodes, {})).find(({ name }) => name.startsWith('Warsaw'))
  const host = (await call(listHosts, {}))[0]
  if (!user || !node || !host) throw new Error('The demo lacks a user, a node or a host.')
  const management = '/dashboard/management'
  return [
    { name: 'home', path: '/dashboard/home', scheme: 'dark' },
    { name: 'users', path: `${management}/users`, scheme: 'light' },
    { name: 'user', path: `${management}/users/${user.uuid}`, scheme: 'dark' },
    { name: 'nodes', path: `${management}/nodes`, scheme: 'dark' },
    { name: 'node', path: `${management}/nodes/${node.uuid}`, scheme: 'light' },
    { name: 'map', path: `${management}/nodes?view=map`, scheme: 'light' },
    {
      name: 'config-profile',
      path: `${management}/config-profiles/${node.configProfile.activeConfigProfileUuid}`,
      scheme: 'dark',
    },
    { name: 'wall', path: '/wall', scheme: 'dark', size: MONITOR },
    { name: 'statistics', path: `${management}/stats/nodes`, scheme: 'dark' },
    { name: 'phone', path: '/dashboard/home', scheme: 'dark', size: PHONE },
    { name: 'phone-fa', path: `${management}/users/${user.uuid}`, scheme: 'light', size: PHONE, language: 'fa' },
    { name: 'subscription-page', path: new URL(user.subscriptionUrl).pathname, scheme: 'light', size: PHONE },
  ]
}

async function take(browser: Browser, { name, path: at, scheme, size = DESKTOP, language }: Screen): Promise<void> {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, reducedMotion: 'reduce' })
  context.setDefaultTimeout(PAGE_LIMIT_MS)
  const page = await context.newPage()
  await page.addInitScript((chosen) => localStorage.setItem('colorScheme', chosen), scheme)
  // Each picture is a sign-in of its own, which the next ones would tell of.
  await page.addInitScript((uuid) => localStorage.setItem(`causeway.alerts-seen.${uuid}`, '1e9'), accountUuid)
  if (at.startsWith('/dashboard') || at === '/wall') await signIn(page, language)
  await page.goto(`${origin}${at}`)
  await page.waitForLoadState('networkidle', { timeout: REST_LIMIT_MS }).catch(() => {}) // pages with a stream never rest
  await sleep(SETTLE_MS)
  await page.screenshot({ path: path.join(root, `docs/screens/${name}.png`) })
  console.log(`docs/screens/${name}.png`)
  await context.close()
}

async function signIn(page: Page, language: string | undefined): Promise<void> {
  await page.goto(origin)
  if (language !== undefined) await page.evaluate((chosen) => localStorage.setItem('i18nextLng', chosen), language)
  await page.locator('input[name=username], input[autocomplete=username]').first().fill(ADMIN.username)
  await page.locator('input[type=password]').first().fill(ADMIN.password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL('**/dashboard/**')
}
