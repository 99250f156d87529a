import { deleteHost, deleteNode, deleteUser, listHosts, listNodes, listUsers } from '@causeway/contract'
import { expect, test, type Locator } from '@playwright/test'
import { query } from './stage/database.ts'
import { signedIn, startPanel, ADMIN, type Panel, type SignedIn } from './stage/panel.ts'
import { closePeople, everyone, openPeople, openPerson, type People } from './stage/people.ts'
import { WAYS, type Person } from './stage/person.ts'
import { inDays, seeding } from './stage/seeding.ts'

// What people come for every day, done as somebody does who was told nothing: by mouse, by keyboard alone, and on a phone.
// Each task says how many steps it takes them at most: clicks, taps, keys, and texts typed without a break.

const HOME = '/dashboard/home'
const USERS = '/dashboard/management/users'
const DAY_MS = 86_400_000

let panel: Panel
let admin: SignedIn
let people: People

test.beforeAll(async ({ browser }) => {
  panel = await startPanel()
  admin = await signedIn(panel)
  people = await openPeople(browser, panel, admin)
})
test.afterAll(async () => {
  await closePeople(people)
  await panel.close()
})

/** Past the menu, as keyboards go. */
async function intoContent({ page, way, choose }: Person): Promise<void> {
  if (way === 'keyboard') await choose(page.getByRole('link', { name: 'Skip to content' }))
}

const button = (within: Pick<Locator, 'getByRole'>, name: string | RegExp) => within.getByRole('button', { name, exact: true })

test('7 the first quarter of an hour: an empty server shows what is to be done, to the link for an app', async () => {
  const { api } = admin
  await everyone(people, { mouse: 12, keyboard: 122, phone: 12 }, HOME, async (who) => {
    const { page } = who
    const steps = page.getByRole('region', { name: 'First steps' })
    const step = (name: string) => steps.getByRole('listitem').filter({ hasText: name })
    await expect(step('A config profile').getByRole('img', { name: 'Done' })).toBeVisible()
    await expect(step('An internal squad').getByRole('img', { name: 'Done' })).toBeVisible()
    await intoContent(who)
    await who.choose(steps.getByRole('link', { name: 'Add a node' }))
    const node = page.getByRole('dialog', { name: 'New node' })
    await who.type(node.getByRole('textbox', { name: 'Name' }), 'Warsaw')
    await who.type(node.getByRole('textbox', { name: 'Address', exact: true }), 'warsaw.invalid')
    await who.choose(button(node, 'Create'))
    await expect(node).toHaveCount(0)
    await page.goto(HOME)
    await expect(step('A node that is connected')).toContainText('Waiting for its agent')
    await expect(step('A node that is connected').getByRole('group', { name: /^Start the agent/ })).toHaveText(
      /SSL_CERT=".+" NODE_PORT=\d+ npm run agent/,
    )
    await who.choose(steps.getByRole('link', { name: 'Add a host' }))
    const host = page.getByRole('dialog', { name: 'New host' })
    await who.type(host.getByRole('textbox', { name: 'Remark' }), 'Poland')
    await expect(host.getByRole('textbox', { name: 'Address', exact: true })).toHaveValue('warsaw.invalid')
    await who.choose(button(host, 'Create'))
    await expect(host).toHaveCount(0)
    await page.goto(HOME)
    await who.choose(steps.getByRole('link', { name: 'Add a user' }))
    const user = page.getByRole('dialog', { name: 'New user' })
    await who.type(user.getByRole('textbox', { name: 'Username' }), 'first-user')
    if (who.way === 'phone') {
      // A list that opens makes no phone show more than its width, which would shut the list again.
      const strategy = user.getByRole('combobox', { name: 'Traffic limit strategy' })
      await strategy.tap()
      await expect(page.getByRole('option', { name: 'Monthly' })).toBeInViewport({ ratio: 1 })
      await strategy.press('Escape')
    }
    await who.choose(button(user, 'Create user'))
    await expect(user).toHaveCount(0)
    await page.goto(HOME)
    await expect(steps.getByRole('img', { name: 'Subscription of first-user' })).toBeVisible()
    for (const { uuid } of (await api(listUsers, {})).users) await api(deleteUser, { uuid })
    for (const { uuid } of await api(listHosts, {})) await api(deleteHost, { uuid })
    for (const { uuid } of await api(listNodes, {})) await api(deleteNode, { uuid })
  })
})

test.describe('with users and nodes', () => {
  test.beforeAll(async () => {
    const { makeConfigProfile, makeInternalSquad, makeNode, makeHost, makeUser } = seeding(admin.api)
    const profile = await makeConfigProfile()
    const squad = await makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
    await makeNode(profile, { name: 'Warsaw', countryCode: 'PL' })
    await makeNode(profile, { name: 'Cracow', countryCode: 'PL' })
    await makeNode(profile, { name: 'Oslo', countryCode: 'NO' })
    await makeHost(profile)
    for (const way of WAYS) {
      await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          makeUser({
            username: `${way}-customer-${index}`,
            expireAt: inDays(index < 4 ? -3 : 40),
            activeInternalSquads: [squad.uuid],
          }),
        ),
      )
      await makeUser({ username: `${way}-anna`, email: `${way}@example.org`, activeInternalSquads: [squad.uuid] })
      await makeUser({ username: `${way}-lost` })
    }
    const today = new Date().toISOString().slice(0, 10)
    await query(
      panel,
      `update "userUsage" set "trafficDay" = $1, "sumsDay" = $1, "dayBytes" = 5000000000
       from "users" where "users"."id" = "userUsage"."userId" and "users"."username" like '%-anna'`,
      [today],
    )
  })

  test('1 find a user, by a part of the e-mail address, from any page', async () => {
    await everyone(people, { mouse: 3, keyboard: 3, phone: 4 }, HOME, async (who) => {
      const { page, way } = who
      if (way === 'keyboard') await who.press('ControlOrMeta+k')
      else await who.choose(button(page.getByRole('banner'), 'Search'))
      await who.type(page.getByPlaceholder('Find users, nodes, pages, actions…'), `${way}@exam`)
      const found = page.getByRole('option', { name: `${way}-anna` })
      await expect(found).toBeVisible()
      if (way === 'keyboard') await who.press('Enter')
      else await who.choose(found)
      await expect(page.getByRole('dialog', { name: `${way}-anna` })).toBeVisible()
    })
    // The field on Users is always there, on the phone too.
    for (const { page } of Object.values(people)) {
      await page.goto(USERS)
      await expect(page.getByRole('searchbox').first()).toBeInViewport()
    }
  })

  test('2 extend thirty users by a month, four of them expired', async () => {
    await everyone(people, { mouse: 7, keyboard: 72, phone: 9 }, HOME, async (who) => {
      const { page, way } = who
      await who.goTo('Users')
      const search = page.getByRole('searchbox').first()
      if (way === 'keyboard') await who.press('/')
      await who.type(search, `${way}-customer`)
      await expect(page.getByText(/of 30$/)).toBeVisible()
      await page.goto(`${USERS}?search=${way}-customer&size=50`)
      const row = way === 'phone' ? page.getByRole('checkbox', { name: `Select ${way}-customer-29` }) : undefined
      await who.choose(row ?? page.getByRole('checkbox', { name: 'Select all rows of this page' }), { press: 'Space' })
      if (way === 'phone') await who.choose(button(page, 'Select all'))
      await expect(page.getByText('30 rows selected')).toBeVisible()
      await who.choose(button(page, /^Change .* users?…$/), way === 'keyboard' ? { by: 'Shift+Tab' } : {})
      const drawer = page.getByRole('dialog', { name: '30 selected users' })
      await expect(drawer.getByText('30 users, 4 of them expired: these start today')).toBeVisible()
      await who.choose(button(drawer, 'Extend by 1 month'))
      await who.choose(button(page.getByRole('dialog', { name: 'Extend these users by 1 month?' }), 'Extend'))
      await expect
        .poll(async () => {
          const { users } = await admin.api(listUsers, { size: 50, filters: [{ id: 'search', value: `${way}-customer` }] })
          return users.filter(({ expireAt }) => Date.parse(expireAt) > Date.now() + 27 * DAY_MS).length
        })
        .toBe(30)
    })
  })

  test('3 look at a user without a form', async () => {
    await everyone(people, { mouse: 5, keyboard: 3, phone: 6 }, HOME, async (who) => {
      const { page, way } = who
      if (way === 'keyboard') {
        await who.press('ControlOrMeta+k')
        await who.type(page.getByPlaceholder('Find users, nodes, pages, actions…'), `${way}-anna`)
        await expect(page.getByRole('option', { name: `${way}-anna` })).toBeVisible()
        await who.press('Enter')
      } else {
        await who.goTo('Users')
        await who.type(page.getByRole('searchbox').first(), `${way}-anna`)
        await expect(page.getByText(/of 1$/)).toBeVisible()
        await who.choose(page.getByRole('main').getByText(`${way}-anna`, { exact: true }).last())
      }
      const drawer = page.getByRole('dialog', { name: `${way}-anna` })
      for (const region of ['Can they connect?', 'Traffic', 'HWID devices', 'Subscription'])
        await expect(drawer.getByRole('region', { name: region, exact: true })).toBeVisible()
      await expect(drawer.getByRole('img', { name: /^QR code/ })).toBeVisible()
      // A link: who opens it sees the same.
      await page.reload()
      await expect(drawer.getByRole('region', { name: 'Subscription', exact: true })).toBeVisible()
    })
  })

  test('4 why can’t they connect: the verdict, and what mends it beside it', async () => {
    await everyone(people, { mouse: 4, keyboard: 10, phone: 5 }, HOME, async (who) => {
      const { page, way } = who
      if (way === 'keyboard') await who.press('ControlOrMeta+k')
      else await who.choose(button(page.getByRole('banner'), 'Search'))
      await who.type(page.getByPlaceholder('Find users, nodes, pages, actions…'), `${way}-lost`)
      await expect(page.getByRole('option', { name: `${way}-lost` })).toBeVisible()
      if (way === 'keyboard') await who.press('Enter')
      else await who.choose(page.getByRole('option', { name: `${way}-lost` }))
      const chain = page.getByRole('dialog', { name: `${way}-lost` }).getByRole('region', { name: 'Can they connect?' })
      await expect(chain).toContainText('No. The blocking step is marked below.')
      await expect(chain).toContainText('In no squad')
      await who.choose(button(chain, 'Add to a squad'))
      await expect(page.getByRole('dialog', { name: 'Edit user' })).toBeVisible()
    })
  })

  test('5 who used most this week', async () => {
    await everyone(people, { mouse: 3, keyboard: 24, phone: 4 }, HOME, async (who) => {
      const { page } = who
      const card = page.getByRole('region', { name: 'Who used most' })
      await expect(
        card
          .getByRole('link', { name: /-anna$/ })
          .or(card.getByText(/-anna/))
          .first(),
      ).toBeVisible()
      await who.goTo('Users')
      await who.choose(page.getByRole('button', { name: /^Views/ }))
      await who.choose(page.getByRole('menuitem', { name: 'Most in 7 days' }), { by: 'ArrowDown' })
      await expect(page).toHaveURL(/sort=/)
      await expect(page.getByText('4.66 GiB').first()).toBeVisible()
    })
  })

  test('6 share a view: kept under a name, back goes back, and the link leads there after signing in', async () => {
    await everyone(people, { mouse: 7, keyboard: 30, phone: 8 }, HOME, async (who) => {
      const { page, way } = who
      // Each keeps a list of its own: two names of one list are shown as the first of them.
      const status = { mouse: 'Active', keyboard: 'Expired', phone: 'Disabled' }[way]
      await who.goTo('Users')
      await who.choose(
        page.getByRole('group', { name: 'Users by status' }).getByRole('button', { name: new RegExp(`^${status}`) }),
      )
      await expect(page).toHaveURL(new RegExp(`status=${status.toUpperCase()}`))
      await who.choose(page.getByRole('button', { name: /^Views/ }), way === 'keyboard' ? { by: 'Shift+Tab' } : {})
      await who.choose(page.getByRole('menuitem', { name: 'Save this list…' }), { by: 'ArrowUp' })
      const dialog = page.getByRole('dialog', { name: 'Save this list' })
      await who.type(dialog.getByRole('textbox', { name: 'Name' }), `${status} by ${way}`)
      if (way === 'keyboard') await who.press('Enter')
      else await who.choose(button(dialog, 'Save'))
      await expect(button(page, `Views, shown: ${status} by ${way}`)).toBeVisible()
      const link = page.url()
      await page.goBack()
      await expect(page).not.toHaveURL(/views=save/)
      await page.evaluate(() => localStorage.removeItem('session'))
      await page.goto(link)
      await page.getByRole('textbox', { name: 'Username' }).fill(ADMIN.username)
      await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
      await page.keyboard.press('Enter')
      await expect(button(page, `Views, shown: ${status} by ${way}`)).toBeVisible()
    })
  })

  test('8 see the service: traffic of another period, without leaving home', async () => {
    await everyone(people, { mouse: 1, keyboard: 10, phone: 1 }, HOME, async (who) => {
      const { page, way } = who
      await intoContent(who)
      const chart = page.getByRole('region', { name: 'Traffic and users online' })
      const period = chart.getByRole('radio', { name: '7 days' })
      if (way === 'keyboard') await who.choose(chart.getByRole('radio', { checked: true }), { press: 'ArrowRight' })
      else await who.choose(chart.getByText('7 days'))
      await expect(period).toBeChecked()
      for (const name of ['Needs attention', 'Nodes', 'Who used most', 'Bandwidth', 'System'])
        await expect(page.getByRole('region', { name, exact: true })).toBeAttached()
      await expect(page.getByText('today so far, against yesterday by this hour')).toBeAttached()
    })
  })

  test('10 nodes at a glance: those of a country, several disabled at once', async () => {
    await everyone(people, { mouse: 5, keyboard: 57, phone: 5 }, HOME, async (who) => {
      const { page } = who
      if (who.way === 'mouse')
        await who.choose(page.getByRole('navigation', { name: 'Main menu' }).getByRole('button', { name: 'Nodes' }))
      await page.goto('/dashboard/management/nodes?country=PL')
      await expect(page.getByText('2 of 3')).toBeVisible()
      await who.choose(page.getByRole('checkbox', { name: 'Select all nodes shown' }), { press: 'Space' })
      const bar = page
        .getByRole('region', { name: 'Selected nodes' })
        .or(page.getByRole('group', { name: 'Selected nodes' }))
        .or(page.getByRole('toolbar', { name: 'Selected nodes' }))
      const [first, second] = (await bar.getByRole('button', { name: 'Disable' }).isEnabled())
        ? ['Disable', 'Enable']
        : ['Enable', 'Disable']
      await who.choose(button(bar, first))
      const dialog = page.getByRole('dialog')
      await who.choose(dialog.getByRole('button', { name: new RegExp(`^${first}`) }))
      await expect(dialog.getByText('2 of 2 done.')).toBeVisible()
      await who.choose(button(dialog, 'Close').last())
      await expect(button(bar, second)).toBeEnabled()
    })
  })

  test('9 when the server is away: a strip with a countdown, pages that stay, and pages that were not open yet', async ({
    browser,
  }) => {
    const open = await Promise.all(WAYS.map((way) => openPerson(browser, panel, admin, way, false)))
    for (const { page } of open) {
      await page.goto(`${USERS}?status=ACTIVE`)
      // Below the list; how many of all are left of the filter is said above it, sooner or later.
      await expect(page.getByText(/of \d+$/).last()).toBeVisible()
    }
    // Once the browser has nothing else to do, it fetches what has not been open yet, one page after the other: Devices has
    // come with its texts and all files of its code when the next page has.
    const hasNext = () => performance.getEntriesByType('resource').some(({ name }) => /\/internal-squads-page-/.test(name))
    for (const { page } of open) await expect.poll(() => page.evaluate(hasNext), { timeout: 60_000 }).toBe(true)
    await panel.process.kill()
    for (const who of open) {
      const { page, way } = who
      const before = who.steps()
      await expect(page.getByText('The server cannot be reached.')).toBeVisible({ timeout: 30_000 })
      await expect(page.getByText(/Next try in \d+ s/)).toBeVisible()
      await expect(page.getByText(/^(mouse|keyboard|phone)-/).first()).toBeVisible()
      await who.goTo('Devices')
      expect(who.steps() - before, `steps by ${way}`).toBeLessThanOrEqual(3)
    }
    await panel.restart()
    for (const { page } of open) await expect(page.getByText('The server cannot be reached.')).toHaveCount(0, { timeout: 30_000 })
    for (const { page } of open) await page.context().close()
  })
})
