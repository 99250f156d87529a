import {
  addUsersToInternalSquad,
  changeUsers,
  createInternalSquad,
  deleteInternalSquad,
  getInternalSquad,
  listConfigProfiles,
  listInternalSquads,
  planChange,
  removeUsersFromInternalSquad,
  updateInternalSquad,
  type InternalSquad,
} from '@causeway/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, disconnect, hold, refuse, requests } from '../../../test/fake-api.ts'
import { sampleConfigProfile, sampleInbound, sampleInternalSquad, sampleLosses, samplePlan, uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const SQUADS = '/dashboard/management/internal-squads'
const friends = sampleInternalSquad()
const dialog = (name: string) => page.getByRole('dialog', { name })
const toast = (text: string) => page.getByRole('alert').filter({ hasText: text })
const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const profileOf = (name: string, tags: string[]) =>
  sampleConfigProfile({
    name,
    inbounds: tags.map((tag, index) => sampleInbound({ uuid: uuid(1000 + index), profileUuid: uuid(201), tag })),
  })

beforeEach(() => {
  given(friends)
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [profileOf('Main', ['FIRST', 'SECOND'])] }))
  answer(getInternalSquad, () => friends)
  answer(planChange, () => samplePlan())
})
afterEach(() => {
  vi.useRealTimers()
})

function given(...internalSquads: InternalSquad[]): void {
  answer(listInternalSquads, () => ({ total: internalSquads.length, internalSquads }))
}

/** Time runs as it does, and can be made to run faster. */
function holdClock(): void {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
}

async function choose(item: string, squad = friends.name): Promise<void> {
  await card(squad)
    .getByRole('button', { name: `Actions for ${squad}` })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

it('SQUAD-001 SQUAD-002 SQUAD-005 SQUAD-006 SQUAD-009 SQUAD-010 a card says who and what, and offers what can be done', async () => {
  const filled = sampleInternalSquad({
    uuid: uuid(302),
    name: 'Family',
    inbounds: [sampleInbound()],
    info: { membersCount: 3, inboundsCount: 1 },
  })
  given(filled, friends)
  await showPage(SQUADS)
  await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toHaveTextContent('Dashboard/Internal squads')
  await expect.element(page.getByRole('button', { name: 'Refresh internal squads' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'New internal squad' })).toBeVisible()
  const figures = (name: string) =>
    card(name)
      .getByRole('definition')
      .elements()
      .map(({ textContent }) => textContent)
  const accent = (name: string) => getComputedStyle(card(name).getByRole('heading').element().children[0]!).backgroundColor
  await expect.element(card('Family')).toBeVisible()
  expect(figures('Family')).toEqual(['3', '1'])
  expect(accent('Family')).toBe('rgb(56, 217, 169)')
  expect(figures('Friends')).toEqual(['0', '0'])
  expect(accent('Friends')).not.toBe(accent('Family'))
  await expect.element(card('Friends').getByRole('button', { name: 'Edit Friends' })).toBeVisible()

  await card('Friends').getByRole('button', { name: 'Actions for Friends' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Remove all users' })).toBeDisabled()
  await expect.element(page.getByRole('menuitem', { name: 'Add all users' })).toBeEnabled()
  await userEvent.keyboard('{Escape}')
  await card('Family').getByRole('button', { name: 'Actions for Family' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Remove all users' })).toBeEnabled()
})

it('SQUAD-003 the grid has four, three, two and one columns', async () => {
  await showPage(SQUADS)
  await expect.element(card('Friends')).toBeVisible()
  const grid = page.getByRole('list', { name: 'Internal squads' }).element()
  for (const [width, columns] of [
    [1600, 4],
    [1200, 3],
    [768, 2],
    [767, 1],
  ] as const) {
    await page.viewport(width, 900)
    expect(getComputedStyle(grid).gridTemplateColumns.split(' ')).toHaveLength(columns)
  }
})

it('SQUAD-004 without squads the page says so and hints at what to do', async () => {
  given()
  await showPage(SQUADS)
  await expect.element(page.getByText('No internal squads')).toBeVisible()
  await expect.element(page.getByText('Create the first one')).toBeVisible()
})

it('ERR-007 SQUAD-036 SQUAD-037 SQUAD-038 SQUAD-041 a name is checked while it is typed, and the server’s complaint stands under it', async () => {
  await showPage(`${SQUADS}?create=new`)
  const modal = dialog('New internal squad')
  const name = modal.getByLabelText('Name')
  const create = modal.getByRole('button', { name: 'Create' })
  await expect.element(create).toBeDisabled()
  await expect.element(name).toBeRequired()
  for (const [text, complaint] of [
    ['a', 'At least 2 characters'],
    ['dotted.name', 'Only letters, digits, underscores, dashes, and spaces between them'],
    ['a'.repeat(31), 'At most 30 characters'],
  ] as const) {
    await name.fill(text)
    await expect.element(modal.getByText(complaint)).toBeVisible()
    await expect.element(create).toBeDisabled()
  }
  refuse(createInternalSquad, { status: 400, message: 'Internal squad name already exists', code: 'A105' })
  await name.fill('taken')
  await create.click()
  await expect.element(modal.getByText('Internal squad name already exists')).toBeVisible()
  await expect.element(name).toHaveValue('taken')
  await expect.element(create).toBeEnabled()
  expect(requests(createInternalSquad)).toEqual([{ name: 'taken', inbounds: [] }])
  answer(createInternalSquad, () => friends)
  await name.fill('free')
  await create.click()
  await expect.element(toast('Internal squad created successfully')).toBeVisible()
  await expect.element(modal).not.toBeInTheDocument()
})

it('ERR-007 SQUAD-013 SQUAD-014 SQUAD-015 SQUAD-016 SQUAD-019 SQUAD-020 SQUAD-024 SQUAD-042 SQUAD-045 the drawer shows the squad and chooses among all inbounds', async () => {
  const counted = { ...friends, info: { membersCount: 7, inboundsCount: 0 } }
  given(counted)
  answer(getInternalSquad, () => counted)
  answer(updateInternalSquad, () => counted)
  await showPage(`${SQUADS}?edit=${friends.uuid}`)
  const drawer = dialog('Friends')
  const boxes = drawer.getByRole('checkbox')
  const selected = (count: string) => expect.element(drawer.getByText(`${count} selected`)).toBeVisible()
  await expect.element(drawer.getByText('7 members')).toBeVisible()
  expect(drawer.element().getBoundingClientRect().width).toBe(480)
  await expect.element(drawer.getByText(friends.uuid)).toBeVisible()
  await expect.element(drawer.getByRole('button', { name: 'Copy UUID' })).toBeVisible()
  await selected('0 inbounds')
  await expect.element(drawer.getByRole('button', { name: 'Update' })).toBeDisabled()

  const control = drawer.getByRole('button', { name: /^Main/ })
  await control.click()
  await drawer.getByRole('button', { name: 'Select all' }).click()
  await selected('2 inbounds')
  await expect.element(control).toMatchTextContent('2 of 2')
  await drawer.getByRole('button', { name: 'Unselect all' }).click()
  await selected('0 inbounds')
  await boxes.last().click()
  await selected('1 inbound')
  await drawer.getByRole('button', { name: 'Clear', exact: true }).click()
  await selected('0 inbounds')
  await drawer.getByRole('searchbox').fill('nothing of this name')
  await expect.element(drawer.getByText('No profiles or inbounds found')).toBeVisible()

  await drawer.getByRole('tab', { name: 'Flat list' }).click()
  await expect.poll(() => boxes.elements()).toHaveLength(2)
  await boxes.first().click()
  await drawer.getByText('Unselected', { exact: true }).click()
  await expect.poll(() => boxes.elements()).toHaveLength(1)
  await expect.element(boxes).not.toBeChecked()
  await drawer.getByText('Selected', { exact: true }).click()
  await expect.element(boxes).toBeChecked()
  await drawer.getByRole('button', { name: 'Update' }).click()
  await expect.poll(() => requests(updateInternalSquad)).toEqual([{ uuid: friends.uuid, inbounds: [uuid(1000)] }])
  await expect.element(toast('Internal squad updated successfully')).toBeVisible()
})

it('SQUAD-021 SQUAD-022 SQUAD-030 the drawer stays small with many inbounds, and changes no name', async () => {
  const many = profileOf(
    'Main',
    Array.from({ length: 30 }, (_, index) => `TAG_${index}`),
  )
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [many] }))
  answer(getInternalSquad, () => sampleInternalSquad({ inbounds: many.inbounds }))
  await showPage(`${SQUADS}?edit=${friends.uuid}`)
  const drawer = dialog('Friends')
  const boxes = drawer.getByRole('checkbox')
  await expect.poll(() => boxes.elements()).toHaveLength(30)
  expect(drawer.getByRole('textbox').elements()).toEqual([])
  /** How high the content is of what scrolls around the rows at this height. */
  const contentOf = (height: number): number | undefined => {
    for (let around = boxes.elements()[0]?.parentElement; around; around = around.parentElement)
      if (around.clientHeight === height && around.scrollHeight > height) return around.scrollHeight
    return undefined
  }
  const [first, second] = boxes.elements().map((one) => one.getBoundingClientRect().top)
  const rowHeight = (second ?? 0) - (first ?? 0)
  expect(rowHeight).toBeGreaterThan(0)
  await expect.poll(() => contentOf(6 * rowHeight)).toBe(30 * rowHeight)

  await drawer.getByRole('tab', { name: 'Flat list' }).click()
  await expect.poll(() => contentOf(500)).toBe(30 * 60)
  expect(boxes.elements().length).toBeLessThan(20)
})

it('SQUAD-007 SQUAD-031 SQUAD-032 SQUAD-044 adding all users is asked first, and what happens is said for 3 s', async () => {
  holdClock()
  answer(addUsersToInternalSquad, () => ({ eventSent: true }))
  const release = hold(addUsersToInternalSquad)
  await showPage(SQUADS)
  await choose('Add all users')
  expect(requests(addUsersToInternalSquad)).toEqual([])
  await dialog('Add all users to Friends?').getByRole('button', { name: 'Add all users' }).click()
  await expect.element(toast('Processing')).toMatchTextContent('This operation may take some time...')
  await vi.advanceTimersByTimeAsync(20_000)
  await expect.element(toast('Processing')).toBeVisible()
  const told = toast('Every user is being added to Friends. The card counts them as they join.')
  release()
  expect(await standingTime('Every user is being added to Friends. The card counts them as they join.')).toBe(3)
  expect(told.query()).toBeNull()
  expect(requests(addUsersToInternalSquad)).toEqual([{ uuid: friends.uuid }])
})

it('SQUAD-033 a task that fails says so for 5 s, in the server’s words if it has some', async () => {
  holdClock()
  const members = sampleInternalSquad({ info: { membersCount: 2, inboundsCount: 0 } })
  given(members)
  await showPage(SQUADS)
  for (const [fail, text] of [
    [
      () => refuse(removeUsersFromInternalSquad, { status: 500, message: 'Internal squad bulk actions error' }),
      'Internal squad bulk actions error',
    ],
    [() => disconnect(removeUsersFromInternalSquad), 'Unknown error'],
  ] as const) {
    fail()
    await choose('Remove all users')
    await dialog('Remove all users from Friends?').getByRole('button', { name: 'Remove all users' }).click()
    expect(await standingTime(text)).toBe(5)
  }
})

/** How many seconds a toast stands that is about to appear. */
async function standingTime(text: string): Promise<number> {
  await expect.element(toast(text)).toBeVisible()
  let seconds = 0
  // The clock stands still but for what a test lets pass, lest a slow machine be part of what is measured.
  vi.setTimerTickMode('manual')
  for (; seconds < 20 && toast(text).query() !== null; seconds++) await vi.advanceTimersByTimeAsync(1000)
  vi.setTimerTickMode('interval', 20)
  return seconds
}

it('SQUAD-039 the grid asks every 30 s', async () => {
  holdClock()
  const askedAt: number[] = []
  answer(listInternalSquads, () => {
    askedAt.push(Date.now())
    return { total: 1, internalSquads: [friends] }
  })
  await showPage(SQUADS)
  await expect.element(card('Friends')).toBeVisible()
  for (let seconds = 0; seconds < 70 && askedAt.length < 3; seconds++) await vi.advanceTimersByTimeAsync(1000)
  const [, second = 0, third = 0] = askedAt
  expect(third - second).toBeGreaterThanOrEqual(30_000)
  expect(third - second).toBeLessThan(32_000)
})

it('ERR-007 SQUAD-008 SQUAD-035 SQUAD-043 SQUAD-046 deleting a squad asks first', async () => {
  answer(deleteInternalSquad, () => ({ isDeleted: true }))
  await showPage(SQUADS)
  await choose('Delete')
  const question = dialog('Delete internal squad Friends?')
  await expect.element(question).toMatchTextContent('It can be undone in History.')
  await userEvent.keyboard('{Escape}')
  await expect.element(question).not.toBeInTheDocument()
  expect(requests(deleteInternalSquad)).toEqual([])
  await choose('Delete')
  given()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect.element(toast('Internal squad deleted successfully')).toBeVisible()
  await expect.element(card('Friends')).not.toBeInTheDocument()
  expect(requests(deleteInternalSquad)).toEqual([{ uuid: friends.uuid }])
})

it('a squad that loses an inbound asks only where somebody loses something, and a deletion says who', async () => {
  const both = ['FIRST', 'SECOND'].map((tag, index) => sampleInbound({ uuid: uuid(1000 + index), tag }))
  const squad = sampleInternalSquad({ inbounds: both })
  given(squad)
  answer(getInternalSquad, () => squad)
  answer(updateInternalSquad, ({ inbounds = [] }) => ({ ...squad, inbounds: both.filter((one) => inbounds.includes(one.uuid)) }))
  const drawer = dialog('Friends')
  const takeSecond = async (): Promise<void> => {
    await showPage(`${SQUADS}?edit=${squad.uuid}`)
    await drawer.getByRole('tab', { name: 'Flat list' }).click()
    await drawer.getByRole('checkbox').last().click()
    await drawer.getByRole('button', { name: 'Update' }).click()
  }
  // Nobody is in it: one click, as before.
  await takeSecond()
  await expect.poll(() => requests(updateInternalSquad)).toHaveLength(1)

  const plan = samplePlan({
    squads: [{ uuid: squad.uuid, name: 'Friends', tags: ['SECOND'] }],
    hosts: [{ uuid: uuid(501), name: 'Poland', loses: 'users' }],
    users: sampleLosses({ some: 4, all: 0, online: 1 }),
  })
  answer(planChange, () => plan)
  await takeSecond()
  const question = dialog('What this save does')
  await expect.element(question).toMatchTextContent('4 users lose a part of it. 1 of them is online now, on whichever node.')
  await expect.element(question).toMatchTextContent(/Hosts that leave the subscriptions of some users\s*Poland/)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(question).not.toBeInTheDocument()
  expect(requests(updateInternalSquad)).toHaveLength(1)
  await drawer.getByRole('button', { name: 'Update' }).click()
  await question.getByRole('button', { name: 'Save now' }).click()
  await expect.poll(() => requests(updateInternalSquad)).toHaveLength(2)
  expect(requests(planChange)[0]).toEqual({ saveSquad: { uuid: squad.uuid, inbounds: [uuid(1000)] } })

  await showPage(SQUADS)
  await choose('Delete')
  await expect
    .element(dialog('Delete internal squad Friends?').getByRole('group', { name: 'What this does' }))
    .toMatchTextContent('4 users lose a part of it.')
  expect(requests(planChange).at(-1)).toEqual({ deleteSquad: { uuid: squad.uuid } })
})

it('a squad is renamed, and its members are moved to another or looked at as a list', async () => {
  const family = sampleInternalSquad({ uuid: uuid(302), name: 'Family', info: { membersCount: 3, inboundsCount: 0 } })
  given(friends, family)
  answer(updateInternalSquad, ({ name }) => ({ ...family, name: name ?? family.name }))
  answer(changeUsers, () => ({ affectedRows: 3 }))
  await showPage(SQUADS)
  await expect
    .element(card('Family').getByRole('link', { name: 'Show 3 members of Family' }))
    .toHaveAttribute('href', expect.stringContaining(`activeInternalSquads=${family.uuid}`))

  await choose('Rename', 'Family')
  const rename = dialog('Rename Family')
  await expect.element(rename.getByRole('button', { name: 'Rename' })).toBeDisabled()
  refuse(updateInternalSquad, { status: 409, message: 'Internal squad name already exists', code: 'A120' })
  await rename.getByLabelText('Name').fill('Friends')
  await rename.getByRole('button', { name: 'Rename' }).click()
  await expect.element(rename.getByText('Internal squad name already exists')).toBeVisible()
  answer(updateInternalSquad, () => ({ ...family, name: 'Kin' }))
  await rename.getByLabelText('Name').fill('Kin')
  await rename.getByRole('button', { name: 'Rename' }).click()
  await expect.poll(() => requests(updateInternalSquad).at(-1)).toEqual({ uuid: family.uuid, name: 'Kin' })
  await expect.element(rename).not.toBeInTheDocument()

  await choose('Move members to…', 'Family')
  const move = dialog('Move members of Family')
  await move.getByRole('combobox', { name: 'To squad' }).click()
  await page.getByRole('option', { name: 'Friends' }).click()
  await move.getByRole('button', { name: 'Move 3 members' }).click()
  await expect
    .poll(() => requests(changeUsers))
    .toEqual([
      {
        filters: [{ id: 'activeInternalSquads', value: family.uuid }],
        expected: 3,
        change: { kind: 'squads', mode: 'move', from: family.uuid, squads: [friends.uuid] },
      },
    ])
  await expect.element(toast('Moving 3 members')).toBeVisible()
})

it('on a phone a name of the greatest width is shortened at its end, and moves nothing out of sight', async () => {
  const name = 'W'.repeat(30)
  given(friends, sampleInternalSquad({ uuid: uuid(391), name }))
  await showPage(SQUADS, { ...PHONE, language: 'fa' })
  await expect.element(page.getByRole('heading', { name })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(PHONE.width)
  expect(getComputedStyle(page.getByText(name).element()).direction).toBe('ltr')
})

it('more squads than fit many screens are drawn as somebody comes near them', async () => {
  given(...Array.from({ length: 150 }, (_, i) => sampleInternalSquad({ uuid: uuid(i + 1), name: `squad-${i}` })))
  await showPage(SQUADS)
  await expect.element(card('squad-0')).toBeVisible()
  const headings = () => page.getByRole('main').getByRole('heading', { level: 2 }).elements()
  expect(headings().length).toBeLessThan(150)
  await expect
    .poll(() => {
      window.scrollTo(0, document.documentElement.scrollHeight)
      return headings().at(-1)?.textContent
    })
    .toBe('squad-149')
})
