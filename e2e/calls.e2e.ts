import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { watchRequests } from './stage/quiet.ts'

/** Pages of management whose dialog for a new thing is opened by the address. */
const WITH_DIALOG = ['users', 'internal-squads', 'config-profiles', 'hosts', 'nodes', 'api-tokens']
const SIGN_IN_SCRIPT_LIMIT_BYTES = 150_000

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Every address the page asks for from now on that does not lie at the panel itself, web sockets included. */
function foreignRequests(page: Page, origin: string): string[] {
  const foreign: string[] = []
  const note = (address: string): void => {
    const { protocol, host } = new URL(address)
    const isHeld = protocol === 'data:' || protocol === 'blob:'
    if (!isHeld && host !== new URL(origin).host) foreign.push(address)
  }
  page.on('request', (request) => note(request.url()))
  page.on('websocket', (socket) => note(socket.url()))
  return foreign
}

test('SHELL-004 CALL-001 CALL-021 CALL-024 whatever the menu leads to, the browser asks nobody but the panel, and nothing tries to', async ({
  page,
  panel,
  makeConfigProfile,
  makeHost,
  makeInternalSquad,
  makeNode,
  makeUser,
}) => {
  test.slow() // it opens every page
  const profile = await makeConfigProfile()
  await Promise.all([makeHost(profile), makeInternalSquad(), makeNode(profile), makeUser()])
  const foreign = foreignRequests(page, panel.origin)
  const texts: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/locales/')) texts.push(`${request.method()} ${pathname}`)
  })
  const complaints: string[] = []
  page.on('console', (message) => {
    // The recorder of traces puts a script into every frame, which the sandbox of a preview rightly refuses.
    const isRecorder = message.text().includes("'about:srcdoc'")
    if (message.type() === 'error' && !isRecorder) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  const isQuiet = watchRequests(page)
  await page.goto('/dashboard/home')
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  const links = menu.getByRole('link')
  await expect(links.first()).toBeVisible()
  const closed = menu.getByRole('button', { expanded: false })
  for (let left = await closed.count(); left > 0; left--) await closed.first().click()
  await expect(menu.getByRole('link', { name: 'Nodes statistics' })).toBeVisible()
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const pages = paths.filter((path) => path.startsWith('/dashboard/'))
  expect(pages.length).toBeGreaterThan(15)
  const editor = `/dashboard/management/config-profiles/${profile.uuid}`
  for (const path of pages) {
    await menu.locator(`a[href="${path}"]`).click()
    await expect(page).toHaveURL(({ pathname }) => pathname === new URL(path, panel.origin).pathname)
    await expect(heading(page)).toBeVisible()
    await expect(menu.locator(`a[href="${path}"]`)).toHaveAttribute('aria-current', 'page')
    await isQuiet()
  }
  for (const path of [editor, ...WITH_DIALOG.map((each) => `/dashboard/management/${each}?create=new`)]) {
    await page.goto(path)
    await expect(heading(page)).toBeVisible()
    await isQuiet()
  }
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
  expect(texts).toContain('GET /locales/en/shell.json')
  expect(texts).toContain('GET /locales/en/nodes.json')
  for (const text of texts) expect(text).toMatch(/^GET \/locales\/(en|ru|fa|zh)\/[a-z-]+\.json$/)
})

test('a page names the files of its code and its texts in its head, and opened again asks for its rows before that code is there', async ({
  page,
  makeUser,
}) => {
  await makeUser()
  // As the page writes it: what was read is kept for the address at which it was read.
  const users = '/dashboard/management/users?size=25'
  const head = await (await page.request.get(users, { headers: { accept: 'text/html' } })).text()
  expect(head).toMatch(/rel="modulepreload"[^>]* href="\/assets\/users-page-/)
  expect(head).toMatch(/data-texts="shell [^"]*users/)
  const rows = page.locator('main tbody tr[aria-rowindex]').first()
  await page.goto(users)
  await expect(rows).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('firstReads'))).toContain('/api/users?')
  const order: string[] = []
  page.on('request', (request) => order.push(new URL(request.url()).pathname))
  await page.reload()
  await expect(rows).toBeVisible()
  expect(order.filter((one) => one === '/api/users')).toHaveLength(1)
  // The stream is the first thing that the page's own code asks for.
  await expect.poll(() => order.indexOf('/api/x/events')).toBeGreaterThan(order.indexOf('/api/users'))
  // So does one whose address names what it shows, with what its route begins.
  const profile = '/dashboard/management/config-profiles/4f0c0f8e-7a63-4d5c-9d57-1f6f1f0f3a11'
  const editor = await (await page.request.get(profile, { headers: { accept: 'text/html' } })).text()
  expect(editor).toMatch(/rel="modulepreload"[^>]* href="\/assets\/config-profile-editor-page-/)
  expect(editor).toMatch(/rel="modulepreload"[^>]* href="\/assets\/code-editor-canvas-/)
  expect(editor).toMatch(/data-texts="shell [^"]*profile-editor/)
  // A stranger's page names nothing of that.
  const plain = await (await page.request.get('/auth/login', { headers: { accept: 'text/html' } })).text()
  expect(plain).not.toContain('users-page')
})

test('while the panel’s own code does not come, the page says that the server is away, and opens by itself', async ({ page }) => {
  const OFF = ['**/assets/panel-*.js', '**/health']
  for (const path of OFF) await page.route(path, (route) => route.fulfill({ status: 502 }))
  await page.goto('/dashboard/home')
  await expect(page.getByText('The server cannot be reached.')).toBeVisible()
  for (const path of OFF) await page.unroute(path)
  await page.getByRole('button', { name: 'Open it now' }).click()
  await expect(heading(page)).toBeVisible()
  // One that is merely late is seen to come.
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(OFF[0] ?? '', (route) => promise.then(() => route.continue()))
  await page.reload()
  await expect(page.getByRole('progressbar')).toBeVisible()
  resolve()
  await expect(heading(page)).toBeVisible()
})

for (const isDataSaved of [false, true]) {
  test.describe(isDataSaved ? 'who saves data' : 'who does not save data', () => {
    test.use({ isDataSaved })

    test(`is sent the code of ${isDataSaved ? 'this page alone' : 'other pages too, once this one rests'}`, async ({ page }) => {
      const isQuiet = watchRequests(page)
      await page.goto('/dashboard/home')
      await expect(heading(page)).toBeVisible()
      const hasOthers = () =>
        page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /\/devices-page-/.test(name)))
      if (isDataSaved) {
        await isQuiet()
        expect(await hasOthers()).toBe(false)
      } else await expect.poll(hasOthers).toBe(true)
    })
  })
}

test.describe('a stranger', () => {
  test.use({ isSignedIn: false })

  test('gets the sign-in page with less than 150 kB of compressed JavaScript', async ({ page }) => {
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
    // What comes after signing in is fetched while somebody types.
    const panel = page.waitForResponse((response) => response.url().includes('/panel-'))
    await page.getByLabel('Username').fill('a')
    expect((await panel).ok()).toBe(true)
  })

  test('CALL-001 CALL-024 the pages before signing in ask nobody but the panel either', async ({ page, panel, session }) => {
    expect(session.token).not.toBe('')
    const foreign = foreignRequests(page, panel.origin)
    for (const path of ['/', '/auth/login', '/oauth2/callback/github', '/nowhere']) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
    }
    expect(foreign).toEqual([])
  })
})

for (const { system, red, isFetched } of [
  { system: 'draws flags', red: 200, isFetched: false },
  { system: 'has no flags among its emoji', red: 0, isFetched: true },
]) {
  test(`CALL-022 where the browser ${system}, the flag font is ${isFetched ? 'fetched, from the panel itself' : 'left alone'}`, async ({
    page,
    panel,
  }) => {
    // What a system draws cannot be chosen: the first pixel of the flag that the page draws to find out is.
    await page.addInitScript((given) => {
      CanvasRenderingContext2D.prototype.getImageData = (_x, _y, width, height) => {
        const image = new ImageData(width, height)
        image.data[0] = given
        return image
      }
    }, red)
    const fonts: string[] = []
    page.on('request', (request) => {
      if (/flags.*\.woff2$/i.test(request.url())) fonts.push(request.url())
    })
    const isQuiet = watchRequests(page)
    await page.goto('/dashboard/management/nodes')
    await expect(heading(page)).toHaveText('Nodes')
    await isQuiet()
    await expect.poll(() => fonts).toHaveLength(isFetched ? 1 : 0)
    for (const font of fonts) expect(new URL(font).origin).toBe(panel.origin)
  })
}
