import AxeBuilder from '@axe-core/playwright'
import { accentShades, accentStyle, disableNode, updateInstallation } from '@causeway/contract'
import { expect, test } from './fixtures.ts'
import { watchRequests } from './stage/quiet.ts'

const PAGES = ['home', 'management/users', 'management/nodes', 'management/hosts', 'management/internal-squads']

test('the theme follows the system until somebody chooses, which is kept; nothing of either is hard to read', async ({
  page,
  api,
  makeUser,
  makeConfigProfile,
  makeNode,
}) => {
  await makeUser()
  const profile = await makeConfigProfile()
  await makeNode(profile)
  await api(disableNode, { uuid: (await makeNode(profile)).uuid })
  const scheme = () => page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto('/dashboard/home')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await scheme()).toBe('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(scheme).toBe('dark')

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Light' }).click()
  await expect.poll(scheme).toBe('light')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await scheme()).toBe('light')
  const isQuiet = watchRequests(page)
  for (const path of PAGES) {
    await page.goto(`/dashboard/${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await isQuiet() // what is coming looks different
    await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
    // Everything else that axe looks at is the same in both themes and is looked at screen by screen; so is what is around them.
    const colours = new AxeBuilder({ page }).withRules(['color-contrast'])
    if (path !== PAGES[0]) colours.include('main')
    expect((await colours.analyze()).violations, path).toEqual([])
  }
})

test.describe('a stranger', () => {
  test.use({ isSignedIn: false })

  test('the accent of the operator stands in the document, before any code, and holds in both themes at sign-in', async ({
    page,
    session,
  }) => {
    const accent = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'))
    const shades = { dark: accentShades('#ffee00', 'dark').accent, light: accentShades('#ffee00', 'light').accent }
    await session.api(updateInstallation, { accent: '#ffee00' })
    try {
      const sent = await (await page.request.get('/auth/login', { headers: { accept: 'text/html' } })).text()
      expect(sent).toContain(accentStyle('#ffee00'))
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.goto('/auth/login')
        await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
        expect(await accent()).toBe(shades[colorScheme])
        const { violations } = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze()
        expect(violations).toEqual([])
      }
    } finally {
      await session.api(updateInstallation, { accent: null })
    }
    expect(await (await page.request.get('/auth/login', { headers: { accept: 'text/html' } })).text()).not.toContain(
      'id="accent"',
    )
  })
})
