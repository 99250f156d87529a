import {
  createApiToken,
  getSubscriptionTemplate,
  listBackups,
  listHosts,
  listTemplateRevisions,
  listUsers,
  updateSubscriptionTemplate,
} from '@causeway/contract'
import { expect, test, type Locator } from '@playwright/test'
import { openPerson } from './stage/people.ts'
import { ADMIN, signedIn, startPanel, type Panel, type SignedIn } from './stage/panel.ts'
import type { Person } from './stage/person.ts'

// What an operator does on an ordinary day, from what is seen, by mouse: each task with the steps it may take. One server, which
// begins empty, for all of them; they follow each other as a first week would.

const HOME = '/dashboard/home'
const CSV = ['username,expireAt,tag', 'anna,,GOLD', 'ben_new,2090-01-01,GOLD', 'cat_new,,'].join('\n')

test.describe.configure({ mode: 'serial' })

let panel: Panel
let admin: SignedIn
let who: Person

test.beforeAll(async ({ browser }) => {
  // Backups are made of a database of our own.
  panel = await startPanel({ database: 'embedded' })
  admin = await signedIn(panel)
  who = await openPerson(browser, panel, admin, 'mouse')
})
test.afterAll(async () => {
  await who.page.context().close()
  await panel.close()
})

/** Begins at the address and may take so many steps. */
async function within(most: number, from: string, task: () => Promise<void>): Promise<void> {
  await who.page.goto(from)
  await expect(who.page.getByRole('heading', { level: 1 })).toBeVisible()
  const before = who.steps()
  await task()
  const steps = who.steps() - before
  console.log(`${test.info().title}: ${steps} steps of ${most}`)
  expect(steps).toBeLessThanOrEqual(most)
}

const button = (of: Pick<Locator, 'getByRole'>, name: string | RegExp) => of.getByRole('button', { name, exact: true })
const dialog = (name: string | RegExp) => who.page.getByRole('dialog', { name })
const openUser = async (name: string) => {
  await who.goTo('Users')
  await who.choose(who.page.getByRole('main').getByText(name, { exact: true }).last())
  return dialog(name)
}

test('first sale: from an empty installation to a working link for a customer', async () => {
  const { page } = who
  await within(11, HOME, async () => {
    const steps = page.getByRole('region', { name: 'First steps' })
    await who.choose(steps.getByRole('link', { name: 'Add a node' }))
    const node = dialog('New node')
    await who.type(node.getByRole('textbox', { name: 'Name' }), 'Warsaw')
    await who.type(node.getByRole('textbox', { name: 'Address', exact: true }), 'warsaw.example.com')
    // The profile that is offered first has keys of its own.
    await expect(node.getByText('VLESS-REALITY')).toBeVisible()
    await expect(node.getByRole('group', { name: 'Install and start the agent' })).toContainText('npm run agent')
    await who.choose(button(node, 'Create'))
    await expect(node).toHaveCount(0)
    await page.goto(HOME)
    await who.choose(steps.getByRole('link', { name: 'Add a host' }))
    const host = dialog('New host')
    await expect(host.getByRole('textbox', { name: 'Address', exact: true })).toHaveValue('warsaw.example.com')
    await expect(host.getByRole('textbox', { name: 'Port' })).toHaveValue('443')
    await who.type(host.getByRole('textbox', { name: 'Remark' }), 'Poland')
    await who.choose(button(host, 'Create'))
    await expect(host).toHaveCount(0)
    await page.goto(HOME)
    await who.choose(steps.getByRole('link', { name: 'Add a user' }))
    const user = dialog('New user')
    await who.type(user.getByRole('textbox', { name: 'Username' }), 'anna')
    await who.choose(button(user, 'Create user'))
    await expect(dialog('Access for anna')).toBeVisible()
  })
  const [anna] = (await admin.api(listUsers, {})).users
  const days = (Date.parse(anna?.expireAt ?? '') - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(27)
  expect(days).toBeLessThan(32)
  const reply = await fetch(anna?.subscriptionUrl ?? '', { headers: { 'user-agent': 'v2rayNG/1.10.5' } })
  const links = Buffer.from(await reply.text(), 'base64').toString('utf8')
  expect(links).toMatch(/^vless:\/\/[^@]+@warsaw\.example\.com:443\?.*security=reality.*pbk=[\w-]{43}.*#Poland/)
})

test('find a user by a pasted link, and read whom it is about', async () => {
  const { page } = who
  const [anna] = (await admin.api(listUsers, {})).users
  await within(3, HOME, async () => {
    await who.choose(button(page.getByRole('banner'), 'Search'))
    await who.type(
      page.getByPlaceholder('Find users, nodes, pages, actions…'),
      `vless://${anna?.vlessUuid}@a.example:443?x=1#Poland`,
    )
    await who.choose(page.getByRole('option', { name: 'anna' }))
    await expect(dialog('anna').getByRole('region', { name: 'Can they connect?' })).toBeVisible()
  })
})

test('extend one by three months', async () => {
  await within(4, HOME, async () => {
    const drawer = await openUser('anna')
    await who.choose(button(drawer, 'Extend'))
    await who.choose(who.page.getByRole('menuitem', { name: /^3 months/ }))
    await expect(who.page.getByText('User updated successfully')).toBeVisible()
  })
})

test('a new link', async () => {
  const [before] = (await admin.api(listUsers, {})).users
  await within(5, HOME, async () => {
    const drawer = await openUser('anna')
    await who.choose(button(drawer, 'More actions'))
    await who.choose(who.page.getByRole('menuitem', { name: 'New link' }))
    await who.choose(button(dialog('Give anna a new link?'), 'New link'))
    await expect(dialog('Access for anna')).toBeVisible()
  })
  const [after] = (await admin.api(listUsers, {})).users
  expect(after?.subscriptionUrl).not.toBe(before?.subscriptionUrl)
})

test('hide a host for an hour', async () => {
  await within(6, HOME, async () => {
    await who.goTo('Hosts')
    await who.choose(button(who.page.getByRole('main'), 'Poland'))
    const host = dialog('Edit host')
    await who.choose(button(host, 'More actions'))
    await who.choose(who.page.getByRole('menuitem', { name: 'Hide for 1 hour' }))
    await who.choose(button(dialog(/^Hide Poland until/), 'Hide'))
    await expect(who.page.getByRole('main').getByText(/^Back\b/)).toBeVisible()
  })
  const [host] = await admin.api(listHosts, {})
  expect(Date.parse(host?.disabledUntil ?? '') - Date.now()).toBeGreaterThan(3_500_000)
})

test('save a template with what it does and why, and go back to a revision', async () => {
  const { page } = who
  const { templateJson } = await admin.api(getSubscriptionTemplate, { templateType: 'XRAY_JSON' })
  const changed = { ...(templateJson as object), log: { loglevel: 'error' } }
  await admin.api(updateSubscriptionTemplate, { templateType: 'XRAY_JSON', templateJson: changed, reason: 'quieter' })
  await within(5, '/dashboard/templates/xray-json', async () => {
    await who.choose(button(page, 'Revisions'))
    const revisions = dialog('Revisions')
    const rows = revisions.getByRole('list', { name: 'Revisions' }).getByRole('listitem')
    await expect(rows.first()).toContainText('Current')
    await expect(rows.first()).toContainText('quieter')
    await who.choose(rows.nth(1).getByRole('button'))
    await who.choose(button(revisions, /^Go back to revision/))
    const save = dialog('Save the template?')
    await expect(save).toContainText('No node restarts')
    await expect(save.getByRole('textbox', { name: 'Why' })).toHaveValue(/^Back to revision/)
    await expect(save.getByRole('region', { name: 'What a user would get' })).toContainText('Servers')
    await who.choose(button(save, 'Save'))
    await expect(page.getByText('Template updated successfully')).toBeVisible()
  })
  const after = await admin.api(getSubscriptionTemplate, { templateType: 'XRAY_JSON' })
  expect(after.templateJson).toEqual(templateJson)
  const { revisions } = await admin.api(listTemplateRevisions, { uuid: after.uuid })
  expect(revisions[0]?.reason).toMatch(/^Back to revision/)
})

test('import users from a spreadsheet', async () => {
  const { page } = who
  await within(4, HOME, async () => {
    await who.goTo('Users')
    await who.choose(button(page, 'Import'))
    const form = dialog('Import users')
    await form.locator('input[type=file]').setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) })
    await expect(form.getByText('a new user needs expireAt')).toBeVisible()
    await who.choose(button(form, 'Import 2 users'))
    await expect(page.getByRole('status', { name: 'Progress', exact: true })).toContainText('2')
  })
  const tagged = async () =>
    (await admin.api(listUsers, {})).users.filter(({ tag }) => tag === 'GOLD').map(({ username }) => username)
  await expect.poll(async () => (await tagged()).toSorted(), { timeout: 20_000 }).toEqual(['anna', 'ben_new'])
})

test('a backup: home says that there is none, one is made and downloaded', async () => {
  const { page } = who
  await within(3, HOME, async () => {
    const row = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').filter({ hasText: 'No backup' })
    await who.choose(row.getByRole('link', { name: 'Backups', exact: true }))
    await expect(page.getByText('There has never been a backup')).toBeVisible()
    await who.choose(button(page, 'Back up now'))
    await expect(page.getByText('The backup is made')).toBeVisible({ timeout: 120_000 })
    const [kept] = (await admin.api(listBackups, {})).backups
    const file = page.waitForEvent('download')
    await who.choose(button(page, `Download ${kept?.name}`))
    expect((await file).suggestedFilename()).toBe(`${kept?.name}.tar.gz`)
  })
  await page.goto(HOME)
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible()
  await expect(page.getByText('No backup')).toHaveCount(0)
})

test('sign out everywhere else, and change the password, which programs outlive', async ({ browser }) => {
  const { page } = who
  const { token } = await admin.api(createApiToken, { tokenName: 'bot' })
  const elsewhere = await browser.newContext({ baseURL: panel.origin })
  const other = await elsewhere.newPage()
  await other.goto('/')
  await other.getByRole('textbox', { name: 'Username' }).fill(ADMIN.username)
  await other.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await other.keyboard.press('Enter')
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Home')
  const account = () => button(page.getByRole('banner'), 'Account')
  await within(4, HOME, async () => {
    await who.choose(account())
    await who.choose(page.getByRole('menuitem', { name: 'Account settings' }))
    await who.choose(button(page.getByRole('region', { name: 'Sessions' }), /^End (the other session|all \d+ others)$/))
    await who.choose(button(dialog(/^End .*other sessions?\?$/), /^End (the other session|all \d+ others)$/))
    await expect(page.getByText('1 session ended')).toBeVisible()
  })
  await other.reload()
  await expect(other.getByLabel('Password', { exact: true })).toBeVisible()
  await elsewhere.close()
  const next = `${ADMIN.password}-2`
  await within(9, HOME, async () => {
    await who.choose(account())
    await who.choose(page.getByRole('menuitem', { name: 'Account settings' }))
    await who.choose(button(page, 'Change password…'))
    const form = dialog('Change password')
    await who.type(form.getByLabel('Current password', { exact: true }), ADMIN.password)
    await who.type(form.getByLabel('New password', { exact: true }), next)
    await who.type(form.getByLabel('Repeat the new password', { exact: true }), next)
    await who.choose(button(form, 'Change password'))
    await expect(page.getByText(/^Password changed/)).toBeVisible()
  })
  const reply = await fetch(`${panel.origin}/api/users`, { headers: { authorization: `Bearer ${token}` } })
  expect(reply.status).toBe(200)
})
