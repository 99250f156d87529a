import { expect, test } from './fixtures.ts'

/** What the editors are made of, whatever the build calls the rest of the names. */
const EDITOR_FILE = /\/assets\/(editor|code-editor|json\.worker)[^/]*\.(js|css)$/

test('CALL-023 TMPL-023: the code editor is loaded where it is shown, from the panel itself, and what is saved with it stays', async ({
  page,
  panel,
}) => {
  const loaded: string[] = []
  const foreign: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (EDITOR_FILE.test(url.pathname)) loaded.push(url.pathname)
    if (url.protocol.startsWith('http') && url.origin !== panel.origin) foreign.push(request.url())
  })
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  for (const path of ['home', 'management/users', 'management/config-profiles']) {
    await page.goto(`/dashboard/${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  }
  expect(loaded).toEqual([])
  await page.goto('/dashboard/templates/mihomo')
  const editor = page.getByRole('textbox', { name: /^Template Mihomo/ })
  await expect(editor).toBeAttached()
  expect(loaded.length).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Select all' }).click()
  await expect(editor).toBeFocused()
  await page.keyboard.press('Delete')
  await page.keyboard.type('mode: rule # of a journey')
  // Checked by the worker that the policy lets in.
  await expect(page.getByText('No problems found')).toBeVisible()
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog', { name: 'Save the template?' }).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Template updated successfully')).toBeVisible()
  await page.reload()
  await expect(page.locator('.view-line').filter({ hasText: 'of a journey' })).toBeVisible()
  await page.getByRole('button', { name: 'Revisions' }).click()
  await expect(page.getByRole('dialog', { name: 'Revisions' }).getByRole('button', { name: /^Revision 2/ })).toBeVisible()
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
})
