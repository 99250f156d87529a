import { getInternalSquad, getNode, listConfigProfiles, listInternalSquads, listNodes } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, type Locator } from 'vitest/browser'
import { answer } from '../../../../test/fake-api.ts'
import { sampleConfigProfile, sampleInbound, sampleInternalSquad, sampleNode, uuid } from '../../../../test/samples.ts'
import { showPage, showPart } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'
import { InboundPicker } from './inbound-picker.tsx'

const one = sampleInbound({ uuid: uuid(101), profileUuid: uuid(201), tag: 'OWN_TCP' })
const other = sampleInbound({ uuid: uuid(102), profileUuid: uuid(202), tag: 'OTHER_TCP' })
const picker = page.getByRole('dialog', { name: 'Config profile and inbounds' })

beforeEach(() => {
  answerSmallPanel()
  answer(listConfigProfiles, () => ({
    total: 2,
    configProfiles: [
      sampleConfigProfile({ name: 'Own', inbounds: [one] }),
      sampleConfigProfile({ uuid: uuid(202), name: 'Other', inbounds: [other] }),
    ],
  }))
})

async function openNode(): Promise<void> {
  const node = sampleNode({ configProfile: { activeConfigProfileUuid: uuid(201), activeInbounds: [one] } })
  answer(listNodes, () => [node])
  answer(getNode, () => node)
  await showPage(`/dashboard/management/nodes?edit=${node.uuid}`)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
}

/** How long after the last key the list follows. */
async function searchDelay(search: Locator, text: string, isFound: () => boolean): Promise<number> {
  let typedAt = 0
  let foundAt = 0
  search.element().addEventListener('input', () => (typedAt = performance.now()))
  const watcher = new MutationObserver(() => {
    if (foundAt === 0 && typedAt > 0 && isFound()) foundAt = performance.now()
  })
  watcher.observe(document.body, { childList: true, subtree: true })
  await search.fill(text)
  await expect.poll(() => foundAt).toBeGreaterThan(0)
  watcher.disconnect()
  return foundAt - typedAt
}

it('NODE-032 NODE-033 NODE-035 the selector holds inbounds of one profile only, and without its last inbound none', async () => {
  await openNode()
  const own = picker.getByRole('button', { name: /^Own/ })
  await expect.element(own).toMatchTextContent('1 of 1')
  await picker.getByRole('button', { name: /^Other/ }).click()
  await picker.getByRole('checkbox', { name: /OTHER_TCP/ }).click()
  await expect.element(picker.getByText('1 inbound selected')).toBeVisible()
  await expect.element(own).toMatchTextContent('0 of 1')
  // With its last inbound the profile goes: the next choice may be of any.
  await picker.getByRole('checkbox', { name: /OTHER_TCP/ }).click()
  await expect.element(picker.getByText('0 inbounds selected')).toBeVisible()
  await expect.element(picker.getByRole('button', { name: /^Other/ })).toMatchTextContent('0 of 1')
  await expect.element(picker.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await picker.getByRole('checkbox', { name: /OWN_TCP/ }).click()
  await picker.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect.element(picker.getByText('0 inbounds selected')).toBeVisible()
})

it('NODE-036 the search for profiles waits until the typing has paused for 300 ms', async () => {
  await openNode()
  await expect.element(picker.getByText('OWN_TCP')).toBeVisible()
  const isFound = () => !document.body.textContent.includes('OTHER_TCP')
  expect(await searchDelay(picker.getByRole('searchbox'), 'Own', isFound)).toBeGreaterThanOrEqual(295)
})

it('SQUAD-017 the search in the drawer of a squad waits until the typing has paused for 300 ms', async () => {
  const squad = sampleInternalSquad({ inbounds: [one] })
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [squad] }))
  answer(getInternalSquad, () => squad)
  await showPage(`/dashboard/management/internal-squads?edit=${squad.uuid}`)
  const drawer = page.getByRole('dialog', { name: squad.name })
  await expect.element(drawer.getByText('OWN_TCP')).toBeVisible()
  const isFound = () => !document.body.textContent.includes('OTHER_TCP')
  expect(await searchDelay(drawer.getByRole('searchbox'), 'Own', isFound)).toBeGreaterThanOrEqual(295)
})

it('a search in the drawer of a squad leaves the count of a profile whole', async () => {
  const second = sampleInbound({ uuid: uuid(103), profileUuid: uuid(201), tag: 'OWN_WS' })
  const squad = sampleInternalSquad({ inbounds: [one, second] })
  answer(listConfigProfiles, () => ({
    total: 1,
    configProfiles: [sampleConfigProfile({ name: 'Own', inbounds: [one, second] })],
  }))
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [squad] }))
  answer(getInternalSquad, () => squad)
  await showPage(`/dashboard/management/internal-squads?edit=${squad.uuid}`)
  const drawer = page.getByRole('dialog', { name: squad.name })
  await drawer.getByRole('searchbox').first().fill('OWN_WS')
  await expect.element(drawer.getByText('OWN_TCP')).not.toBeInTheDocument()
  await expect.element(drawer.getByText('2 of 2')).toBeVisible()
})

it('SQUAD-023 inbounds stand in one column in a drawer, and in up to four where the picker stands on a page', async () => {
  const inbounds = Array.from({ length: 8 }, (_, place) => sampleInbound({ uuid: uuid(110 + place), tag: `TAG_${place}` }))
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile({ inbounds })] }))
  const boxes = page.getByRole('checkbox')
  const columns = () => new Set(boxes.elements().map((box) => Math.round(box.getBoundingClientRect().x))).size
  for (const [width, count] of [
    [1440, 4],
    [1000, 3],
    [700, 2],
    [390, 1],
  ] as const) {
    await showPart(<InboundPicker mode="any" selected={[]} onChange={() => {}} />, { width })
    await page.getByRole('button', { name: /^Main profile/ }).click()
    await expect.poll(() => boxes.elements().length).toBe(8)
    expect([width, columns()]).toEqual([width, count])
  }
  const squad = sampleInternalSquad({ inbounds })
  answer(getInternalSquad, () => squad)
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [squad] }))
  await showPage(`/dashboard/management/internal-squads?edit=${squad.uuid}`, { width: 1920, height: 1080 })
  await expect.poll(() => boxes.elements().length).toBe(8)
  expect(columns()).toBe(1)
})
