import {
  createExternalSquad,
  deleteExternalSquad,
  getExternalSquad,
  getSubscriptionSettings,
  listExternalSquads,
  listPageConfigs,
  listSubscriptionTemplates,
  planExternalSquad,
  previewSubscription,
  reorderExternalSquads,
  updateExternalSquad,
  type ExternalSquad,
  type ExternalSquadPlan,
} from '@causeway/contract'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, requests } from '../../../test/fake-api.ts'
import { samplePreview, sampleSubscriptionSettings, uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const SQUADS = '/dashboard/management/external-squads'
const MIHOMO = [
  {
    uuid: uuid(901),
    templateType: 'MIHOMO' as const,
    templateJson: null,
    encodedTemplateYaml: '',
    name: 'Default',
    isDefault: true,
  },
  {
    uuid: uuid(902),
    templateType: 'MIHOMO' as const,
    templateJson: null,
    encodedTemplateYaml: '',
    name: 'Games',
    isDefault: false,
  },
]

function squadOf(given: Partial<ExternalSquad> = {}): ExternalSquad {
  return {
    uuid: uuid(801),
    name: 'Gold',
    info: { membersCount: 12 },
    templates: [],
    subscriptionSettings: null,
    hostOverrides: null,
    responseHeaders: null,
    responseHeadersAdd: {},
    responseHeadersRemove: [],
    hwidSettings: null,
    customRemarks: null,
    subpageConfigUuid: null,
    viewPosition: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...given,
  }
}
const full = squadOf({
  templates: [{ templateType: 'MIHOMO', templateUuid: uuid(902) }],
  subscriptionSettings: { randomizeHosts: true, profileTitle: 'kept' },
  hostOverrides: { serverDescription: 'for gold', vlessRouteId: 7 },
  responseHeadersAdd: { 'x-plan': 'gold' },
  responseHeadersRemove: ['support-url'],
  hwidSettings: { enabled: true, fallbackDeviceLimit: 2, maxDevicesAnnounce: null },
  customRemarks: { expiredUsers: ['over'], limitedUsers: ['used'], disabledUsers: ['off'], emptyHosts: ['none'] },
  subpageConfigUuid: uuid(811),
})

const NOTHING: ExternalSquadPlan = {
  users: 12,
  active: 9,
  leaving: [],
  isSample: false,
  apps: 68,
  changes: [],
  statuses: [],
  devices: null,
  page: null,
}

function given(...externalSquads: ExternalSquad[]): void {
  answer(listExternalSquads, () => ({ total: externalSquads.length, externalSquads }))
  answer(getExternalSquad, ({ uuid: asked }) => externalSquads.find((one) => one.uuid === asked) ?? squadOf())
}

beforeEach(() => {
  given(full, squadOf({ uuid: uuid(802), name: 'Press', info: { membersCount: 0 } }))
  answer(listSubscriptionTemplates, () => ({ total: 2, templates: MIHOMO }))
  answer(getSubscriptionSettings, () => sampleSubscriptionSettings())
  answer(listPageConfigs, () => ({
    total: 1,
    configs: [{ uuid: uuid(811), viewPosition: 1, name: 'Gold page', config: {} }],
  }))
  answer(previewSubscription, () => samplePreview())
  answer(updateExternalSquad, () => full)
  answer(planExternalSquad, () => NOTHING)
})

const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

test('XSQ-002 a card says how many are in a squad and which parts it changes, and leads to its members', async () => {
  await showPage(SQUADS)
  for (const part of ['Templates', 'Settings', 'Hosts', 'Headers', 'Device limit', 'Remarks', 'Subscription page'])
    await expect.element(card('Gold').getByText(part, { exact: true })).toBeVisible()
  await expect.element(card('Press').getByText('Changes nothing yet')).toBeVisible()
  const members = card('Gold').getByRole('link', { name: 'Show 12 members of Gold' })
  expect(members.element().getAttribute('href')).toContain(`externalSquadUuid=${uuid(801)}`)
})

test('XSQ-002 each override stands beside what it replaces, and only the parts that were changed are sent', async () => {
  await showPage(SQUADS)
  await card('Gold').getByRole('button', { name: 'Edit Gold' }).click()
  const drawer = dialog('Gold')
  await expect.element(drawer.getByRole('combobox', { name: 'Mihomo' })).toHaveValue('Games')
  await expect
    .element(drawer.getByRole('combobox', { name: 'JSON for apps that read it' }))
    .toHaveValue('As in the settings (Off)')
  await expect.element(drawer.getByText('no limit', { exact: true })).toBeVisible()
  await drawer.getByRole('textbox', { name: 'Description of servers' }).fill('for all')
  await drawer.getByRole('textbox', { name: 'Add' }).fill('x-plan: gold\nno header')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect.element(drawer.getByText('"no header" is no header: write a name, a colon and a value.')).toBeVisible()
  expect(requests(updateExternalSquad)).toEqual([])
  await drawer.getByRole('textbox', { name: 'Add' }).fill('x-plan: gold: new')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => requests(updateExternalSquad))
    .toEqual([
      {
        uuid: uuid(801),
        hostOverrides: { serverDescription: 'for all', vlessRouteId: 7 },
        responseHeadersAdd: { 'x-plan': 'gold: new' },
      },
    ])
})

test('XSQ-002 a save that changes subscriptions says first whose, and in which apps, and is sent only when that is wanted', async () => {
  const of = (app: string, after: 'links' | 'xray-json'): ExternalSquadPlan['changes'][number] => {
    return { app, platform: 'iOS', before: 'links', after, headers: ['x-plan'], isBodyChanged: true }
  }
  const changes = [of('Happ', 'links'), of('Streisand', 'xray-json')]
  const devices = { before: null, after: 2, full: 3 }
  const page_ = { before: null, after: 'Gold page' }
  const plan: ExternalSquadPlan = { ...NOTHING, changes, statuses: ['EXPIRED'], devices, page: page_ }
  answer(planExternalSquad, () => plan)
  await showPage(`${SQUADS}?edit=${uuid(801)}`)
  const drawer = dialog('Gold')
  await drawer.getByRole('textbox', { name: 'Description of servers' }).fill('for all')
  await drawer.getByRole('button', { name: 'Save' }).click()
  const question = dialog('Save Gold?')
  await expect.element(question).toMatchTextContent(/12 users get another subscription. 9 of them are active./)
  await expect.element(question).toMatchTextContent(/2 of 68.*Happ, Streisand.*Streisand: Share links → Xray JSON.*x-plan/)
  await expect
    .element(question)
    .toMatchTextContent(/expired.*no limit → 2 devices.*Default → Gold page.*3 active users have as many/)
  expect(await violations('[role=dialog]')).toEqual([])
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(requests(updateExternalSquad)).toEqual([])
  await drawer.getByRole('button', { name: 'Save' }).click()
  await question.getByRole('button', { name: 'Save' }).click()
  const edit = { hostOverrides: { serverDescription: 'for all', vlessRouteId: 7 } }
  await expect.poll(() => requests(updateExternalSquad)).toEqual([{ uuid: uuid(801), ...edit }])
  expect(requests(planExternalSquad).at(-1)).toEqual({ uuid: uuid(801), change: 'save', edit })
})

test('XSQ-002 a member is previewed with the squad and without it', async () => {
  await showPage(SQUADS)
  await card('Gold').getByRole('button', { name: 'Preview Gold' }).click()
  await expect.poll(() => requests(previewSubscription)).toMatchObject([{ externalSquadUuid: uuid(801) }])
  await dialog('Subscription with Gold').getByText('Without it', { exact: true }).click()
  await expect.poll(() => requests(previewSubscription).at(-1)).toMatchObject({ externalSquadUuid: null })
})

test('XSQ-002 a squad is made by a name and opened at once; deleting one says whom it concerns', async () => {
  answer(createExternalSquad, ({ name }) => squadOf({ uuid: uuid(803), name }))
  answer(deleteExternalSquad, () => ({ isDeleted: true }))
  answer(planExternalSquad, () => ({ ...NOTHING, page: { before: 'Gold page', after: null } }))
  await showPage(SQUADS)
  await page.getByRole('button', { name: 'New external squad' }).click()
  await dialog('New external squad').getByRole('textbox', { name: 'Name' }).fill('Family')
  await dialog('New external squad').getByRole('button', { name: 'Create' }).click()
  await expect.element(dialog('Family')).toBeVisible()
  await dialog('Family').getByRole('button', { name: 'Close' }).first().click()
  await card('Gold').getByRole('button', { name: 'Actions for Gold' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect.element(page.getByText('12 members get the settings of the subscription again.')).toBeVisible()
  await expect.element(page.getByText('Gold page → Default')).toBeVisible()
  expect(requests(planExternalSquad)).toEqual([{ uuid: uuid(801), change: 'delete' }])
  await dialog(/Delete external squad Gold/)
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect.poll(() => requests(deleteExternalSquad)).toEqual([{ uuid: uuid(801) }])
})

test.each([
  ['en', {}],
  ['fa', { ...PHONE, colorScheme: 'light' }],
] as const)('in %s the page and its drawer stand at %o without violations and sideways scrolling', async (language, view) => {
  await showPage(`${SQUADS}?edit=${uuid(801)}`, { language, ...view })
  await expect.element(page.getByRole('dialog').getByText('x-plan: gold')).toBeInTheDocument()
  await expect.poll(() => violations()).toEqual([])
  await expect.poll(() => document.documentElement.scrollWidth - window.innerWidth).toBeLessThanOrEqual(0)
})

test('XSQ-002 squads are put into another order by keyboard, and saved as a whole', async () => {
  const [gold, trial, vip] = [squadOf(), squadOf({ uuid: uuid(802), name: 'Trial' }), squadOf({ uuid: uuid(803), name: 'VIP' })]
  answer(listExternalSquads, () => ({ total: 3, externalSquads: [gold, trial, vip] }))
  answer(reorderExternalSquads, () => ({ total: 3, externalSquads: [vip, gold, trial] }))
  await showPage(SQUADS)
  await page.getByRole('button', { name: 'Change order' }).click()
  const dialog = page.getByRole('dialog', { name: 'Order' })
  await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  expect(await violations('[role=dialog]')).toEqual([])
  dialog.getByRole('button', { name: 'Move VIP' }).element().focus()
  await userEvent.keyboard(' {ArrowUp}{ArrowUp} ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const places = [vip, gold, trial].map((squad, viewPosition) => ({ uuid: squad.uuid, viewPosition }))
  await expect.poll(() => requests(reorderExternalSquads)).toEqual([{ items: places }])
  await expect.element(dialog).not.toBeInTheDocument()
})
