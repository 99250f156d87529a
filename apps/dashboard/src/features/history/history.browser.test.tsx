import {
  deleteApiToken,
  ENTRY_HEADER,
  getHistoryEntry,
  getInstallation,
  historyActions,
  listApiTokenDetails,
  listApiTokens,
  listDeleted,
  listHistory,
  listHistoryActors,
  planUndo,
  undoEntry,
  type HistoryEntry,
  type UndoPlan,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { sampleApiToken, uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const HISTORY = '/dashboard/management/history'
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })

const entryOf = (id: number, given: Partial<HistoryEntry> = {}): HistoryEntry => ({
  id,
  at: new Date(Date.now() - 3_600_000).toISOString(),
  actor: { kind: 'admin', uuid: uuid(90), name: 'boss' },
  from: '203.0.113.7',
  action: 'deleteUser',
  kind: 'user',
  target: uuid(id),
  name: 'ann',
  count: 1,
  jobId: null,
  undoes: null,
  undoneBy: null,
  undoneAction: null,
  obstacle: null,
  ...given,
})
const plan = (given: Partial<UndoPlan> = {}): UndoPlan => ({
  fingerprint: 'f1',
  entries: 1,
  isJob: false,
  changes: [
    {
      table: 'users',
      name: 'ann',
      change: 'added',
      fields: [{ name: 'tag', isSecret: false, isText: false, before: null, after: 'VIP' }],
    },
  ],
  total: 1,
  conflicts: [],
  taken: [],
  left: [],
  access: { gain: 1, lose: 0 },
  ways: { more: 0, fewer: 0 },
  nodes: [],
  stoppedAt: null,
  ...given,
})
let entries: HistoryEntry[]

function answerToken(): void {
  answer(listApiTokens, () => ({
    apiKeys: [{ ...sampleApiToken({ uuid: uuid(1) }), token: 'x', updatedAt: new Date().toISOString() }],
    docs: { isDocsEnabled: false, scalarPath: null, swaggerPath: null },
  }))
  answer(listApiTokenDetails, () => ({ tokens: [] }))
}

beforeEach(() => {
  entries = [
    entryOf(3, { action: 'bulkDeleteUsers', name: null, count: 400, actor: { kind: 'apiToken', uuid: uuid(91), name: 'bot' } }),
    entryOf(2, { action: 'login', kind: 'account', obstacle: 'signIn', name: null }),
    entryOf(1),
  ]
  answer(listHistory, () => ({ entries, nextCursor: null }))
  answer(listDeleted, () => ({
    entries: entries.filter(({ action }) => action.includes('elete')).map((entry) => ({ ...entry, things: [] })),
    nextCursor: null,
  }))
  answer(listHistoryActors, () => [{ uuid: uuid(90), kind: 'admin' as const, name: 'boss' }])
  answer(getHistoryEntry, ({ id }) => ({
    ...(entries.find((entry) => entry.id === id) ?? entryOf(id)),
    changes: [
      {
        table: 'users',
        name: 'ann',
        change: 'changed' as const,
        fields: [
          { name: 'trafficLimitBytes', isSecret: false, isText: false, before: 0, after: 2_147_483_648 },
          { name: 'status', isSecret: false, isText: false, before: 'LIMITED', after: 'ACTIVE' },
          { name: 'trafficLimitStrategy', isSecret: false, isText: false, before: 'NO_RESET', after: 'DAY' },
          { name: 'vlessUuid', isSecret: true, isText: false, before: null, after: null },
        ],
      },
    ],
    total: 1,
    left: [],
    stoppedAt: null,
  }))
  answer(planUndo, () => plan())
  answer(undoEntry, () => ({ id: 9, jobId: null, left: [] }))
})

it('UNDO-001 the page lists changes newest first: who, from where, what and how many, and the filters are in the address', async () => {
  const screen = await showPage(HISTORY)
  const list = page.getByRole('list', { name: 'History' })
  await expect.element(list).toBeVisible()
  const items = list.getByRole('listitem')
  await expect.element(items.nth(0).filter({ hasText: /bot.*203\.0\.113\.7.*Users deleted: 400/ })).toBeVisible()
  await expect.element(items.nth(1).filter({ hasText: /Signed in/ })).toBeVisible()
  await expect.element(items.nth(2).filter({ hasText: /boss.*User ann deleted/ })).toBeVisible()
  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Users' }).click()
  await expect.poll(() => screen.address()).toContain('kind=user')
  await expect.poll(() => requests(listHistory).at(-1)).toMatchObject({ kind: 'user' })
  expect(await violations()).toEqual([])
})

it('UNDO-003 an entry opens in the words of the forms, secrets as changed; UNDO-013 what cannot be undone says why', async () => {
  await showPage(`${HISTORY}?entry=1`)
  const opened = dialog('Change')
  const field = (label: string) => opened.getByRole('definition').filter({ hasText: label })
  await expect.element(opened.getByText('Data limit', { exact: true })).toBeVisible()
  await expect.element(field('No limit 2.00 GiB')).toBeVisible()
  await expect.element(field('Limited Active')).toBeVisible()
  await expect.element(field('No reset Daily')).toBeVisible()
  await expect.element(opened.getByText('VLESS key')).toBeVisible()
  await expect.element(opened.getByRole('definition').filter({ hasText: /^changed$/ })).toBeVisible()
})

it('UNDO-013 signing in cannot be undone, and the entry says so', async () => {
  await showPage(`${HISTORY}?entry=2`)
  await expect.element(dialog('Change').getByText('Signing in and out cannot be undone.')).toBeVisible()
  await expect.element(dialog('Change').getByRole('button', { name: 'Undo' })).toBeDisabled()
})

it('UNDO-005 UNDO-006 UNDO-009 the plan shows who gains, what was changed since and names that are taken; what is chosen is sent', async () => {
  answer(planUndo, () =>
    plan({
      conflicts: [
        {
          id: 'users:1:tag',
          entry: 1,
          table: 'users',
          name: 'ann',
          field: 'tag',
          isSecret: false,
          was: 'A',
          now: 'B',
          wouldBe: 'C',
        },
      ],
      taken: [{ id: 'users:1:username', table: 'users', field: 'username', value: 'ann', proposal: 'ann-2' }],
    }),
  )
  await showPage(`${HISTORY}?undo=1`)
  const asked = dialog('Undo this change?')
  await expect.element(asked.getByText('Users who get access: 1')).toBeVisible()
  await expect.element(asked.getByRole('row').filter({ hasText: /ann Tag\s*A\s*B\s*C/ })).toBeVisible()
  await asked.getByRole('checkbox').click()
  const name = asked.getByRole('textbox')
  await expect.element(name).toHaveValue('ann-2')
  await name.fill('ann-old')
  await asked.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(() => requests(undoEntry).at(-1))
    .toEqual({ id: 1, fingerprint: 'f1', overwrite: ['users:1:tag'], names: [{ id: 'users:1:username', value: 'ann-old' }] })
})

it('UNDO-006 a secret that was changed since is one sentence, and a stale plan is followed by the new one', async () => {
  const conflict = { entry: 1, table: 'users', name: 'ann', isSecret: false, was: null, now: null, wouldBe: null }
  const tag = { ...conflict, id: 'users:1:tag', field: 'tag', was: 'A', now: 'B', wouldBe: 'C' }
  const conflicts = [{ ...conflict, id: 'users:1:shortUuid', field: 'shortUuid', isSecret: true }, tag]
  const plans = [plan({ conflicts: [tag] }), plan({ fingerprint: 'f2', conflicts })]
  answer(planUndo, () => (plans.length > 1 ? plans.shift() : plans[0]) ?? plan())
  refuse(undoEntry, { status: 409, code: 'A013', message: 'Something has changed since this plan was made.' })
  await showPage(`${HISTORY}?undo=1`)
  const asked = dialog('Undo this change?')
  await expect.element(asked.getByRole('row').filter({ hasText: /ann Tag\s*A\s*B\s*C/ })).toBeVisible()
  expect(asked.getByText('This is the new plan', { exact: false }).elements()).toEqual([])
  await asked.getByRole('button', { name: 'Undo' }).click()
  await expect.element(asked.getByText('Something has changed meanwhile. This is the new plan.')).toBeVisible()
  const secret = asked.getByRole('row').filter({ hasText: 'It was set again since' })
  await expect.element(secret).toBeVisible()
  expect(secret.element().textContent).not.toContain('changedchanged')
  await expect.element(asked.getByRole('row').filter({ hasText: /ann Tag\s*A\s*B\s*C/ })).toBeVisible()
})

it('UNDO-015 Deleted lists what can be restored and says what comes back', async () => {
  await showPage('/dashboard/management/deleted', PHONE)
  await expect.element(page.getByText(/Comes back with link, keys, squads/)).toBeVisible()
  await button('Restore: User ann deleted').click()
  await expect.element(dialog('Undo this change?')).toBeVisible()
})

it('UNDO-005 a double click undoes once; the list is one stop of Tab, and arrows lead through it', async () => {
  await showPage(HISTORY)
  const rows = page.getByRole('list', { name: 'History' }).getByRole('listitem')
  const first = rows.nth(0).getByRole('button', { name: /^Open/ })
  await expect.element(first).toBeVisible()
  first.element().focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(rows.nth(2).getByRole('button', { name: /^Open/ })).toHaveFocus()
  await button('Undo: User ann deleted').click()
  await dialog('Undo this change?').getByRole('button', { name: 'Undo' }).dblClick()
  await expect.element(page.getByText('Undone: User ann deleted')).toBeVisible()
  expect(requests(undoEntry)).toHaveLength(1)
})

it('UNDO-004 the first entry that is opened gives the focus back to its row, as all others do', async () => {
  await showPage(HISTORY)
  const rows = page.getByRole('list', { name: 'History' }).getByRole('listitem')
  for (const place of [1, 0]) {
    const row = rows.nth(place).getByRole('button', { name: /^Open/ })
    await expect.element(row).toBeVisible()
    row.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog('Change').getByRole('button', { name: 'Close' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog('Change')).not.toBeInTheDocument()
    await expect.element(row).toHaveFocus()
  }
})

it('UNDO-015 one of many deleted things is found by its name and comes back alone', async () => {
  const [many = entryOf(3)] = entries
  answer(listDeleted, ({ search }) => ({
    entries: search === undefined ? [] : [{ ...many, things: [{ uuid: uuid(7), name: 'olga' }] }],
    nextCursor: null,
  }))
  await showPage('/dashboard/management/deleted')
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('olg')
  await button('Restore: olga, from: Users deleted: 400').click()
  const asked = dialog('Undo this change?')
  await expect.element(asked.getByText('Users deleted: 400')).toBeVisible()
  await expect.element(asked.getByText(/^Of the 400 things of this change, this one alone/)).toBeVisible()
  await asked.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => requests(undoEntry).at(-1)).toMatchObject({ id: 3, only: uuid(7) })
  await expect.element(page.getByText('Undone: Users deleted: 400')).toBeVisible()
})

it('UNDO-005 a plan says in the future what happens, names the nodes by what their cores do, and warns of a token', async () => {
  answer(planUndo, () =>
    plan({
      changes: [{ table: 'apiTokens', name: 'bot', change: 'added', fields: [] }],
      access: { gain: 0, lose: 0 },
      ways: { more: 4268, fewer: 0 },
      nodes: ['Berlin', 'Oslo'].map((name, index) => ({ uuid: uuid(20 + index), name, core: 'restarts' as const })),
    }),
  )
  await showPage(`${HISTORY}?undo=1`)
  const asked = dialog('Undo this change?')
  await expect.element(asked.getByText('API token bot comes back')).toBeVisible()
  await expect.element(asked.getByText('Cores that restart, which cuts connections: Berlin, Oslo')).toBeVisible()
  await expect.element(asked.getByText('Users who get more ways in: 4,268')).toBeVisible()
  await expect.element(asked.getByText('The secret of a restored API token works again.')).toBeVisible()
  expect(document.body.textContent).not.toContain('Users who get access')
})

it('UNDO-002 actions to filter by have no numbers, each words once, and follow the kind; a wrong address filters nothing', async () => {
  const screen = await showPage(`${HISTORY}?kind=user&from=garbage&actor=nobody`)
  await expect.poll(() => requests(listHistory).at(-1)).toEqual({ kind: 'user', limit: 50 })
  await page.getByRole('combobox', { name: 'Action' }).click()
  const labels = page
    .getByRole('option')
    .elements()
    .map((option) => option.textContent)
  expect(labels).toEqual([...new Set(labels)])
  expect(labels).toContain('Users deleted')
  expect(labels.filter((label) => /\d/.test(label))).toEqual([])
  expect(labels).not.toContain('Internal squad … created')
  await page.getByRole('option', { name: 'Users deleted', exact: true }).click()
  await expect.poll(() => screen.address()).toContain('action=')
  expect(requests(listHistory).at(-1)).toMatchObject({ action: 'bulkDeleteUsers,deleteChosenUsers' })
})

it('UNDO-001 an undo says what it undid and leads there; UNDO-011 what is missing to undo all of an actor is said', async () => {
  entries = [entryOf(9, { action: 'undoEntry', undoes: 1, undoneAction: 'deleteUser' })]
  await showPage(`${HISTORY}?actor=${uuid(90)}`)
  await expect.element(page.getByText('To undo all by this actor, choose from when as well.')).toBeVisible()
  await button('Open: Undone: User ann deleted').click()
  await dialog('Change').getByRole('button', { name: 'Undoes entry 1' }).click()
  await expect.poll(() => requests(getHistoryEntry).at(-1)).toEqual({ id: 1 })
})

it('UNDO-004 a token has in its menu its history and the changes it made; Escape closes what is in front', async () => {
  answerToken()
  const screen = await showPage('/dashboard/management/api-tokens')
  const open = async (item: string) => {
    await page
      .getByRole('button', { name: /shop bot/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await open('History')
  await expect.element(dialog('History of ann').getByRole('listitem').first()).toBeVisible()
  expect(requests(listHistory).at(-1)).toMatchObject({ target: uuid(1) })
  await dialog('History of ann')
    .getByRole('button', { name: /^Open: User ann deleted/ })
    .click()
  await expect.element(dialog('Change')).toBeVisible()
  expect(await violations()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog('Change')).not.toBeInTheDocument()
  await expect.element(dialog('History of ann')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => screen.address()).not.toContain('history=')
  await open('Changes made')
  await expect.element(dialog('Changes by this actor').getByRole('listitem').first()).toBeVisible()
  expect(requests(listHistory).at(-1)).toMatchObject({ actor: uuid(1) })
})

it('UNDO-004 the page of the panel settings leads to the changes made there', async () => {
  answer(getInstallation, () => ({ timeZone: 'UTC', updatedAt: '2026-01-02T03:04:05.000Z' }))
  const screen = await showPage('/dashboard/utils/installation')
  await page.getByRole('main').getByRole('link', { name: 'History' }).click()
  await expect.poll(() => screen.address()).toContain('action=updateInstallation')
  await expect.poll(() => requests(listHistory).at(-1)).toMatchObject({ action: 'updateInstallation' })
})

it('UNDO-001 the filter by time takes a typed date, and says of another text that it is none', async () => {
  const screen = await showPage(HISTORY)
  const from = page.getByRole('textbox', { name: 'From' })
  await from.fill('Nov 3, 2026, 10:30 PM')
  await userEvent.keyboard('{Tab}')
  await expect.poll(() => requests(listHistory).at(-1)).toMatchObject({ from: new Date('2026-11-03T22:30:00').toISOString() })
  await from.fill('sometime')
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByText(/is not a date/)).toBeVisible()
  expect(screen.address()).toContain('from=')
})

it('UNDO-014 a deletion is followed by a message with Undo, which mod+Z does as well', async () => {
  answerToken()
  const network = globalThis.fetch
  answer(deleteApiToken, () => true)
  globalThis.fetch = async (...input) => {
    const [address, init] = input
    const reply = await network(address, init)
    if (init?.method !== 'DELETE') return reply
    return new Response(await reply.text(), {
      status: reply.status,
      headers: { 'content-type': 'application/json', [ENTRY_HEADER]: '77' },
    })
  }
  try {
    await showPage('/dashboard/management/api-tokens')
    await page
      .getByRole('button', { name: /shop bot/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.element(page.getByRole('alert').getByRole('button', { name: 'Undo' })).toBeVisible()
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => requests(undoEntry).at(-1)).toMatchObject({ id: 77 })
  } finally {
    globalThis.fetch = network
  }
})

it.each(['en', 'ru', 'fa', 'zh'] as const)('UNDO-001 every action has a sentence in %s', async (language) => {
  const reply = await fetch(`/locales/${language}/history.json`)
  const words: unknown = await reply.json()
  for (const action of [...Object.keys(historyActions), 'undoEntry', 'undoEntries'])
    expect(words).toHaveProperty(['action', action])
})
