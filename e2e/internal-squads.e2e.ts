import {
  createInternalSquad,
  deleteConfigProfile,
  deleteInternalSquad,
  getInternalSquad,
  listConfigProfiles,
  listInternalSquads,
} from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'
import { signedIn, startPanel } from './stage/panel.ts'
import { plainProfile, uniqueName } from './stage/seeding.ts'

const SQUADS = '/dashboard/management/internal-squads'
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** A name that fits into the 20 characters of a squad. */
const squadName = () => uniqueName('sq')

test('SQUAD-001 SQUAD-002 SQUAD-005 SQUAD-006 SQUAD-009 SQUAD-010 a card says who and what, and offers what can be done', async ({
  page,
  makeConfigProfile,
  makeInternalSquad,
  makeUser,
}) => {
  const profile = await makeConfigProfile()
  const filled = await makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  const empty = await makeInternalSquad()
  await makeUser({ activeInternalSquads: [filled.uuid] })
  await page.goto(SQUADS)
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toHaveText('Dashboard/Internal squads')
  await expect(page.getByRole('button', { name: 'Refresh internal squads' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New internal squad' })).toBeVisible()
  await expect(card(page, filled.name).getByRole('definition')).toHaveText(['1', '1'])
  await expect(card(page, filled.name).getByRole('definition').first()).toHaveAttribute('data-color', 'teal')
  await expect(card(page, filled.name).getByRole('definition').first()).toHaveCSS('color', 'rgb(56, 217, 169)')
  await expect(card(page, empty.name).getByRole('definition')).toHaveText(['0', '0'])
  await expect(card(page, empty.name).getByRole('definition').first()).toHaveAttribute('data-color', 'gray')
  await expect(card(page, empty.name).getByRole('button', { name: `Edit ${empty.name}` })).toBeVisible()
  await card(page, empty.name)
    .getByRole('button', { name: `Actions for ${empty.name}` })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Remove all users' })).toBeDisabled()
  await expect(page.getByRole('menuitem', { name: 'Add all users' })).toBeEnabled()
})

test('SQUAD-003 the grid has four, three, two and one columns', async ({ page, makeInternalSquad }) => {
  for (const _ of Array.from({ length: 4 })) await makeInternalSquad()
  await page.goto(SQUADS)
  const grid = page.getByRole('list', { name: 'Internal squads' })
  for (const [width, columns] of [
    [1600, 4],
    [1200, 3],
    [768, 2],
    [767, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    const shown = await grid.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)
    expect(shown).toBe(columns)
  }
})

test('SQUAD-011 SQUAD-012 SQUAD-036 SQUAD-037 SQUAD-041 SQUAD-042 SQUAD-046 SQUAD-016 SQUAD-034 a squad is named, created and given its inbounds', async ({
  page,
  api,
  makeConfigProfile,
}) => {
  const profile = await makeConfigProfile()
  const name = squadName()
  await page.goto(`${SQUADS}?create=new`)
  const modal = dialog(page, 'New internal squad')
  const input = modal.getByLabel('Name')
  const create = modal.getByRole('button', { name: 'Create' })
  await expect(create).toBeDisabled()
  await input.fill('a')
  await expect(modal.getByText('At least 2 characters')).toBeVisible()
  await expect(create).toBeDisabled()
  await input.fill('two words')
  await expect(modal.getByText('Only letters, digits, underscores and dashes')).toBeVisible()
  await input.fill(name)
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/internal-squads'))
  await create.click()
  expect((await sent).postDataJSON()).toEqual({ name, inbounds: [] })
  await expect(modal).toHaveCount(0)
  await expect(toast(page, 'Internal squad created successfully')).toBeVisible()

  const drawer = dialog(page, name)
  await expect(drawer.getByText('0 inbounds selected')).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Update' })).toBeDisabled()
  await drawer.getByRole('searchbox').fill(profile.name)
  const control = drawer.getByRole('button', { name: new RegExp(`^${profile.name}`) })
  await control.click()
  await drawer.getByRole('checkbox').first().check()
  const updated = page.waitForRequest((request) => request.method() === 'PATCH')
  const listed = page.waitForRequest((request) => request.method() === 'GET' && request.url().endsWith('/api/internal-squads'))
  await drawer.getByRole('button', { name: 'Update' }).click()
  const squad = (await api(listInternalSquads, {})).internalSquads.find((candidate) => candidate.name === name)
  expect((await updated).postDataJSON()).toEqual({ uuid: squad?.uuid, inbounds: [profile.inbounds[0]?.uuid] })
  await listed
  await expect(toast(page, 'Internal squad updated successfully')).toBeVisible()
  await expect(card(page, name).getByRole('definition')).toHaveText(['0', '1'])
})

test('SQUAD-038 a name that is taken is said under the name', async ({ page, makeInternalSquad }) => {
  const { name } = await makeInternalSquad({ name: squadName() })
  await page.goto(`${SQUADS}?create=new`)
  const modal = dialog(page, 'New internal squad')
  await modal.getByLabel('Name').fill(name)
  await modal.getByRole('button', { name: 'Create' }).click()
  await expect(modal.getByText('Internal squad name already exists')).toBeVisible()
  await expect(modal).toBeVisible()
})

test('SQUAD-013 SQUAD-014 SQUAD-015 SQUAD-019 SQUAD-024 SQUAD-040 SQUAD-045 the drawer shows the squad and chooses among all inbounds', async ({
  page,
  api,
  makeConfigProfile,
  makeInternalSquad,
}) => {
  const name = uniqueName('profile')
  const one = plainProfile(name)
  const [inbound] = one['inbounds'] as Record<string, unknown>[] // the seeding's own profile has exactly one
  const profile = await makeConfigProfile({
    name,
    config: { ...one, inbounds: [inbound, { ...inbound, tag: `${name}-second`, port: 8444 }] },
  })
  const squad = await makeInternalSquad()
  const fetched = page.waitForRequest(`**/api/internal-squads/${squad.uuid}`)
  await page.goto(`${SQUADS}?edit=${squad.uuid}`)
  await fetched
  const drawer = dialog(page, squad.name)
  await expect.poll(async () => (await drawer.boundingBox())?.width).toBe(480)
  await expect(drawer.getByText('0 members')).toBeVisible()
  await expect(drawer.getByText(squad.uuid)).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Copy UUID' })).toBeVisible()
  await drawer.getByRole('searchbox').fill(profile.name)
  const control = drawer.getByRole('button', { name: new RegExp(`^${profile.name}`) })
  await control.click()
  await drawer.getByRole('button', { name: 'Select all' }).click()
  await expect(drawer.getByText('2 inbounds selected')).toBeVisible()
  await expect(control).toContainText('2 of 2')
  await drawer.getByRole('button', { name: 'Unselect all' }).click()
  await expect(drawer.getByText('0 inbounds selected')).toBeVisible()
  await drawer.getByRole('checkbox').last().check()
  await drawer.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(drawer.getByText('0 inbounds selected')).toBeVisible()
  await drawer.getByRole('searchbox').fill('nothing of this name')
  await expect(drawer.getByText('No profiles or inbounds found')).toBeVisible()

  await drawer.getByRole('tab', { name: 'Flat list' }).click()
  await drawer.getByRole('searchbox').fill(profile.name)
  await expect(drawer.getByRole('checkbox')).toHaveCount(2)
  await drawer.getByRole('checkbox').first().check()
  await drawer.getByText('Unselected', { exact: true }).click()
  await expect(drawer.getByRole('checkbox')).toHaveCount(1)
  await drawer.getByText('Selected', { exact: true }).click()
  await expect(drawer.getByRole('checkbox', { checked: true })).toHaveCount(1)
  await drawer.getByRole('button', { name: 'Update' }).click()
  await expect(drawer).toHaveCount(0)
  expect((await api(getInternalSquad, { uuid: squad.uuid })).info.inboundsCount).toBe(1)
})

test('SQUAD-007 SQUAD-031 SQUAD-032 SQUAD-033 SQUAD-044 all users are added and removed in the background, after a question', async ({
  page,
  panel,
  session,
  api,
  makeInternalSquad,
  makeUser,
}) => {
  const squad = await makeInternalSquad()
  await makeUser()
  const proxy = await startFaultProxy(panel.origin)
  const path = `/api/internal-squads/${squad.uuid}/bulk-actions`
  await page.goto(`${proxy.origin}/auth/login`)
  await page.evaluate((token) => localStorage.setItem('session', token), session.token)
  await page.goto(proxy.origin + SQUADS)
  const choose = async (item: string) => {
    await card(page, squad.name)
      .getByRole('button', { name: `Actions for ${squad.name}` })
      .click()
    await page.getByRole('menuitem', { name: item }).click()
    await dialog(page, `${item} `).getByRole('button', { name: item }).click()
  }
  proxy.inject({ path, times: 1, effect: { kind: 'delay', ms: 1500 } })
  await choose('Add all users')
  await expect(toast(page, 'Processing')).toContainText('This operation may take some time...')
  await expect(toast(page, 'Task added to queue. Please wait for it to be processed.')).toBeVisible()
  await expect(toast(page, 'Task added to queue')).toHaveCount(0, { timeout: 4500 })
  await expect.poll(async () => (await api(getInternalSquad, { uuid: squad.uuid })).info.membersCount).toBeGreaterThan(0)

  await page.getByRole('button', { name: 'Refresh internal squads' }).click()
  await expect(card(page, squad.name).getByRole('definition').first()).not.toHaveText('0')
  proxy.inject({
    path,
    times: 1,
    effect: { kind: 'answer', status: 500, body: { message: 'Internal squad bulk actions error' } },
  })
  await choose('Remove all users')
  await expect(toast(page, 'Internal squad bulk actions error')).toBeVisible()
  // The browser tries a broken connection once more by itself.
  const connect = proxy.inject({ path, effect: { kind: 'drop' } })
  await choose('Remove all users')
  await expect(toast(page, 'Unknown error')).toBeVisible()
  connect()
  await choose('Remove all users')
  await expect.poll(async () => (await api(getInternalSquad, { uuid: squad.uuid })).info.membersCount).toBe(0)
  await proxy.close()
})

test('SQUAD-021 SQUAD-022 SQUAD-030 the drawer stays small with many inbounds, and changes no name', async ({
  page,
  api,
  makeConfigProfile,
}) => {
  const name = uniqueName('profile')
  const one = plainProfile(name)
  const [inbound] = one['inbounds'] as Record<string, unknown>[] // the seeding's own profile has exactly one
  const many = Array.from({ length: 30 }, (_, index) => ({ ...inbound, tag: `${name}-${index}`, port: 9000 + index }))
  const profile = await makeConfigProfile({ name, config: { ...one, inbounds: many } })
  await page.goto(`${SQUADS}?create=new`)
  await expect(dialog(page, 'New internal squad').getByLabel('Name')).toHaveAttribute('required')
  await page.keyboard.press('Escape')

  const squad = await api(createInternalSquad, { name: squadName(), inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  await page.goto(`${SQUADS}?edit=${squad.uuid}`)
  const drawer = dialog(page, squad.name)
  const boxes = drawer.getByRole('checkbox')
  await expect(boxes).toHaveCount(30)
  await expect(drawer.getByRole('textbox')).toHaveCount(0)
  const windowOf = (height: number) =>
    boxes.first().evaluate((box, wanted) => {
      for (let around = box.parentElement; around; around = around.parentElement)
        if (around.clientHeight === wanted && around.scrollHeight > wanted) return around.scrollHeight
      return undefined
    }, height)
  const rowHeight = await boxes.evaluateAll(
    ([one, two]) => (two?.getBoundingClientRect().top ?? 0) - (one?.getBoundingClientRect().top ?? 0),
  )
  await expect.poll(() => windowOf(6 * rowHeight)).toBe(30 * rowHeight)

  await drawer.getByRole('tab', { name: 'Flat list' }).click()
  await drawer.getByRole('searchbox').fill(name)
  await expect.poll(() => windowOf(500)).toBe(30 * 60)
  await expect.poll(() => boxes.count()).toBeLessThan(20)
})

test('SQUAD-029 SQUAD-039 the grid asks every 30 s for what a squad carries', async ({
  page,
  makeConfigProfile,
  makeInternalSquad,
}) => {
  const profile = await makeConfigProfile()
  const squad = await makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  expect(squad).toMatchObject({ info: { membersCount: 0, inboundsCount: 1 }, inbounds: [{ uuid: profile.inbounds[0]?.uuid }] })
  await page.clock.install()
  let asked = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/internal-squads') asked += 1
  })
  await page.goto(SQUADS)
  await expect(card(page, squad.name)).toBeVisible()
  await page.clock.pauseAt(Date.now() + 3_600_000)
  const untilAsked = async (): Promise<number> => {
    const before = asked
    const answered = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/api/internal-squads'))
    const run = async () => {
      await page.clock.runFor(1000)
      return asked
    }
    await expect.poll(run, { intervals: [5] }).toBeGreaterThan(before)
    await answered
    return page.evaluate(() => Date.now())
  }
  const once = await untilAsked()
  const asks = asked
  await page.clock.runFor(20_000)
  expect(asked).toBe(asks)
  // The 30 s begin with the answer.
  expect((await untilAsked()) - once).toBeLessThan(55_000)
})

test('SQUAD-008 SQUAD-035 SQUAD-043 deleting a squad asks first', async ({ page, api, makeInternalSquad }) => {
  const squad = await makeInternalSquad()
  await page.goto(SQUADS)
  const choose = async () => {
    await card(page, squad.name)
      .getByRole('button', { name: `Actions for ${squad.name}` })
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  }
  await choose()
  const question = dialog(page, `Delete internal squad ${squad.name}?`)
  await expect(question).toContainText('This cannot be undone')
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await choose()
  const sent = page.waitForRequest((request) => request.method() === 'DELETE')
  await question.getByRole('button', { name: 'Delete' }).click()
  expect(new URL((await sent).url()).pathname).toBe(`/api/internal-squads/${squad.uuid}`)
  await expect(toast(page, 'Internal squad deleted successfully')).toBeVisible()
  await expect(card(page, squad.name)).toHaveCount(0)
  expect((await api(listInternalSquads, {})).internalSquads.map(({ uuid }) => uuid)).not.toContain(squad.uuid)
})

test('SQUAD-004 PROF-006 without squads and profiles the pages say so and hint at what to do', async ({ page }) => {
  test.setTimeout(90_000)
  const own = await startPanel()
  const { token, api } = await signedIn(own)
  for (const { uuid } of (await api(listInternalSquads, {})).internalSquads) await api(deleteInternalSquad, { uuid })
  for (const { uuid } of (await api(listConfigProfiles, {})).configProfiles) await api(deleteConfigProfile, { uuid })
  await page.goto(`${own.origin}/auth/login`)
  await page.evaluate((given) => localStorage.setItem('session', given), token)
  await page.goto(own.origin + SQUADS)
  await expect(page.getByText('No internal squads')).toBeVisible()
  await expect(page.getByText('Create the first one')).toBeVisible()
  await page.goto(`${own.origin}/dashboard/management/config-profiles`)
  await expect(page.getByText('No config profiles available')).toBeVisible()
  await own.close()
})
