import { getNode, getUsageHistory, listNodes, type Node } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer } from '../../../../test/fake-api.ts'
import { sampleNode, uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const MAP = '/dashboard/management/nodes?view=map'
const GIB = 1024 ** 3
const named = (number: number, name: string, countryCode: string, given: Partial<Node> = {}) =>
  sampleNode({ uuid: uuid(400 + number), name, countryCode, ...given })
const down = { isConnected: false, isNodeOnline: false, lastStatusChange: new Date(Date.now() - 7_200_000).toISOString() }
let fleet: Node[]

beforeEach(() => {
  answerSmallPanel()
  fleet = [
    named(1, 'Warsaw', 'PL', { usersOnline: 7 }),
    named(2, 'Cracow', 'PL', { isConnected: false, isDisabled: true }),
    named(3, 'Singapore', 'SG', down),
    named(4, 'Nowhere', 'XX'),
  ]
  answer(listNodes, () => fleet)
  answer(getNode, ({ uuid: of }) => fleet.find((one) => one.uuid === of) ?? sampleNode())
  const starts = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 10, 21, hour)).toISOString())
  answer(getUsageHistory, () => ({
    timeZone: 'UTC',
    step: 'hour' as const,
    starts,
    nodes: [{ uuid: uuid(401), name: 'Warsaw', countryCode: 'PL', bytes: starts.map(() => GIB) }],
    usersOnline: starts.map(() => null),
  }))
})

const list = () => page.getByRole('list', { name: 'Nodes by country' })
const dots = () => [...document.querySelectorAll('figure a')]
const card = () => document.querySelector('figure [class*=cardBody]')?.textContent

it('nodes stand on the map by country; the list beside shows their figures, and a key shows them on the map', async () => {
  await showPage(MAP)
  await expect.poll(() => dots().length).toBe(3)
  await expect.element(list()).toMatchTextContent(/Poland ?2.*Cracow ?Disabled.*Singapore ?1.*Singapore ?Disconnected/)
  const warsaw = list().getByRole('link', { name: /^Warsaw/ })
  await expect.element(warsaw).toMatchTextContent(/Warsaw ?7 online ?24\.00 GiB/)
  warsaw.element().focus()
  await expect.poll(card).toMatch(/Warsaw.*Connected.*7 online.*24\.00 GiB in the last 24 hours.*Poland/)
  // The pointer shows the same, and the dot leads to the page of its node.
  const [, , singapore] = dots()
  await userEvent.hover(singapore!)
  await expect.poll(card).toMatch(/Singapore.*Disconnected.*2 hr\. ago/)
  expect(singapore!.getAttribute('href')).toBe(`/dashboard/management/nodes/${uuid(403)}`)
})

it('a node without a country is named beside the map, with what sets it', async () => {
  const screen = await showPage(MAP)
  const beside = page.getByRole('region', { name: 'Without a country' })
  await expect.element(beside).toMatchTextContent(/Nowhere/)
  await beside.getByRole('button', { name: 'Set country' }).click()
  await expect.poll(screen.address).toContain(`edit=${uuid(404)}`)
})

it('the view is chosen on the page and stands in the address; without nodes it offers the first one', async () => {
  const screen = await showPage('/dashboard/management/nodes')
  await page.getByText('Map', { exact: true }).click()
  await expect.poll(screen.address).toContain('view=map')
  await expect.poll(() => dots().length).toBe(3)
  fleet = []
  await showPage(MAP)
  await expect.element(page.getByText('No nodes yet')).toBeVisible()
})

it.each([
  ['en', 'dark', { width: 1440, height: 900 }],
  ['fa', 'light', PHONE],
] as const)(
  'in %s, %s, five hundred nodes are drawn without a stutter, and nothing hinders',
  async (language, colorScheme, size) => {
    const codes = [
      'DE',
      'NL',
      'FI',
      'PL',
      'FR',
      'GB',
      'SE',
      'US',
      'CA',
      'JP',
      'SG',
      'HK',
      'BR',
      'TR',
      'AE',
      'IN',
      'AU',
      'ZA',
      'IT',
      'ES',
    ]
    fleet = Array.from({ length: 500 }, (_, at) => named(at, `Node ${at}`, codes[at % codes.length] ?? 'DE'))
    await showPage(MAP, { language, colorScheme, ...size })
    await expect.poll(() => dots().length).toBe(500)
    expect(await violations()).toEqual([])
    await expect.poll(() => document.documentElement.scrollWidth - window.innerWidth).toBeLessThanOrEqual(0)
    // East is on the right in every language.
    const placeOf = (name: string) => dots().findIndex((_, at) => fleet[at]?.name === name)
    const [berlin, tokyo] = [dots()[placeOf('Node 0')], dots()[placeOf('Node 9')]]
    expect(berlin!.getBoundingClientRect().left).toBeLessThan(tokyo!.getBoundingClientRect().left)
  },
)
