import {
  createInfraBillingNode,
  createInfraBillingRecord,
  createInfraProvider,
  getInfraProvider,
  getInstallation,
  listInfraBillingNodes,
  listInfraProviders,
  updateInfraBillingNode,
  updateInfraProvider,
} from '@causeway/contract'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answerBilling, billingView } from '../../../test/billing.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { sampleBillingNode, sampleBillingRecord, sampleProvider, uuid } from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'

const BILLING = '/dashboard/crm/infra-billing'
const dialog = (name: string) => page.getByRole('dialog', { name })
const toast = (text: string) => page.getByRole('alert').filter({ hasText: text })
const day = (year: number, month: number, date: number) => new Date(year, month - 1, date).toISOString()

beforeEach(() => {
  answerBilling({ providers: [sampleProvider()], bills: [sampleBillingNode()] })
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 15, 12) })
  return () => vi.useRealTimers()
})

async function choose(inDialog: ReturnType<typeof dialog>, field: string, option: string): Promise<void> {
  await inDialog.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}

it('BILL-008 BILL-024 BILL-026 BILL-027 BILL-028 BILL-043 BILL-059 a payment needs a provider and an amount, and is sent whole', async () => {
  answer(createInfraBillingRecord, () => ({ records: [sampleBillingRecord()], total: 1 }))
  await showPage(`${BILLING}?record=new`)
  const modal = dialog('New billing record')
  const create = modal.getByRole('button', { name: 'Create' })
  const amount = modal.getByLabelText('Amount')
  await create.click()
  await expect.element(modal.getByText('At least $0.01')).toBeVisible()
  await amount.fill('1.234,56')
  await modal.getByLabelText('Billed on').click()
  await expect.element(amount).toHaveValue('1234.56')
  await create.click()
  await expect.element(toast('Please select a provider')).toMatchTextContent('Error')
  expect(toast('Please select a provider').element().getAttribute('style')).toContain('red')
  expect(requests(createInfraBillingRecord)).toEqual([])
  await choose(modal, 'Provider', 'Hoster')
  await create.click()
  await expect.element(page.getByText('Infra billing record created successfully')).toBeVisible()
  expect(requests(createInfraBillingRecord)).toEqual([{ providerUuid: uuid(601), amount: 1234.56, billedAt: day(2026, 11, 15) }])
  await expect.poll(() => modal.query()).toBeNull()
})

it.each([
  ['0', 'Must be at least 0.01.'],
  ['-5', 'Must be at least 0.01.'],
  ['0.125', 'At most 2 decimal places.'],
  ['1,234', '“1,234” may mean 1234 or 1.234.'],
])('BILL-027 BILL-028 an amount of “%s” stays as it was typed, and is said: %s', async (text, sentence) => {
  await showPage(`${BILLING}?record=new`)
  const modal = dialog('New billing record')
  await modal.getByLabelText('Amount').fill(text)
  await userEvent.keyboard('{Enter}')
  await expect.element(modal.getByText(sentence)).toBeVisible()
  await expect.element(modal.getByLabelText('Amount')).toHaveValue(text)
  expect(requests(createInfraBillingRecord)).toEqual([])
})

it.each([
  ['record', 'New billing record'],
  ['bill', 'New billing node'],
])('what a new %s asks for is all to be seen before a list covers it; Escape closes the dialog', async (search, name) => {
  await showPage(`${BILLING}?${search}=new`)
  const provider = dialog(name).getByRole('combobox', { name: 'Provider' })
  await expect.element(provider).toHaveFocus()
  expect(
    page
      .getByRole('option')
      .elements()
      .filter((one) => one.checkVisibility()),
  ).toEqual([])
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(page.getByRole('option', { name: 'Hoster' })).toBeVisible()
  await userEvent.keyboard('{Escape}{Escape}')
  await expect.poll(() => dialog(name).query()).toBeNull()
})

it('a bill is paid from its row: the provider is chosen already, and the next one is expected a month later', async () => {
  const bill = sampleBillingNode({ nextBillingAt: day(2026, 11, 30) })
  answerBilling({ providers: [sampleProvider()], bills: [bill] })
  answer(createInfraBillingRecord, () => ({ records: [sampleBillingRecord()], total: 1 }))
  answer(updateInfraBillingNode, () => billingView([bill]))
  await showPage(BILLING)
  await page.getByRole('button', { name: 'Paid: record a payment for Warsaw at Hoster' }).click()
  const modal = dialog('New billing record')
  await expect.element(modal.getByLabelText('Amount')).toHaveFocus()
  await expect.element(modal.getByRole('combobox', { name: 'Provider' })).toHaveValue('Hoster')
  await expect.element(modal.getByRole('checkbox', { name: 'Expect the next bill of Warsaw on Dec 30, 2026' })).toBeChecked()
  await userEvent.keyboard('20{Enter}')
  await expect.poll(() => requests(updateInfraBillingNode)).toEqual([{ uuid: bill.uuid, nextBillingAt: day(2026, 12, 30) }])
  expect(requests(createInfraBillingRecord)).toEqual([{ providerUuid: uuid(601), amount: 20, billedAt: day(2026, 11, 15) }])
  await expect.poll(() => modal.query()).toBeNull()
})

it('days are those of the installation, and a monthly bill of the 31st is due on the 31st again', async () => {
  answer(getInstallation, () => ({ timeZone: 'Europe/Moscow', updatedAt: day(2026, 1, 1) }))
  // 28 February there, and still the 27th for the reader.
  const bill = sampleBillingNode({ nextBillingAt: '2027-02-27T21:00:00.000Z', billingDay: 31 })
  answerBilling({ providers: [sampleProvider()], bills: [bill] })
  answer(createInfraBillingRecord, () => ({ records: [sampleBillingRecord()], total: 1 }))
  answer(updateInfraBillingNode, () => billingView([bill]))
  await showPage(`${BILLING}?record=${bill.uuid}`)
  await expect.element(page.getByRole('row', { name: /Warsaw Hoster Feb 28, 2027/ })).toBeVisible()
  const modal = dialog('New billing record')
  await expect.element(modal.getByRole('checkbox', { name: 'Expect the next bill of Warsaw on Mar 31, 2027' })).toBeChecked()
  await modal.getByLabelText('Amount').fill('20')
  await modal.getByRole('button', { name: 'Create' }).click()
  const moved = { uuid: bill.uuid, nextBillingAt: '2027-03-30T21:00:00.000Z' }
  await expect.poll(() => requests(updateInfraBillingNode)).toEqual([moved])
  const paid = { providerUuid: uuid(601), amount: 20, billedAt: '2026-11-14T21:00:00.000Z' }
  expect(requests(createInfraBillingRecord)).toEqual([paid])
})

it('where there is no provider yet, what is paid leads to making one', async () => {
  answerBilling()
  await showPage(`${BILLING}?record=new`)
  await dialog('New billing record').getByRole('button', { name: 'New provider' }).click()
  await expect.element(dialog('New provider').getByRole('textbox', { name: 'Name' })).toBeVisible()
  await expect.poll(() => dialog('New billing record').query()).toBeNull()
})

it('BILL-025 the day of a payment is required, and tomorrow at the latest', async () => {
  await showPage(`${BILLING}?record=new`)
  const modal = dialog('New billing record')
  const field = modal.getByLabelText('Billed on')
  await expect.element(field).toHaveValue('Nov 15, 2026')
  await field.click()
  const days = (name: string) => page.getByRole('button', { name })
  await expect.element(days('November 16, 2026')).toBeEnabled()
  await expect.element(days('November 17, 2026')).toBeDisabled()
  for (const [text, sentence] of [
    ['', 'Enter a date.'],
    ['17.11.2026', '“17.11.2026” is too late. The latest is Nov 16, 2026.'],
    ['31.11.2026', '“31.11.2026” is not a date.'],
  ] as const) {
    await field.fill(text)
    await modal.getByRole('button', { name: 'Create' }).click()
    await expect.element(modal.getByText(sentence)).toBeVisible()
    await expect.element(field).toHaveValue(text)
  }
  expect(requests(createInfraBillingRecord)).toEqual([])
})

it('BILL-029 BILL-030 BILL-031 BILL-044 a billing node needs provider, node and a day from yesterday on; the answer is the new list', async () => {
  const made = sampleBillingNode({ uuid: uuid(655), node: { uuid: uuid(402), name: 'Vilnius', countryCode: 'LT' } })
  answer(createInfraBillingNode, () => billingView([sampleBillingNode(), made]))
  await showPage(`${BILLING}?bill=new`)
  const modal = dialog('New billing node')
  const create = modal.getByRole('button', { name: 'Create' })
  await create.click()
  await expect.element(modal.getByText('Choose a date')).toBeVisible()
  await modal.getByLabelText('Next bill').click()
  await expect.element(page.getByRole('button', { name: 'November 13, 2026' })).toBeDisabled()
  await page.getByRole('button', { name: 'November 14, 2026' }).click()
  await create.click()
  await expect.element(toast('Please select a provider and billing node')).toMatchTextContent('Error')
  await choose(modal, 'Provider', 'Hoster')
  await choose(modal, 'Node', 'Vilnius')
  const before = requests(listInfraBillingNodes).length
  await create.click()
  await expect.element(page.getByText('Infra billing node created successfully')).toBeVisible()
  const body = { providerUuid: uuid(601), nodeUuid: uuid(402), nextBillingAt: day(2026, 11, 14) }
  expect(requests(createInfraBillingNode)).toEqual([body])
  await expect.element(page.getByRole('row', { name: /Vilnius/ })).toBeVisible()
  expect(requests(listInfraBillingNodes)).toHaveLength(before)
})

it('BILL-036 BILL-037 BILL-038 BILL-045 a bill’s date is moved to a chosen day or a preset, two years ahead at most', async () => {
  const moved = sampleBillingNode({ nextBillingAt: day(2026, 12, 15) })
  answer(updateInfraBillingNode, () => billingView([moved]))
  await showPage(`${BILLING}?date=${uuid(651)}`)
  const modal = dialog('Change the date')
  const update = modal.getByRole('button', { name: 'Update' })
  const field = modal.getByLabelText('New date')
  await expect.element(update).toBeDisabled()
  await field.fill('2028-11-16')
  await userEvent.tab()
  await expect.element(update).toBeDisabled()
  for (const [preset, shown] of [
    ['Today', 'Nov 15, 2026'],
    ['Tomorrow', 'Nov 16, 2026'],
    ['Next month', 'Dec 15, 2026'],
  ] as const) {
    await modal.getByRole('button', { name: preset }).click()
    await expect.element(field).toHaveValue(shown)
  }
  await update.click()
  await expect.element(page.getByText('Infra billing node updated successfully')).toBeVisible()
  expect(requests(updateInfraBillingNode)).toEqual([{ uuid: uuid(651), nextBillingAt: day(2026, 12, 15) }])
  await expect.element(page.getByRole('row', { name: /Warsaw Hoster Dec 15, 2026/ })).toBeVisible()
})

it('BILL-051 a date that could not be moved is not kept silent about; the dialog stays', async () => {
  refuse(updateInfraBillingNode, { status: 404, code: 'A136', message: 'This billing node does not exist any more.' })
  await showPage(`${BILLING}?date=${uuid(651)}`)
  const modal = dialog('Change the date')
  await modal.getByRole('button', { name: 'Tomorrow' }).click()
  await modal.getByRole('button', { name: 'Update' }).click()
  await expect.element(toast('This billing node does not exist any more.')).toBeVisible()
  await expect.element(modal).toBeVisible()
})

it('BILL-007 BILL-032 BILL-039 BILL-058 a new provider needs a name and two links, in a drawer of 480 px', async () => {
  answer(createInfraProvider, () => sampleProvider())
  await showPage(`${BILLING}?provider=new`)
  const drawer = dialog('New provider')
  const create = drawer.getByRole('button', { name: 'Create' })
  await expect.element(create).toBeVisible()
  await expect.poll(() => drawer.element().getBoundingClientRect().width).toBe(480)
  await create.click()
  await expect.element(drawer.getByText('At least 2 characters')).toBeVisible()
  expect(drawer.getByText('Must be a URL').elements()).toHaveLength(2)
  await drawer.getByLabelText('Name').fill('Hoster')
  await drawer.getByLabelText('Link to an icon').fill('hoster')
  await drawer.getByLabelText('Login page').fill('https://hoster.example/login')
  await create.click()
  await expect.poll(() => drawer.getByText('Must be a URL').elements().length).toBe(1)
  await drawer.getByLabelText('Link to an icon').fill('https://hoster.example/icon.png')
  await drawer.getByLabelText('Name').click()
  await expect.poll(() => violations('[role=dialog]')).toEqual([])
  await create.click()
  await expect.element(page.getByText('Infra provider created successfully')).toBeVisible()
  const body = { name: 'Hoster', faviconLink: 'https://hoster.example/icon.png', loginUrl: 'https://hoster.example/login' }
  expect(requests(createInfraProvider)).toEqual([body])
})

it('BILL-007 BILL-033 a provider is looked at and changed in a drawer, where the links may be empty', async () => {
  const provider = sampleProvider({ faviconLink: null })
  answer(getInfraProvider, () => provider)
  answer(updateInfraProvider, ({ name }) => sampleProvider({ name: name ?? '', loginUrl: null }))
  await showPage(`${BILLING}?provider=${uuid(601)}`)
  const drawer = dialog('Provider')
  await expect.element(drawer.getByLabelText('Name')).toHaveValue('Hoster')
  await expect.element(drawer.getByLabelText('Login page')).toHaveValue('https://hoster.example/login')
  await drawer.getByLabelText('Name').fill('Renamed')
  await drawer.getByLabelText('Login page').fill('')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Infra provider updated successfully')).toBeVisible()
  expect(requests(updateInfraProvider)).toEqual([{ uuid: uuid(601), name: 'Renamed', loginUrl: null }])
  expect(requests(listInfraProviders).length).toBeGreaterThan(1)
})

it('BILL-034 BILL-035 BILL-048 BILL-049 BILL-050 what the server has against a form stands at its fields, the rest in red toasts', async () => {
  await showPage(`${BILLING}?provider=new`)
  const drawer = dialog('New provider')
  await drawer.getByLabelText('Name').fill('Hoster')
  await drawer.getByLabelText('Link to an icon').fill('javascript:alert(1)')
  await drawer.getByLabelText('Login page').fill('https://hoster.example')
  const issue = (path: string[], message: string) => ({ code: 'custom', path, message })
  refuse(createInfraProvider, {
    status: 400,
    message: 'Validation failed',
    errors: [issue(['faviconLink'], 'must begin with https:// or http://'), issue([], 'no more providers today')],
  })
  await drawer.getByRole('button', { name: 'Create' }).click()
  await expect.element(drawer.getByText('Must begin with https:// or http://')).toBeVisible()
  await expect.element(toast('no more providers today')).toMatchTextContent('Create Infra Provider')
  // Nothing says that it is still going on.
  expect(page.getByText('Processing…').query()).toBeNull()
  await toast('no more providers today').getByRole('button', { name: 'Close' }).click()

  refuse(createInfraProvider, { status: 409, code: 'A130', message: 'A provider of this name exists already.' })
  await drawer.getByRole('button', { name: 'Create' }).click()
  await expect.element(toast('A provider of this name exists already.')).toBeVisible()
  await expect.element(drawer).toBeVisible()
})
