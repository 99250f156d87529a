import { listInternalSquads } from '@causeway/contract'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { startFaultProxy, type Fault, type FaultProxy } from './stage/fault-proxy.ts'
import { uniqueName } from './stage/seeding.ts'

const SQUADS = '/dashboard/management/internal-squads'
const SQUADS_API = '/api/internal-squads'
const UNKNOWN = 'Request failed with unknown error.'
const alerts = (page: Page) => page.getByRole('alert')

async function expectColor(toast: Locator, name: 'red' | 'teal'): Promise<void> {
  const [shown, wanted] = await toast.evaluate(
    (element, color) => [
      getComputedStyle(element).getPropertyValue('--notification-color'),
      getComputedStyle(document.documentElement).getPropertyValue(`--mantine-color-${color}-6`),
    ],
    name,
  )
  expect(shown).toBe(wanted)
}

/** The squads page behind a proxy that may break the one call of it; toasts are told apart by their titles. */
async function openSquads(page: Page, proxy: FaultProxy, token: string): Promise<void> {
  await page.addInitScript((given) => localStorage.setItem('session', given), token)
  await page.goto(`${proxy.origin}${SQUADS}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Internal squads')
}

const failures: { what: string; effect: Fault['effect']; message: string }[] = [
  {
    what: 'a refusal with a message says it',
    effect: { kind: 'answer', status: 500, body: { message: 'The squads are on strike', errorCode: 'A120' } },
    message: 'The squads are on strike',
  },
  { what: 'a refusal without a message', effect: { kind: 'answer', status: 500, body: {} }, message: UNKNOWN },
  { what: 'a connection that breaks', effect: { kind: 'drop' }, message: UNKNOWN },
  { what: 'half an answer', effect: { kind: 'malform' }, message: UNKNOWN },
  {
    what: 'an answer of another form',
    effect: { kind: 'answer', status: 200, body: { response: { total: 'many', internalSquads: {} } } },
    message: UNKNOWN,
  },
]
for (const { what, effect, message } of failures) {
  test(`ERR-003 ERR-004 ERR-005 CALL-013 a failing read shows one red toast named after it: ${what}`, async ({
    page,
    panel,
    session,
  }) => {
    const proxy = await startFaultProxy(panel.origin)
    const repair = proxy.inject({ path: SQUADS_API, effect })
    await openSquads(page, proxy, session.token)
    const toast = alerts(page).filter({ hasText: 'Get Internal Squads' })
    await expect(toast).toHaveCount(1)
    await expect(toast).toContainText(message)
    await expectColor(toast, 'red')
    await page.getByRole('button', { name: 'Refresh internal squads' }).click()
    await expect(toast).toHaveCount(1)
    expect(await page.evaluate(() => localStorage.getItem('session'))).toBe(session.token)

    repair()
    const answered = page.waitForResponse((response) => response.url().endsWith(SQUADS_API) && response.ok())
    await page.getByRole('button', { name: 'Refresh internal squads' }).click()
    await answered
    await expect(page.getByText('could not be loaded')).toHaveCount(0)
    await proxy.close()
  })
}

test('ERR-003 ERR-004 ERR-005 ERR-008 a failing write says the server’s words and leaves the dialog as it was', async ({
  page,
  makeInternalSquad,
}) => {
  const taken = await makeInternalSquad({ name: uniqueName('sq') })
  await page.goto(`${SQUADS}?create=new`)
  const dialog = page.getByRole('dialog', { name: 'New internal squad' })
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.postDataJSON())
  })
  await dialog.getByLabel('Name').fill(taken.name)
  const refused = page.waitForResponse((response) => response.request().method() === 'POST')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const { message } = await (await refused).json()
  await expect(alerts(page).filter({ hasText: 'Create Internal Squad' })).toContainText(message)
  await expect(dialog.getByLabel('Name')).toHaveValue(taken.name)
  await expect(dialog.getByRole('button', { name: 'Create' })).toBeEnabled()
  expect(sent).toHaveLength(1)
})

test('ERR-006 ERR-007 what was created, updated and deleted is said in teal', async ({ page, api }) => {
  const name = uniqueName('sq')
  await page.goto(`${SQUADS}?create=new`)
  const modal = page.getByRole('dialog', { name: 'New internal squad' })
  await modal.getByLabel('Name').fill(name)
  await modal.getByRole('button', { name: 'Create' }).click()
  const toast = alerts(page).filter({ hasText: 'Internal squad created successfully' })
  await expect(toast).toBeVisible()
  await expectColor(toast, 'teal')
  expect((await api(listInternalSquads, {})).internalSquads.map((squad) => squad.name)).toContain(name)
})

test('SHELL-063 SHELL-064 a page that cannot be drawn shows the 500 page, whose button loads it anew', async ({
  page,
  panel,
  session,
}) => {
  const proxy = await startFaultProxy(panel.origin)
  await page.addInitScript((given) => localStorage.setItem('session', given), session.token)
  const repair = proxy.inject({ path: /^\/assets\/hosts-page/, effect: { kind: 'answer', status: 500, body: {} } })
  await page.goto(`${proxy.origin}/dashboard/management/hosts`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something bad just happened...')
  await expect(page.getByText('Try to refresh the page.')).toBeVisible()
  repair()
  await page.getByRole('button', { name: 'Refresh the page' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hosts')
  await proxy.close()
})
