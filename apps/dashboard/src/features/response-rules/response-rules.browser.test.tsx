import {
  defaultResponseRules,
  getResponseRulesRevision,
  getSubscriptionSettings,
  listResponseRulesRevisions,
  listSubscriptionRequests,
  listSubscriptionTemplates,
  previewResponseRules,
  updateSubscriptionSettings,
  type Reply,
  type SubscriptionSettings,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { sampleSubscriptionSettings, uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const PAGE = '/dashboard/management/response-rules'
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const list = page.getByRole('list', { name: 'Response rules' })
const rows = () => list.getByRole('listitem')
const names = () =>
  rows()
    .elements()
    .map((row) => row.querySelector('button:not([aria-roledescription])')?.textContent)
const aside = page.getByRole('complementary', { name: 'What saving would change' })
const answered = (type: 'XRAY_BASE64' | 'XRAY_JSON' | 'BLOCK', ruleName: string | null = null) => ({
  type,
  ruleName,
  isMatched: true,
})

const effects: Reply<typeof previewResponseRules> = {
  apps: [
    {
      name: 'Happ',
      platform: 'iOS',
      userAgent: 'Happ/3',
      before: answered('XRAY_BASE64'),
      after: answered('XRAY_JSON', 'Happ'),
      isChanged: true,
    },
    {
      name: 'curl',
      platform: 'Linux',
      userAgent: 'curl/8',
      before: answered('XRAY_BASE64'),
      after: answered('XRAY_BASE64', 'All others'),
      isChanged: false,
    },
  ],
  requests: {
    userAgents: 7,
    users: 12,
    changed: [
      {
        userAgent: 'Happ/3.1',
        users: 12,
        before: answered('XRAY_BASE64'),
        after: answered('XRAY_JSON', 'Happ'),
        isChanged: true,
      },
    ],
  },
  missingTemplates: [],
  trial: { before: answered('XRAY_BASE64'), after: answered('BLOCK', 'Mihomo'), isChanged: true, conditions: [[null], [true]] },
}

let settings: SubscriptionSettings
beforeEach(() => {
  settings = sampleSubscriptionSettings({ responseRules: defaultResponseRules })
  answer(getSubscriptionSettings, () => settings)
  answer(updateSubscriptionSettings, ({ responseRules }) => (settings = { ...settings, responseRules }))
  answer(previewResponseRules, () => effects)
  answer(listSubscriptionTemplates, () => ({ total: 0, templates: [] }))
  answer(listSubscriptionRequests, () => ({ total: 0, records: [] }))
  answer(listResponseRulesRevisions, () => ({ revisions: [] }))
})
const saved = () =>
  requests(updateSubscriptionSettings)
    .at(-1)
    ?.responseRules?.rules.map(({ name }) => name)
const lastAsked = () => requests(previewResponseRules).at(-1)

async function save(reason = ''): Promise<void> {
  await button('Save').click()
  const dialog = page.getByRole('dialog', { name: 'Save response rules' })
  if (reason !== '') await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason)
  await dialog.getByRole('button', { name: 'Save' }).click()
}

it('RULE-002: rules read as sentences, are moved by keyboard, switched off, copied and deleted, and saved with a reason', async () => {
  await showPage(PAGE)
  await expect.element(rows().nth(1)).toMatchTextContent(/Mihomo.*If .*user-agent.* matches .*: Mihomo/)
  await expect.element(rows().last()).toMatchTextContent(/Every request: Base64 links/)
  expect(await violations('main')).toEqual([])
  button('Move Stash').element().focus()
  await userEvent.keyboard(' ')
  await expect.element(page.getByText('Stash is lifted, at place 3 of 6.')).toBeInTheDocument()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(page.getByText('Stash is over place 2 of 6.')).toBeInTheDocument()
  await userEvent.keyboard(' ')
  await expect.poll(names).toEqual(['Browsers', 'Stash', 'Mihomo', 'sing-box', 'Clash', 'All others'])
  page.getByRole('switch', { name: 'Rule Clash is on' }).element().focus()
  await userEvent.keyboard(' ')
  await button('Actions on Stash').click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await button('Actions on Browsers').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect.poll(names).toEqual(['Stash', 'Stash 2', 'Mihomo', 'sing-box', 'Clash', 'All others'])
  await save('less is more')
  await expect.poll(saved).toEqual(['Stash', 'Stash 2', 'Mihomo', 'sing-box', 'Clash', 'All others'])
  const sent = requests(updateSubscriptionSettings).at(-1)
  expect(sent).toMatchObject({ uuid: settings.uuid, reason: 'less is more' })
  expect(sent?.responseRules?.rules[4]?.enabled).toBe(false)
  expect(Object.keys(sent ?? {}).toSorted()).toEqual(['reason', 'responseRules', 'uuid'])
})

it('RULE-002: beside the rules stands what apps, users and a typed request would get, before saving', async () => {
  await showPage(PAGE)
  await expect.element(aside.getByText('1 of 2 known apps gets another answer.')).toBeVisible()
  await expect.element(aside.getByRole('listitem').first()).toMatchTextContent(/Happ iOS.*Base64 links.*Xray JSON by “.*Happ.*”/)
  await aside.getByRole('checkbox', { name: 'Changed only' }).click()
  await expect.poll(() => aside.getByRole('listitem').elements().length).toBe(1)
  await aside.getByRole('tab', { name: 'Users' }).click()
  await expect.element(aside.getByText('12 users get another answer.')).toBeVisible()
  await aside.getByRole('tab', { name: 'Try it' }).click()
  await aside.getByRole('textbox', { name: 'Headers of a request' }).fill('User-Agent: Mihomo/1\nx-device-os: iOS')
  await expect
    .poll(lastAsked)
    .toMatchObject({ headers: { 'user-agent': 'Mihomo/1', 'x-device-os': 'iOS' }, responseRules: defaultResponseRules })
  const result = aside.getByRole('status', { name: 'Result' })
  await expect
    .element(result)
    .toMatchTextContent(/Base64 links.*Refused \(403\) by “.*Mihomo.*”.*Browsers.*header missing.*Mihomo.*holds/)
  expect(requests(updateSubscriptionSettings)).toEqual([])
})

it('RULE-002: a rule is edited by its fields, and mistakes stand at their places', async () => {
  await showPage(`${PAGE}?rule=2`)
  const drawer = page.getByRole('dialog', { name: 'Rule 3' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Clash')
  await expect.element(drawer.getByText('This is the name of rule 5 as well')).not.toBeInTheDocument()
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Stash apps')
  await drawer.getByRole('button', { name: 'Add header' }).click()
  await drawer.getByRole('textbox', { name: 'Name of header 1' }).fill('cache-control')
  await expect.element(drawer.getByText(/cache-control is set by the server/)).toBeVisible()
  await drawer.getByRole('textbox', { name: 'Name of header 1' }).fill('x-mine')
  await drawer.getByRole('textbox', { name: 'Value of header 1' }).fill('1')
  const message = 'Rule “Stash apps”, condition 1: the pattern cannot be used: looking ahead or behind is not supported'
  refuse(previewResponseRules, {
    status: 400,
    errors: [{ code: 'custom', path: ['responseRules', 'rules', '2', 'conditions', '0', 'value'], message }],
  })
  await drawer.getByRole('textbox', { name: 'Value', exact: true }).fill('^stash(?=x)')
  await expect.element(drawer.getByText(message)).toBeVisible()
  await drawer.getByRole('button', { name: 'Done' }).click()
  await expect.element(rows().nth(2)).toMatchTextContent(/Stash apps.*1 header/)
  await expect.element(rows().nth(2).getByText(message)).toBeVisible()
})

it('RULE-006: published rules are imported, and a former revision is taken back', async () => {
  settings = sampleSubscriptionSettings({ responseRules: null })
  const revision = { number: 3, at: '2026-11-01T00:00:00.000Z', actorKind: 'admin', actorName: 'ann', reason: 'before the move' }
  answer(listResponseRulesRevisions, () => ({ revisions: [revision] }))
  answer(getResponseRulesRevision, () => ({ ...revision, content: JSON.stringify(defaultResponseRules, null, 2) }))
  await showPage(PAGE)
  await expect.element(page.getByText('Formats follow the user agent.', { exact: false })).toBeVisible()
  await button('Import').click()
  const dialog = page.getByRole('dialog', { name: 'Import rules' })
  await dialog.getByRole('textbox', { name: 'JSON of rules' }).fill('nothing')
  await expect.element(dialog.getByText('This is no JSON with rules in it.')).toBeVisible()
  const rule =
    '{ "name": "Happ", "enabled": true, "operator": "AND", "conditions": [], "responseType": "XRAY_JSON", "author": "x" }'
  await dialog.getByRole('textbox', { name: 'JSON of rules' }).fill(`[${rule}, ${rule}] // twice`)
  await dialog.getByRole('button', { name: 'Take rules' }).click()
  await expect.poll(names).toEqual(['Happ', 'Happ 2'])
  await save()
  await expect.poll(saved).toEqual(['Happ', 'Happ 2'])
  await button('Revisions').click()
  await page.getByRole('button', { name: 'Go back to revision 3' }).click()
  const plan = page.getByRole('dialog', { name: 'Save response rules' })
  await expect.element(plan.getByRole('textbox', { name: 'Reason' })).toHaveValue('Back to revision 3')
  await plan.getByRole('button', { name: 'Save' }).click()
  await expect.poll(saved).toEqual(defaultResponseRules.rules.map(({ name }) => name))
})

it('RULE-004: recorded requests are filtered by the rule that answered them, and tried again', async () => {
  const record = (id: number, userAgent: string, srrRuleName: string | null) => ({
    id,
    userUuid: uuid(1),
    requestIp: null,
    userAgent,
    requestAt: '2026-11-01T00:00:00.000Z',
    srrRuleName,
    srrResponseType: 'MIHOMO',
  })
  const records = [record(2, 'FlClash/1', 'Mihomo'), record(1, 'Happ/1', null)]
  answer(listSubscriptionRequests, ({ filters }) => {
    const found = filters ? records.slice(0, 1) : records
    return { total: found.length, records: found }
  })
  await showPage(PAGE)
  await aside.getByRole('tab', { name: 'Try it' }).click()
  const recorded = aside.getByRole('region', { name: 'Recorded requests' })
  await expect.poll(() => recorded.getByRole('listitem').elements().length).toBe(2)
  await recorded.getByRole('combobox', { name: 'Answered by rule' }).click()
  await page.getByRole('option', { name: 'Mihomo' }).click()
  await expect.poll(() => recorded.getByRole('listitem').elements().length).toBe(1)
  expect(requests(listSubscriptionRequests).at(-1)).toMatchObject({ filters: [{ id: 'srrRuleName', value: 'Mihomo' }] })
  await recorded.getByRole('button', { name: /FlClash/ }).click()
  await expect
    .element(aside.getByRole('textbox', { name: 'Headers of a request' }))
    .toHaveValue('user-agent: FlClash/1\naccept: */*')
})

it('on a phone in Persian nothing is wider than the screen', async () => {
  await showPage(PAGE, { ...PHONE, language: 'fa' })
  await expect.poll(() => document.querySelectorAll('[data-index]').length).toBe(6)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
})
