import { expect, test } from '@playwright/test'
import { startOAuthProvider } from './stage/oauth-provider.ts'
import { registerAdmin, startPanel } from './stage/panel.ts'

for (const { who, isAllowed } of [
  { who: 'ann@example.com', isAllowed: true },
  { who: 'mallory@example.com', isAllowed: false },
]) {
  test(`AUTH-021 signing in by a code host ${isAllowed ? 'lets the administrator in' : 'keeps a stranger out'}`, async ({
    page,
  }) => {
    const provider = await startOAuthProvider(who)
    const panel = await startPanel({
      env: {
        OAUTH2_GITHUB_ENABLED: 'true',
        OAUTH2_GITHUB_CLIENT_ID: 'id',
        OAUTH2_GITHUB_CLIENT_SECRET: 'secret',
        OAUTH2_GITHUB_ALLOWED_EMAILS: '["ann@example.com"]',
        OAUTH2_BASE_URL: provider.origin,
      },
    })
    provider.setCallback(`${panel.origin}/oauth2/callback/github`)
    await registerAdmin(panel.origin)
    await page.goto(`${panel.origin}/auth/login`)
    const back = page.waitForURL(/\/oauth2\/callback\/github/)
    await page.getByRole('button', { name: /GitHub/ }).click()
    await back
    await expect(page).toHaveURL(isAllowed ? /\/dashboard\/home$/ : /\/auth\/login$/)
    expect(await page.evaluate(() => localStorage.getItem('session') !== null)).toBe(isAllowed)
    await panel.close()
    await provider.close()
  })
}
