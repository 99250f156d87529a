import { readFile } from 'node:fs/promises'
import {
  createHwidDevice,
  getUser,
  listApiTokenDetails,
  listHosts,
  listUserHwidDevices,
  listUsers,
  type InternalSquad,
  type User,
} from '@causeway/contract'
import { expect, test, type Locator } from '@playwright/test'
import { query } from './stage/database.ts'
import { signedIn, startPanel, type Panel, type SignedIn } from './stage/panel.ts'
import { closePeople, everyone, openPeople, type People } from './stage/people.ts'
import { WAYS, type Person } from './stage/person.ts'
import { inDays, seeding } from './stage/seeding.ts'

// Daily tasks with users, their devices and links, lists and tokens: by mouse, by keyboard alone, and on a phone. Each says how
// many steps it takes at most: clicks, taps, keys, and texts typed without a break.

const HOME = '/dashboard/home'
const GIB = 1024 ** 3
const DAY_MS = 86_400_000
/** As many as one deletes at once. */
const MANY = 50

test.describe.configure({ timeout: 90_000 })

let panel: Panel
let admin: SignedIn
let people: People
let squad: InternalSquad
const users = new Map<string, User>()

test.beforeAll(async ({ browser }) => {
  panel = await startPanel()
  admin = await signedIn(panel)
  people = await openPeople(browser, panel, admin)
  const { makeConfigProfile, makeInternalSquad, makeNode, makeHost, makeUser } = seeding(admin.api)
  const profile = await makeConfigProfile()
  squad = await makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  const node = await makeNode(profile, { name: 'Warsaw', countryCode: 'PL' })
  const activeInternalSquads = [squad.uuid]
  for (const way of WAYS) {
    await makeHost(profile, { remark: `port-${way}`, port: 443 })
    const user = await makeUser({ username: `anna-${way}`, trafficLimitBytes: 100 * GIB, activeInternalSquads })
    users.set(way, user)
    for (const hwid of [`phone-of-${way}`, `tablet-of-${way}`])
      await admin.api(createHwidDevice, { userUuid: user.uuid, hwid, deviceModel: hwid })
    for (const name of ['one', 'two'])
      await makeUser({ username: `due-${name}-${way}`, expireAt: inDays(3), activeInternalSquads })
    await query(
      panel,
      `insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes", "downloadBytes")
       select (now() at time zone (select "timeZone" from "installation"))::date, n."id", u."id", 0, $3
       from "nodes" n, "users" u where n."uuid" = $1 and u."uuid" = $2`,
      [node.uuid, user.uuid, 7 * GIB],
    )
  }
})
test.afterAll(async () => {
  await closePeople(people)
  await panel.close()
})

const button = (within: Pick<Locator, 'getByRole'>, name: string | RegExp) => within.getByRole('button', { name, exact: true })

/** Finds a user from wherever one is. */
async function openUser(who: Person, name: string): Promise<Locator> {
  const { page, way } = who
  if (way === 'keyboard') await who.press('ControlOrMeta+k')
  else await who.choose(button(page.getByRole('banner'), 'Search'))
  await who.type(page.getByPlaceholder('Find users, nodes, pages, actions…'), name)
  await expect(page.getByRole('option', { name })).toBeVisible()
  if (way === 'keyboard') await who.press('Enter')
  else await who.choose(page.getByRole('option', { name }))
  return page.getByRole('dialog', { name, exact: true })
}

/** Marks all users of the list, and opens what can be done to them. */
async function changeAll(who: Person, count: number): Promise<Locator> {
  const { page, way } = who
  if (way === 'phone') {
    await who.choose(page.getByRole('checkbox', { name: /^Select / }).first())
    await who.choose(button(page, 'Select all'))
  } else await who.choose(page.getByRole('checkbox', { name: 'Select all rows of this page' }), { press: 'Space' })
  await expect(page.getByText(`${count} rows selected`)).toBeVisible()
  await who.choose(button(page, /^Change .* users?…$/), way === 'keyboard' ? { by: 'Shift+Tab' } : {})
  return page.getByRole('dialog', { name: `${count} selected users` })
}

test('6 fifty GiB more for one user, and what they have then', async () => {
  await everyone(people, { mouse: 5, keyboard: 20, phone: 5 }, HOME, async (who) => {
    const { page, way } = who
    const drawer = await openUser(who, `anna-${way}`)
    await who.choose(button(drawer, 'Add traffic'))
    await who.choose(page.getByRole('menuitem', { name: /^\+50 GiB then 150\.00 GiB/ }), { by: 'ArrowDown' })
    const toast = page.getByRole('alert').filter({ hasText: 'Traffic added' })
    await expect(toast).toContainText('of 150.00 GiB used')
    await expect(button(toast, 'Undo')).toBeVisible()
    const { uuid = '' } = users.get(way) ?? {}
    expect((await admin.api(getUser, { uuid })).trafficLimitBytes).toBe(150 * GIB)
  })
})

test('4 a week more for one user, taken back at once', async () => {
  const { makeUser } = seeding(admin.api)
  const expireAt = inDays(20).replace(/\.\d+Z$/, '.000Z') // as it can be edited
  for (const way of WAYS) users.set(`week-${way}`, await makeUser({ username: `week-${way}`, expireAt }))
  const bystander = await makeUser({ username: 'week-bystander', expireAt })
  const expiryOf = async (uuid: string) => Date.parse((await admin.api(getUser, { uuid })).expireAt)
  await everyone(people, { mouse: 6, keyboard: 20, phone: 6 }, HOME, async (who) => {
    const { page, way } = who
    const { uuid = '' } = users.get(`week-${way}`) ?? {}
    const before = await expiryOf(uuid)
    const drawer = await openUser(who, `week-${way}`)
    await who.choose(button(drawer, 'Extend'))
    await who.choose(page.getByRole('menuitem', { name: /^7 days/ }), { by: 'ArrowDown' })
    const toast = page.getByRole('alert').filter({ hasText: `week-${way}` })
    await expect(toast).toContainText('until ')
    await expect(button(toast, 'Undo')).toBeVisible()
    expect(await expiryOf(uuid)).toBe(before + 7 * DAY_MS)
    if (way === 'keyboard') await who.press('ControlOrMeta+z')
    else await who.choose(button(toast, 'Undo'))
    await expect.poll(() => expiryOf(uuid)).toBe(before)
    expect(await expiryOf(bystander.uuid)).toBe(Date.parse(expireAt))
  })
})

test('8 on which node somebody used most', async () => {
  await everyone(people, { mouse: 4, keyboard: 25, phone: 4 }, HOME, async (who) => {
    const drawer = await openUser(who, `anna-${who.way}`)
    await who.choose(button(drawer, /in 30 days$/))
    await expect(who.page.getByRole('dialog', { name: `Usage of anna-${who.way}` })).toContainText('Warsaw')
  })
})

test('12 take a device away from a user', async () => {
  await everyone(people, { mouse: 6, keyboard: 30, phone: 6 }, HOME, async (who) => {
    const { page, way } = who
    const drawer = await openUser(who, `anna-${way}`)
    await who.choose(button(drawer, /^All 2 devices/))
    const devices = page.getByRole('dialog', { name: /^Devices of/ })
    await who.choose(button(devices.getByRole('listitem', { name: `phone-of-${way}` }), 'Delete device'))
    await who.choose(button(page.getByRole('dialog', { name: 'Delete this device?' }), 'Delete device'))
    const { uuid = '' } = users.get(way) ?? {}
    const left = async () => (await admin.api(listUserHwidDevices, { userUuid: uuid })).devices.map(({ hwid }) => hwid)
    await expect.poll(left).toEqual([`tablet-of-${way}`])
  })
})

test('16 what three apps get, before a customer does', async () => {
  await everyone(people, { mouse: 9, keyboard: 50, phone: 9 }, HOME, async (who) => {
    const { page, way } = who
    const drawer = await openUser(who, `anna-${way}`)
    await who.choose(button(drawer, 'More actions'))
    await who.choose(page.getByRole('menuitem', { name: 'Inspect subscription' }), { by: 'ArrowUp' })
    const shown = page.getByRole('dialog', { name: `What anna-${way} receives` })
    await expect(shown).toContainText('Share links')
    await expect(shown.getByRole('list', { name: 'Servers' })).toContainText(`port-${way}`)
    for (const [app, format] of [
      ['FlClash', 'Mihomo'],
      ['sing-box 1.12', 'sing-box'],
    ] as const) {
      const option = page.getByRole('option', { name: app, exact: true })
      await who.choose(shown.getByRole('combobox', { name: 'App' }))
      await expect(option).toBeVisible()
      if (way === 'keyboard') {
        const isMarked = async () => (await option.getAttribute('data-combobox-selected')) !== null
        for (let keys = 0; keys < 20 && !(await isMarked()); keys++) await who.press('ArrowDown')
        await who.press('Enter')
      } else await who.choose(option)
      await expect(shown.locator('strong').filter({ hasText: new RegExp(`^${format}$`) })).toBeVisible()
      await expect(shown.getByRole('list', { name: 'Servers' })).toContainText(`port-${way}`)
    }
  })
})

test('20 a token that may only read, and ends', async () => {
  await everyone(people, { mouse: 5, keyboard: 40, phone: 6 }, HOME, async (who) => {
    const { page, way } = who
    await who.goTo('API tokens')
    if (way === 'keyboard') await who.choose(page.getByRole('link', { name: 'Skip to content' }))
    await who.choose(button(page, 'New API token'))
    const dialog = page.getByRole('dialog', { name: 'New API token' })
    await who.type(dialog.getByRole('textbox', { name: 'Name' }), `reader-${way}`)
    if (way === 'keyboard') await who.press('Enter')
    else await who.choose(button(dialog, 'Create'))
    await expect(page.getByText('Api token created successfully')).toBeVisible()
    const { tokens } = await admin.api(listApiTokenDetails, {})
    const made = tokens.find(({ tokenName }) => tokenName === `reader-${way}`)
    expect(made?.permissions?.filter((permission) => !permission.endsWith('.read'))).toEqual([])
    expect(Date.parse(made?.expiresAt ?? '') - Date.now()).toBeGreaterThan(DAY_MS)
  })
})

test('25 delete fifty users, and have them back', async () => {
  const { makeUser } = seeding(admin.api)
  for (const way of WAYS)
    await Promise.all(
      Array.from({ length: MANY }, (_, index) =>
        makeUser({ username: `old-${way}-${index}`, activeInternalSquads: [squad.uuid] }),
      ),
    )
  await everyone(people, { mouse: 6, keyboard: 70, phone: 8 }, HOME, async (who) => {
    const { page, way } = who
    await page.goto(`/dashboard/management/users?search=old-${way}-&size=50`)
    await expect(page.getByText(/of 50$/).last()).toBeVisible()
    const drawer = await changeAll(who, MANY)
    if (way === 'keyboard') {
      await who.choose(drawer.getByRole('tab', { name: 'Update' }), { press: 'ArrowLeft' })
    } else await who.choose(drawer.getByRole('tab', { name: 'Danger zone' }))
    await who.choose(button(drawer, `Delete ${MANY} users`))
    await who.choose(button(page.getByRole('dialog', { name: 'Delete these users?' }), 'Delete'))
    const left = async () =>
      (await admin.api(listUsers, { size: 100, filters: [{ id: 'search', value: `old-${way}-` }] })).users.length
    await expect.poll(left).toBe(0)
    await expect(button(page, 'Undo')).toBeVisible()
    if (way === 'keyboard') await who.press('ControlOrMeta+z')
    else await who.choose(button(page, 'Undo'))
    await expect.poll(left).toBe(MANY)
  })
  // Of the others none is gone.
  expect((await admin.api(listUsers, { size: 500, filters: [{ id: 'search', value: 'anna-' }] })).users).toHaveLength(3)
})

test('5 extend all who are due this week', async () => {
  await everyone(people, { mouse: 9, keyboard: 50, phone: 11 }, HOME, async (who) => {
    const { page, way } = who
    await who.goTo('Users')
    await who.choose(button(page, /^Views/))
    await who.choose(page.getByRole('menuitem', { name: 'Expiring this week' }), { by: 'ArrowDown' })
    // Each has users of their own.
    if (way === 'keyboard') await who.press('/')
    await who.type(page.getByRole('searchbox').first(), `-${way}`)
    await expect(page.getByText(/of 2$/).last()).toBeVisible()
    const drawer = await changeAll(who, 2)
    await who.choose(button(drawer, 'Extend by 1 month'))
    await who.choose(button(page.getByRole('dialog', { name: 'Extend these users by 1 month?' }), 'Extend'))
    const dates = async () => {
      const found = await admin.api(listUsers, { filters: [{ id: 'search', value: 'due-' }] })
      return found.users.filter(
        ({ username, expireAt }) => username.endsWith(way) && Date.parse(expireAt) > Date.now() + 27 * DAY_MS,
      )
    }
    await expect.poll(async () => (await dates()).length).toBe(2)
  })
})

test('26 the list as it is filtered, for a spreadsheet', async () => {
  await everyone(people, { mouse: 5, keyboard: 20, phone: 6 }, HOME, async (who) => {
    const { page, way } = who
    await who.goTo('Users')
    if (way === 'keyboard') await who.press('/')
    await who.type(page.getByRole('searchbox').first(), `anna-${way}`)
    await expect(page.getByText(/of 1$/).last()).toBeVisible()
    await who.choose(button(page, 'Export'))
    const file = page.waitForEvent('download')
    await who.choose(page.getByRole('menuitem', { name: 'Spreadsheet (CSV)' }), { by: 'ArrowDown' })
    const lines = (await readFile(await (await file).path(), 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`anna-${way}`)
  })
})

test('13 another port for a host', async () => {
  await everyone(people, { mouse: 6, keyboard: 40, phone: 7 }, HOME, async (who) => {
    const { page, way } = who
    if (way === 'keyboard') {
      await who.press('ControlOrMeta+k')
      await who.type(page.getByPlaceholder('Find users, nodes, pages, actions…'), `port-${way}`)
      await expect(page.getByRole('option', { selected: true })).toContainText(`port-${way}`)
      await who.press('Enter')
    } else {
      await who.goTo('Hosts')
      await who.choose(button(page.getByRole('main'), `port-${way}`))
    }
    const host = page.getByRole('dialog', { name: 'Edit host' })
    await who.type(host.getByRole('textbox', { name: 'Port' }), '8443')
    await who.choose(button(host, 'Save'))
    await expect
      .poll(async () => (await admin.api(listHosts, {})).find(({ remark }) => remark === `port-${way}`)?.port)
      .toBe(8443)
  })
})

test('3 why someone cannot connect, in five causes', async () => {
  const { makeUser } = seeding(admin.api)
  const activeInternalSquads = [squad.uuid]
  await makeUser({ username: 'why-disabled', status: 'DISABLED', activeInternalSquads })
  await makeUser({ username: 'why-expired', expireAt: inDays(-1), activeInternalSquads })
  await makeUser({ username: 'why-limited', status: 'LIMITED', trafficLimitBytes: GIB, activeInternalSquads })
  await makeUser({ username: 'why-alone' })
  await makeUser({ username: 'why-node', activeInternalSquads })
  const causes = [
    ['why-disabled', 'The user is disabled'],
    ['why-expired', 'Access has expired'],
    ['why-limited', 'The status is “limited”'],
    ['why-alone', 'In no squad'],
    ['why-node', /node/],
  ] as const
  const findAll = async (who: Person) => {
    for (const [name, cause] of causes) {
      const chain = (await openUser(who, name)).getByRole('region', { name: 'Can they connect?' })
      await expect(chain).toContainText('No. The blocking step is marked below.')
      const blocked = chain.getByRole('listitem').filter({ has: who.page.getByRole('img', { name: 'Blocked' }) })
      await expect(blocked.first()).toContainText(cause)
      if (who.way === 'keyboard') await who.press('Escape')
      else await who.choose(who.page.getByRole('dialog', { name }).getByRole('button', { name: 'Close' }))
    }
  }
  await everyone(people, { mouse: 20, keyboard: 20, phone: 20 }, HOME, findAll)
})
