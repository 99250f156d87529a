import { expect, test } from './fixtures.ts'

const PAGES = [
  'home',
  'management/users',
  'management/internal-squads',
  'management/config-profiles',
  'management/hosts',
  'management/nodes',
  'management/bandwidth-table',
  'management/stats/nodes',
  'management/metrics/nodes',
  'management/api-tokens',
  'management/subscription-settings',
  'templates/xray-json',
  'templates/mihomo',
]
const SIGN_IN_SCRIPT_LIMIT_BYTES = 200_000

test('a browse through every page asks nobody but the panel itself, and nothing is refused by its policy', async ({
  page,
  panel,
  makeConfigProfile,
  makeInternalSquad,
  makeUser,
  makeNode,
  makeHost,
}) => {
  const profile = await makeConfigProfile()
  await makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  await makeNode(profile)
  await makeHost(profile)
  await makeUser()
  const foreign: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== panel.origin) foreign.push(request.url())
  })
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  for (const path of PAGES) {
    await page.goto(`/dashboard/${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
  }
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
})

test.describe('a stranger', () => {
  test.use({ isSignedIn: false })

  test('gets the sign-in page with less than 200 kB of compressed JavaScript', async ({ page }) => {
    const sizes: Promise<number>[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('.js'))
        sizes.push(
          response
            .request()
            .sizes()
            .then((size) => size.responseBodySize),
        )
    })
    await page.goto('/auth/login')
    await expect(page.getByLabel('Username')).toBeVisible()
    await page.waitForLoadState('networkidle')
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(10_000)
    expect(total).toBeLessThan(SIGN_IN_SCRIPT_LIMIT_BYTES)
  })
})
