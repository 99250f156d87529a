import { getInstallation, updateInstallation, type Installation } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const ADDRESS = '/dashboard/utils/installation'
const field = page.getByRole('combobox', { name: 'Time zone of days' })
const save = page.getByRole('button', { name: 'Save' })

beforeEach(() => {
  let installation: Installation = { timeZone: 'Europe/Berlin', sessionGeneration: '2.1', updatedAt: new Date(0).toISOString() }
  answer(getInstallation, () => installation)
  answer(
    updateInstallation,
    ({ timeZone, sessionGeneration, accent, isSecondFactorRequired = false, isCutOffImmediate = true }) => {
      installation = {
        ...installation,
        isSecondFactorRequired,
        isCutOffImmediate,
        ...(accent !== undefined && { accent }),
        ...(timeZone && { timeZone }),
        ...(sessionGeneration && { sessionGeneration }),
      }
      return installation
    },
  )
})

it('the zone is found by typing, says what time it is there, and is saved', async () => {
  await showPage(ADDRESS)
  await expect.element(field).toHaveValue('Europe/Berlin')
  await expect.element(save).toBeDisabled()
  // What is typed takes the place of what stands there.
  await field.click()
  await userEvent.keyboard('new york')
  await expect.element(page.getByRole('option', { name: /America\/New_York/ })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/There it is now .* \(GMT-[45]\)/)).toBeVisible()
  await expect.element(page.getByText(/does not begin again/)).toBeVisible()
  await save.click()
  await expect.poll(() => requests(updateInstallation)).toEqual([{ timeZone: 'America/New_York' }])
  await expect.element(page.getByText('The settings of the panel are saved')).toBeVisible()
})

it('WIRE-006 what programs speak that sign in by password is chosen and saved by itself', async () => {
  await showPage(ADDRESS)
  const programs = page.getByRole('combobox', { name: 'Programs that sign in by password' })
  await expect.element(programs).toHaveValue('Speak 2.1')
  await programs.click()
  await page.getByRole('option', { name: 'Speak 3.4' }).click()
  // The warning about days is of the other setting.
  expect(page.getByText(/does not begin again/).elements()).toEqual([])
  await save.click()
  await expect.poll(() => requests(updateInstallation)).toEqual([{ sessionGeneration: '3.4' }])
  await expect.element(programs).toHaveValue('Speak 3.4')
})

it('SIGN-007 a second factor is required of all by a switch', async () => {
  await showPage(ADDRESS)
  const required = page.getByRole('switch', { name: 'Require a second factor of all administrators' })
  await expect.element(required).not.toBeChecked()
  await required.click()
  await save.click()
  await expect.poll(() => requests(updateInstallation)).toEqual([{ isSecondFactorRequired: true }])
  await expect.element(required).toBeChecked()
})

it('the accent is a preset or any colour, seen at once when saved, and the states keep theirs', async () => {
  await showPage(ADDRESS)
  const colorOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name)
  const [own, good] = [colorOf('--accent'), colorOf('--good')]
  const violet = page.getByRole('button', { name: 'Violet' })
  await violet.click()
  await expect.element(violet).toHaveAttribute('aria-pressed', 'true')
  await save.click()
  await expect.poll(() => requests(updateInstallation)).toEqual([{ accent: '#9061f9' }])
  await expect.poll(() => colorOf('--accent')).not.toBe(own)
  expect(colorOf('--good')).toBe(good)
  expect(await violations()).toEqual([])
  await page.getByRole('textbox', { name: 'Another colour' }).fill('#FFEE00')
  await save.click()
  await expect.poll(() => requests(updateInstallation).at(-1)).toEqual({ accent: '#ffee00' })
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Cyan' }).click()
  await save.click()
  await expect.poll(() => requests(updateInstallation).at(-1)).toEqual({ accent: null })
  await expect.poll(() => colorOf('--accent')).toBe(own)
})

it('a zone that the server does not know is said at the field, and the page says nothing is saved', async () => {
  refuse(updateInstallation, {
    status: 400,
    message: 'Validation failed',
    errors: [{ code: 'custom', path: ['timeZone'], message: 'is not known to the database as Asia/Tokyo' }],
  })
  await showPage(ADDRESS)
  await field.fill('tokyo')
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await save.click()
  await expect.element(page.getByText('is not known to the database as Asia/Tokyo')).toBeVisible()
})

it('a phone shows it in Persian, from right to left, without a violation', async () => {
  await showPage(ADDRESS, { language: 'fa', ...PHONE })
  await expect.element(page.getByRole('combobox', { name: 'منطقهٔ زمانی روزها' })).toHaveValue('Europe/Berlin')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
  expect(await violations()).toEqual([])
})

it('PLUG-001 whether open connections end with access is a switch, which is on at first', async () => {
  await showPage(ADDRESS)
  const immediate = page.getByRole('switch', { name: 'Cut users off at once' })
  await expect.element(immediate).toBeChecked()
  await immediate.click()
  await save.click()
  await expect.poll(() => requests(updateInstallation)).toEqual([{ isCutOffImmediate: false }])
  await expect.element(immediate).not.toBeChecked()
})
