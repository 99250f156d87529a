import {
  createUser,
  getInternalSquad,
  listConfigProfiles,
  updateInternalSquad,
  getHwidSettings,
  getUser,
  getUsersImpact,
  listInternalSquads,
  listUserTags,
  updateUser,
  type User,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, disconnect, refuse, requests } from '../../../../test/fake-api.ts'
import { sampleConfigProfile, sampleInternalSquad, sampleUser, uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const USERS = '/dashboard/management/users'
const GIB = 1024 ** 3
const CARDS = ['Identity', 'Contact', 'Device and tag', 'Traffic and limits', 'Access settings']
const create = page.getByRole('dialog', { name: 'New user' })
const edit = page.getByRole('dialog', { name: 'Edit user' })
const question = (title: string) => page.getByRole('dialog', { name: title })
const boxOf = (name: string) => create.getByRole('group', { name }).element().getBoundingClientRect()
const mediumDate = (at: Date) => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(at)

beforeEach(() => {
  localStorage.removeItem('newUserChoices')
  answerSmallPanel()
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: true, fallbackDeviceLimit: 5 }))
  answer(listUserTags, () => ({ tags: ['KNOWN_TAG'] }))
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [sampleInternalSquad()] }))
  answer(getUsersImpact, () => ({ users: 1, onlineNow: 0, nodes: 0 }))
})

async function openCreate(): Promise<void> {
  await showPage(`${USERS}?create=user`)
  await expect.element(create.getByRole('group', { name: 'Identity' })).toBeVisible()
}

async function openEdit(user: User): Promise<void> {
  answer(getUser, () => user)
  await showPage(`${USERS}?edit=${user.uuid}`)
  await expect.element(edit.getByRole('button', { name: 'Save' })).toBeVisible()
}

it('USER-032 USER-033 USER-053 USER-057 USER-062 USER-044 USER-092 the create form opens empty in its cards, with its defaults', async () => {
  await openCreate()
  for (const card of CARDS) await expect.element(create.getByRole('group', { name: card })).toBeVisible()
  expect(create.element().getBoundingClientRect().width).toBe(1000)
  const [identity, traffic, contact] = [boxOf('Identity'), boxOf('Traffic and limits'), boxOf('Contact')]
  expect(traffic.x).toBeGreaterThanOrEqual(identity.right)
  expect(traffic.y).toBe(identity.y)
  expect(contact.x).toBe(identity.x)
  await expect.element(create.getByRole('textbox', { name: 'Data limit (GiB)' })).toHaveValue('0')
  const strategy = create.getByRole('combobox', { name: 'Traffic limit strategy' })
  await expect.element(strategy).toHaveValue('No reset')
  await strategy.click()
  const options = page.getByRole('listbox').getByRole('option')
  await expect.poll(() => options.elements().map((one) => one.textContent)).toEqual(['No reset', 'Daily', 'Weekly', 'Monthly'])
  await userEvent.keyboard('{Escape}')
  const inAMonth = new Date()
  inAMonth.setUTCMonth(inAMonth.getUTCMonth() + 1)
  expect(create.getByRole('textbox', { name: 'Expires at' }).element()).toHaveProperty(
    'value',
    expect.stringContaining(mediumDate(inAMonth)),
  )
  await create.getByRole('button', { name: 'Create user' }).click()
  await expect.element(create.getByText('This field is required')).toBeVisible()
  expect(requests(createUser)).toEqual([])
})

it('a new user is in the only squad there is', async () => {
  answer(createUser, () => sampleUser())
  await openCreate()
  await create.getByRole('textbox', { name: 'Username' }).fill('newcomer')
  await create.getByRole('button', { name: 'Create user' }).click()
  await expect.poll(() => requests(createUser)[0]?.activeInternalSquads).toEqual([sampleInternalSquad().uuid])
})

it('of several squads none is chosen, and a user in none is asked about: nothing can be reached', async () => {
  const squads = [301, 302].map((id) => sampleInternalSquad({ uuid: uuid(id), name: `Squad ${id}` }))
  answer(listInternalSquads, () => ({ total: 2, internalSquads: squads }))
  answer(createUser, () => sampleUser())
  await openCreate()
  await create.getByRole('textbox', { name: 'Username' }).fill('newcomer')
  await create.getByRole('button', { name: 'Create user' }).click()
  await expect.element(question('Create without a squad?')).toBeVisible()
  expect(requests(createUser)).toEqual([])
  await question('Create without a squad?').getByRole('button', { name: 'Create without' }).click()
  await expect.poll(() => requests(createUser)).toHaveLength(1)
  expect(requests(createUser)[0]?.activeInternalSquads ?? []).toEqual([])
})

it('the next new user gets the squads and the time of the last one', async () => {
  const squads = [301, 302, 303].map((id) => sampleInternalSquad({ uuid: uuid(id), name: `Squad ${id}` }))
  answer(listInternalSquads, () => ({ total: 3, internalSquads: squads }))
  answer(createUser, () => sampleUser())
  localStorage.setItem('newUserChoices', JSON.stringify({ squads: [uuid(302), uuid(999)], lasting: { months: 3 } }))
  await openCreate()
  const inThree = new Date()
  inThree.setUTCMonth(inThree.getUTCMonth() + 3)
  expect(create.getByRole('textbox', { name: 'Expires at' }).element()).toHaveProperty(
    'value',
    expect.stringContaining(mediumDate(inThree)),
  )
  await create.getByRole('textbox', { name: 'Username' }).fill('newcomer')
  await create.getByRole('button', { name: 'Create user' }).click()
  // A squad that has gone is not asked for.
  await expect.poll(() => requests(createUser)[0]?.activeInternalSquads).toEqual([uuid(302)])
  expect(JSON.parse(localStorage.getItem('newUserChoices') ?? '')).toEqual({ squads: [uuid(302)], lasting: { months: 3 } })
})

it('USER-058 USER-059 USER-060 the expiry starts today, offers times of the day, and never stays unreadable', async () => {
  await openCreate()
  await create.getByRole('button', { name: 'Clear the date' }).click()
  const sentence = 'Invalid date. Please select a valid date. Defaulting to 1 month from now.'
  await expect.element(create.getByText(sentence)).toBeVisible()
  const inAMonth = new Date()
  inAMonth.setUTCMonth(inAMonth.getUTCMonth() + 1)
  const field = create.getByRole('textbox', { name: 'Expires at' })
  await expect.element(field).toHaveValue(expect.stringMatching(`^${mediumDate(inAMonth)}`))

  await field.click()
  const calendar = page.getByRole('dialog', { name: 'Calendar' })
  const name = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format()
  const today = calendar.getByRole('button', { name })
  const back = calendar.getByRole('button', { name: 'Previous month' })
  await expect.element(back).toBeVisible()
  while (!today.query()) await back.click()
  await expect.element(today).toBeEnabled()
  await expect.element(back).toBeDisabled()
  const times = calendar.getByRole('group', { name: 'Times of the day' }).getByRole('button')
  const offered = ['06:00', '07:30', '09:00', '10:30', '12:00', '13:30', '15:00', '16:30', '18:00']
  expect(times.elements().map((one) => one.textContent)).toEqual(offered)
  await times.nth(1).click()
  await expect.element(field).toHaveValue(expect.stringMatching(/7:30 AM$/))
})

it('USER-031 on a phone the create form fills the screen, in one column', async () => {
  localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } }))
  await showPage(`${USERS}?create=user`, PHONE)
  await expect.element(create.getByRole('group', { name: 'Identity' })).toBeVisible()
  expect(create.element().getBoundingClientRect()).toMatchObject({ x: 0, y: 0, ...PHONE })
  const [identity, traffic] = [boxOf('Identity'), boxOf('Traffic and limits')]
  expect(traffic.x).toBe(identity.x)
  expect(traffic.y).toBeGreaterThan(identity.y)
})

it('USER-052 USER-055 USER-063 USER-065 USER-066 USER-067 USER-084 each field says what is wrong with it when it is left', async () => {
  answer(createUser, ({ username }) => sampleUser({ username }))
  await openCreate()
  const username = create.getByRole('textbox', { name: 'Username' })
  for (const [text, complaint] of [
    ['ab', /at least 3/i],
    ['a'.repeat(37), /at most 36/i],
    ['with space', /only letters, digits/i],
  ] as const) {
    await username.fill(text)
    await userEvent.tab()
    await expect.element(create.getByText(complaint)).toBeVisible()
  }
  await username.fill('abc')
  await userEvent.tab()
  await expect.element(username).not.toHaveAttribute('aria-invalid', 'true')

  const email = create.getByRole('textbox', { name: 'Email' })
  await email.fill('a@b')
  await userEvent.tab()
  await expect.element(create.getByText(/e-mail address/)).toBeVisible()

  const telegram = create.getByRole('textbox', { name: 'Telegram ID' })
  await telegram.click()
  for (const [text, sentence] of [
    ['-1', 'Must be at least 1.'],
    ['12.5', 'Must be a whole number.'],
    ['@anna', 'This is a name. Telegram ID is a number: the user gets it from a bot such as @userinfobot.'],
    ['12345678901234567890', 'This has more digits than can be kept.'],
  ] as const) {
    await telegram.fill(text)
    await userEvent.tab()
    await expect.element(create.getByText(sentence)).toBeVisible()
    await expect.element(telegram).toHaveValue(text)
  }
  await telegram.fill('۱۵')

  const tag = create.getByRole('textbox', { name: 'Tag' })
  await tag.fill('vip')
  await expect.element(tag).toHaveValue('VIP')
  await tag.fill('v-p')
  await expect.element(create.getByText('Tag can only contain uppercase letters, numbers, underscores')).toBeVisible()
  await tag.fill('A'.repeat(16))
  await expect.element(create.getByText('Tag must be less than 16 characters')).toBeVisible()
  await tag.fill('KNOWN')
  await expect.element(page.getByRole('option', { name: 'KNOWN_TAG' })).toBeVisible()
  await page.getByRole('option', { name: '+ KNOWN' }).click()
  await expect.element(tag).toHaveValue('KNOWN')

  const limit = create.getByRole('textbox', { name: 'HWID device limit' })
  await limit.fill('3')
  await create.getByRole('checkbox', { name: 'Disable the HWID limit for this user' }).click()
  await expect.element(limit).toBeDisabled()
  await email.fill('')
  await create.getByRole('button', { name: 'Create user' }).click()
  await expect.poll(() => requests(createUser)).toMatchObject([{ hwidDeviceLimit: 0, telegramId: 15, tag: 'KNOWN' }])
})

it('USER-088 a complaint of the server lands on its field', async () => {
  const errors = [{ code: 'custom', path: ['trafficLimitBytes'], message: 'too much for this tariff' }]
  refuse(createUser, { status: 400, message: 'Validation failed', errors })
  await openCreate()
  await create.getByRole('textbox', { name: 'Username' }).fill('alice')
  await create.getByRole('button', { name: 'Create user' }).click()
  await expect.element(create.getByText('too much for this tariff')).toBeVisible()
  const limit = create.getByRole('textbox', { name: 'Data limit (GiB)' })
  await expect.element(limit).toHaveAttribute('aria-invalid', 'true')
  await expect.element(create.getByRole('button', { name: 'Create user' })).toBeEnabled()
})

it('USER-034 USER-035 USER-036 USER-037 USER-054 the edit form shows who it is and the same cards', async () => {
  const user = sampleUser()
  await openEdit(user)
  const status = edit.getByRole('region', { name: 'Status' })
  await expect.element(status).toMatchTextContent('Active')
  for (const [label, value] of [
    ['Username', user.username],
    ['Short UUID', user.shortUuid],
    ['Subscription URL', user.subscriptionUrl],
  ] as const) {
    await expect.element(status.getByRole('group', { name: label }).getByTitle(value)).toBeVisible()
    await expect.element(status.getByRole('button', { name: `Copy ${label}` })).toBeVisible()
  }
  // The link leads to a name of the Internet: nothing is wrong with it.
  await expect.element(edit).not.toMatchTextContent(/SUB_PUBLIC_DOMAIN/)
  for (const card of CARDS) await expect.element(edit.getByRole('group', { name: card })).toBeVisible()
  await expect.element(edit.getByRole('textbox', { name: 'Username' })).toBeDisabled()
  await expect.element(edit.getByRole('button', { name: 'More actions' })).toBeVisible()
})

it('a change that cuts a user off says whom it touches before it is saved', async () => {
  const user = sampleUser({ trafficLimitBytes: 10 * GIB })
  answer(updateUser, () => ({ ...user, trafficLimitBytes: GIB }))
  await openEdit(user)
  await edit.getByRole('textbox', { name: 'Data limit (GiB)' }).fill('1')
  await edit.getByRole('button', { name: 'Save' }).click()
  const asked = question('Restrict the access of alice?')
  await expect.element(asked.getByRole('note')).toHaveTextContent('1 user · 0 online now · 0 nodes')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  expect(requests(updateUser)).toEqual([])
  await edit.getByRole('button', { name: 'Save' }).click()
  await asked.getByRole('button', { name: 'Save' }).click()
  await expect.element(edit).not.toBeInTheDocument()
  expect(requests(updateUser)).toMatchObject([{ uuid: user.uuid, trafficLimitBytes: GIB }])
})

it.each(['', '0'])('a data limit of “%s” where one was is asked about before it is none', async (text) => {
  const user = sampleUser({ trafficLimitBytes: 10 * GIB })
  answer(updateUser, () => ({ ...user, trafficLimitBytes: 0 }))
  await openEdit(user)
  await edit.getByRole('textbox', { name: 'Data limit (GiB)' }).fill(text)
  await edit.getByRole('button', { name: 'Save' }).click()
  const asked = question('Remove the data limit of alice?')
  await expect.element(asked).toMatchTextContent('The limit is 10.00 GiB now.')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(asked).not.toBeInTheDocument()
  expect(requests(updateUser)).toEqual([])
  await edit.getByRole('button', { name: 'Save' }).click()
  await asked.getByRole('button', { name: 'Remove the limit' }).click()
  await expect.element(edit).not.toBeInTheDocument()
  expect(requests(updateUser)).toMatchObject([{ uuid: user.uuid, trafficLimitBytes: 0 }])
})

it('a new user has a limit that was typed, or one that was said to be none', async () => {
  answer(createUser, ({ username }) => sampleUser({ username }))
  await openCreate()
  await create.getByRole('textbox', { name: 'Username' }).fill('alice')
  const limit = create.getByRole('textbox', { name: 'Data limit (GiB)' })
  const submit = create.getByRole('button', { name: 'Create user' })
  for (const [text, sentence] of [
    ['', 'Enter a number.'],
    ['2.5.1', '“2.5.1” is not a number.'],
  ] as const) {
    await limit.fill(text)
    await submit.click()
    await expect.element(create.getByText(sentence)).toBeVisible()
  }
  const expiry = create.getByRole('textbox', { name: 'Expires at' })
  await expiry.fill('Jan 1, 2020')
  await limit.fill('2.5 GB')
  await submit.click()
  await expect.element(create.getByText('“Jan 1, 2020” is too early.')).toBeVisible()
  expect(requests(createUser)).toEqual([])
  await create.getByRole('button', { name: '1 month' }).click()
  await submit.click()
  await expect.poll(() => requests(createUser)).toMatchObject([{ trafficLimitBytes: 2.5 * GIB }])
})

it('unsaved input is not lost without a question', async () => {
  await openEdit(sampleUser())
  const description = edit.getByRole('textbox', { name: 'Description' })
  await description.fill('half a thought')
  await userEvent.keyboard('{Escape}')
  await question('Discard changes?').getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(description).toHaveValue('half a thought')
  await edit.getByRole('button', { name: 'Cancel' }).click()
  await question('Discard changes?').getByRole('button', { name: 'Discard' }).click()
  await expect.element(edit).not.toBeInTheDocument()
})

it('while the server is away a save fails with a sentence and can be repeated', async () => {
  const user = sampleUser()
  await openEdit(user)
  await edit.getByRole('textbox', { name: 'Description' }).fill('patient')
  disconnect(getUser)
  disconnect(updateUser)
  await edit.getByRole('button', { name: 'Save' }).click()
  const told = page.getByRole('alert').filter({ hasText: 'Update User' })
  await expect.element(told).toMatchTextContent('Request failed with unknown error.')
  await expect.element(edit.getByRole('alert').filter({ hasText: 'The server does not answer' })).toBeVisible()
  answer(getUser, () => user)
  answer(updateUser, () => ({ ...user, description: 'patient' }))
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect.element(edit).not.toBeInTheDocument()
  expect(requests(updateUser).at(-1)).toMatchObject({ description: 'patient' })
})

it('the forms have no accessibility violations', async () => {
  await openCreate()
  await expect.element(create.getByRole('textbox', { name: 'Username' })).toHaveFocus()
  expect(await violations('[role=dialog]')).toEqual([])
  await openEdit(sampleUser())
  expect(await violations('[role=dialog]')).toEqual([])
})

it('the edit form is seen whole at 1440 × 900, with as many squads as there are', async () => {
  const internalSquads = Array.from({ length: 12 }, (_, place) =>
    sampleInternalSquad({ uuid: uuid(300 + place), name: `Squad ${place}` }),
  )
  answer(listInternalSquads, () => ({ total: 12, internalSquads }))
  await openEdit(sampleUser({ description: 'Pays by the quarter' }))
  await expect.element(edit.getByRole('checkbox', { name: 'Squad 0' })).toBeVisible()
  const content = edit.element()
  expect(content.scrollHeight).toBeLessThanOrEqual(content.clientHeight)
  const save = edit.getByRole('button', { name: 'Save' }).element().getBoundingClientRect()
  expect(save.bottom).toBeLessThan(900)
  const group = edit.getByRole('group', { name: 'Access settings' }).element().getBoundingClientRect()
  expect(group.bottom).toBeLessThan(save.top)
})

it('SQUAD-025 a squad is changed from the form of a user, and the form keeps what was typed', async () => {
  const squad = sampleInternalSquad()
  answer(getInternalSquad, () => squad)
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile()] }))
  answer(updateInternalSquad, () => sampleInternalSquad({ info: { membersCount: 0, inboundsCount: 1 } }))
  await openEdit(sampleUser())
  await edit.getByRole('textbox', { name: 'Description' }).fill('typed')
  await edit.getByRole('button', { name: 'Edit Friends' }).click()
  const drawer = page.getByRole('dialog', { name: 'Friends' })
  await drawer.getByRole('button', { name: /^Main profile/ }).click()
  await drawer.getByRole('checkbox').first().click()
  await drawer.getByRole('button', { name: 'Update' }).click()
  await expect.element(drawer).not.toBeInTheDocument()
  expect(requests(updateInternalSquad)).toHaveLength(1)
  // The user is not saved by the squad's form.
  expect(requests(updateUser)).toEqual([])
  await expect.element(edit.getByRole('textbox', { name: 'Description' })).toHaveValue('typed')
})
