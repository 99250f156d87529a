import {
  bulkUpdateAllUsers,
  extendUsers,
  getSystemStats,
  getUsersImpact,
  listInternalSquads,
  listUsers,
  listUserTags,
  previewExpiry,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, requests } from '../../../../test/fake-api.ts'
import { sampleSystemStats, sampleUser, uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'

const USERS = '/dashboard/management/users'
const drawer = page.getByRole('dialog', { name: 'All users' })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

beforeEach(() => {
  answer(getSystemStats, () => sampleSystemStats())
  answer(listUserTags, () => ({ tags: [] }))
  answer(listInternalSquads, () => ({ total: 0, internalSquads: [] }))
  answer(listUsers, () => ({ users: [sampleUser(), sampleUser({ uuid: uuid(2), username: 'bob' })], total: 2 }))
  answer(previewExpiry, ({ expireAt }) => ({ users: 30, past: 4, endless: 2, movedBack: expireAt === undefined ? 0 : 12 }))
  answer(getUsersImpact, () => ({ users: 30, onlineNow: 3, nodes: 1 }))
  answer(extendUsers, () => ({ affectedRows: 30 }))
})

it('selected users are extended by a month: who starts today is said before, and asked about', async () => {
  await showPage(USERS)
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  await button(/^Change .* users?…$/).click()
  const note = page.getByRole('note').first()
  await expect.element(note).toHaveTextContent('30 users, 4 of them expired: these start today · 2 never expire and stay so')
  await button('Extend by 1 month').click()
  const asked = page.getByRole('dialog', { name: 'Extend these users by 1 month?' })
  await expect.element(asked).toMatchTextContent('4 of them expired: these start today')
  await asked.getByRole('button', { name: 'Extend', exact: true }).click()
  await expect.poll(() => requests(extendUsers)).toEqual([{ uuids: [uuid(1), uuid(2)], months: 1 }])
})

it.each([
  ['en', 'Extend by 10 days', 'Days', 'Extend by'],
  ['fa', 'تمدید به مدت \u2068۱۰ روز\u2069', 'روز', 'تمدید به مدت'],
] as const)('days for everyone, on a phone in %s', async (language, action, days, field) => {
  await showPage(`${USERS}?bulk=all`, { language, ...PHONE })
  await page.getByRole('textbox', { name: field, exact: true }).fill('10')
  await page.getByText(days, { exact: true }).first().click()
  await expect.element(button(action)).toBeVisible()
  expect(await violations()).toEqual([])
})

it('one date for all says for how many it moves back', async () => {
  answer(bulkUpdateAllUsers, () => ({ eventSent: true }))
  await showPage(`${USERS}?bulk=all`)
  await drawer.getByRole('checkbox', { name: 'Expiry' }).click()
  await expect.element(drawer.getByText('12 of 30 have a later expiry: it moves back.')).toBeVisible()
  await button('Update all users').click()
  const asked = page.getByRole('dialog', { name: 'Update all users?' })
  await expect.element(asked.getByText('12 of 30 have a later expiry: it moves back.')).toBeVisible()
})

it('more than can be added is said, and nothing is asked or sent until it is right', async () => {
  await showPage(`${USERS}?bulk=all`)
  const field = page.getByRole('textbox', { name: 'Extend by', exact: true })
  for (const [text, sentence] of [
    ['365', 'Must be from 1 to 120.'],
    ['0', 'Must be from 1 to 120.'],
    ['1.5', 'Must be a whole number.'],
  ] as const) {
    await field.fill(text)
    await userEvent.tab()
    await expect.element(page.getByText(sentence)).toBeVisible()
    await expect.element(field).toHaveValue(text)
    await expect.element(button('Extend by')).toBeDisabled()
  }
  await field.fill('365')
  await page.getByText('Days', { exact: true }).first().click()
  await expect.element(button('Extend by 365 days')).toBeEnabled()
})
