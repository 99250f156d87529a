import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { ADMIN } from './stage/panel.ts'

const GAME = '/dashboard/proxy-defense'

test.describe('a stranger', () => {
  test.use({ isSignedIn: false })

  test('EGG-001 EGG-002 EGG-003 EGG-005 GAME-027 GAME-054 MUSIC-015 clicks the logo a hundred times, signs in and plays, with music', async ({
    page,
  }) => {
    const complaints = watch(page)
    const loaded: string[] = []
    page.on('response', (response) => loaded.push(new URL(response.url()).pathname))
    await page.goto('/auth/login')
    await expect(page.getByLabel('Username')).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(loaded.filter((path) => path.includes('proxy-defense'))).toEqual([])

    const logo = page.getByRole('button', { name: 'Causeway', exact: true })
    await logo.focus()
    for (let presses = 0; presses < 100; presses += 1) await page.keyboard.press('Enter')
    const found = page.getByRole('dialog', { name: 'Easter Egg Found' })
    await found.getByRole('button', { name: 'Play Game' }).click()
    await expect(found).toHaveCount(0)
    await page.getByLabel('Username').fill(ADMIN.username)
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
    await page.getByRole('button', { name: 'Sign in' }).click()

    await expect(page).toHaveURL(GAME)
    await page.getByRole('button', { name: 'Start Defense' }).click()
    const offer = page.getByRole('button', { name: /^Proxy/ })
    await offer.click()
    await expect(offer).toHaveAttribute('aria-pressed', 'true')
    await page.getByRole('application', { name: 'Game board' }).click({ position: { x: 480, y: 200 } })
    await expect(page.getByRole('status', { name: 'News of the game' })).toContainText('Proxy built')

    const player = page.getByRole('region', { name: 'Music player' })
    await player.getByRole('button', { name: 'Play', exact: true }).click()
    await expect(player.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    expect(complaints).toEqual([])
  })
})

test('EGG-004 EGG-006 EGG-007 who has not found the egg, or has locked it again, is led home', async ({ page }) => {
  await page.goto('/dashboard/management/hosts')
  await page.goto(GAME)
  await expect(page).toHaveURL('/dashboard/home')
  await page.evaluate(() => localStorage.setItem('proxy-defense-egg', '100'))
  await page.goto(GAME)
  await page.getByRole('main').getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page).toHaveURL('/dashboard/home')
  await page.goBack()
  await page.getByRole('button', { name: 'Reset easter egg' }).click()
  await expect(page).toHaveURL('/dashboard/home')
  await page.goto(GAME)
  await expect(page).toHaveURL('/dashboard/home')
  // Replaced, not passed through: the way back does not lead to the locked page again and again.
  await page.goBack()
  await expect(page).toHaveURL('/dashboard/home')
})

/** What the browser complains about, such as what the page's policy forbids. */
function watch(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}
