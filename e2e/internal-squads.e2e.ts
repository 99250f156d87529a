import { getInternalSquad, listInternalSquads } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { uniqueName } from './stage/seeding.ts'

const SQUADS = '/dashboard/management/internal-squads'
const toast = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** A name that fits into the 20 characters of a squad. */
const squadName = () => uniqueName('sq')

async function choose(page: Page, name: string, item: string): Promise<void> {
  await card(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('SQUAD-011 SQUAD-012 SQUAD-016 SQUAD-029 SQUAD-034 SQUAD-040 SQUAD-042 SQUAD-046 a squad is named, created, given its inbounds and deleted', async ({
  page,
  api,
  makeConfigProfile,
}) => {
  const profile = await makeConfigProfile()
  const name = squadName()
  await page.goto(`${SQUADS}?create=new`)
  const modal = dialog(page, 'New internal squad')
  await modal.getByLabel('Name').fill(name)
  await modal.getByRole('button', { name: 'Create' }).click()
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
  expect(await api(getInternalSquad, { uuid: squad?.uuid ?? '' })).toMatchObject({
    uuid: squad?.uuid,
    name,
    info: { membersCount: 0, inboundsCount: 1 },
    inbounds: [{ uuid: profile.inbounds[0]?.uuid }],
  })

  await choose(page, name, 'Delete')
  await dialog(page, `Delete internal squad ${name}?`).getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Internal squad deleted successfully')).toBeVisible()
  await expect(card(page, name)).toHaveCount(0)
  expect((await api(listInternalSquads, {})).internalSquads.map((one) => one.name)).not.toContain(name)
})

test('SQUAD-007 SQUAD-032 SQUAD-044 all users are added and removed in the background', async ({
  page,
  api,
  makeInternalSquad,
  makeUser,
}) => {
  const squad = await makeInternalSquad()
  await makeUser()
  const members = async (): Promise<number> => (await api(getInternalSquad, { uuid: squad.uuid })).info.membersCount
  await page.goto(SQUADS)
  const steps = [
    ['Add all users', /^Every user is being added to/],
    ['Remove all users', /being removed from/],
  ] as const
  for (const [item, told] of steps) {
    await choose(page, squad.name, item)
    await dialog(page, `${item} `).getByRole('button', { name: item }).click()
    await expect(toast(page, told)).toBeVisible()
    if (item === 'Add all users') await expect.poll(members).toBeGreaterThan(0)
    else await expect.poll(members).toBe(0)
    await page.getByRole('button', { name: 'Refresh internal squads' }).click()
    await expect(card(page, squad.name).getByRole('definition').first()).toHaveText(String(await members()))
    await expect(toast(page, told)).toHaveCount(0)
  }
})
