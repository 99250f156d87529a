import { bulkSetHostsPort, getHost, listConfigProfiles, listHosts } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, requests } from '../../../test/fake-api.ts'
import { sampleConfigProfile, sampleHost, sampleInbound, uuid } from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

// What the list of hosts does by itself: which rows exist and how one is found; its filters, and the picker of inbounds.

const HOSTS = '/dashboard/management/hosts'
const list = () => page.getByRole('list', { name: 'Hosts' })
const rows = () => [...list().element().children]
const row = (remark: string) => list().getByRole('listitem').filter({ hasText: remark })
const dialog = (name: string) => page.getByRole('dialog', { name })

/** Rows in view with those that are kept ready above and below do not reach the end of so many. */
const HOST_COUNT = 30
const profile = sampleConfigProfile({
  name: 'Main',
  inbounds: [
    sampleInbound({ tag: 'MAIN_VLESS' }),
    sampleInbound({ uuid: uuid(102), tag: 'MAIN_SS', type: 'shadowsocks', security: null, port: 8444 }),
  ],
})
const hosts = Array.from({ length: HOST_COUNT }, (_, index) =>
  sampleHost({ uuid: uuid(500 + index), viewPosition: index + 1, remark: `Host ${index + 1}`, address: `h${index}.example.com` }),
)

beforeEach(() => {
  answerSmallPanel()
  answer(listHosts, () => hosts)
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [profile] }))
  answer(getHost, (input) => hosts.find(({ uuid: id }) => id === input.uuid) ?? sampleHost())
})

it('HOST-011 HOST-013 HOST-020 only rows in view exist and five more on either side; a found one is in the middle', async () => {
  await showPage(HOSTS, { width: 1440, height: 420 })
  await expect.element(row('Host 1').first()).toBeVisible()
  expect(list().element().clientHeight).toBe(60 * HOST_COUNT)
  window.scrollTo(0, window.scrollY + list().element().getBoundingClientRect().top + 60 * 10 + 20)
  const outside = () => {
    const boxes = rows().map((item) => item.getBoundingClientRect())
    return [boxes.filter(({ bottom }) => bottom <= 0).length, boxes.filter(({ top }) => top >= innerHeight).length]
  }
  await expect.poll(outside).toEqual([5, 5])

  window.scrollTo(0, 0)
  await page.getByRole('searchbox', { name: 'Search remark' }).fill('Host 18')
  await expect.element(row('Host 18')).toHaveAttribute('data-highlighted', 'true')
  const offCentre = () => {
    const box = row('Host 18').element().getBoundingClientRect()
    return Math.abs(box.top + box.height / 2 - innerHeight / 2)
  }
  await expect.poll(offCentre).toBeLessThan(60)
})

it('HOST-013 CONST-001 beside each other from 769 px on, below that under each other, and supposed to be 202 px high', async () => {
  const isBeside = () => {
    const [first] = rows()
    const name = first?.querySelector('button:not([aria-label])')?.getBoundingClientRect()
    const address = first?.querySelector('bdi')?.getBoundingClientRect()
    return name !== undefined && address !== undefined && address.top < name.bottom
  }
  await showPage(HOSTS, { width: 769, height: 420 })
  await expect.poll(isBeside).toBe(true)
  await showPage(HOSTS, { width: 768, height: 420 })
  await expect.element(list()).toBeVisible()
  await expect.poll(isBeside).toBe(false)
  // Of rows that have not been seen yet it is only supposed how high they are.
  const supposed = () => {
    const heights = rows().map((item) => item.getBoundingClientRect().height)
    const seen = heights.reduce((all, height) => all + height, 0)
    return Math.round((list().element().clientHeight - seen) / (HOST_COUNT - heights.length))
  }
  await expect.poll(supposed).toBe(202)
})

it('HOST-038 the filters stay while a host is open, and an open host is shown as soon as it is there', async () => {
  const screen = await showPage(`${HOSTS}?edit=${uuid(500)}`)
  await expect.element(dialog('Edit host').getByLabelText('Remark')).toHaveValue('Host 1')
  await userEvent.keyboard('{Escape}')
  await expect.poll(screen.address).not.toContain('edit=')
  const chosen = page.getByRole('combobox', { name: 'Config profile' })
  const inbound = page.getByRole('combobox', { name: 'Inbound' })
  await chosen.click()
  await page.getByRole('option', { name: 'Main' }).click()
  await inbound.click()
  await page.getByRole('option', { name: 'MAIN_VLESS' }).click()
  await row('Host 1').first().getByRole('button', { name: 'Host 1', exact: true }).click()
  await expect.element(dialog('Edit host').getByLabelText('Remark')).toHaveValue('Host 1')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog('Edit host')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'New host' }).click()
  await expect.element(dialog('New host').getByLabelText('Remark')).toHaveValue('')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(chosen).toHaveValue('Main')
  await expect.element(inbound).toHaveValue('MAIN_VLESS')
})

it('hosts show their first tags and are filtered by one, which stands in the address', async () => {
  const tagged = [
    sampleHost({ uuid: uuid(1), remark: 'Warsaw', tag: 'EU', tags: ['EU', 'FAST', 'VIP'] }),
    sampleHost({ uuid: uuid(2), remark: 'Tokyo', tag: 'ASIA', tags: ['ASIA'] }),
  ]
  answer(listHosts, () => tagged)
  const { address } = await showPage(HOSTS)
  await expect.element(row('Warsaw').getByText('EU', { exact: true })).toBeVisible()
  await expect.element(row('Warsaw').getByText('+1')).toBeVisible()
  expect(await violations()).toEqual([])
  await page.getByRole('combobox', { name: 'Tag' }).click()
  await page.getByRole('option', { name: 'FAST' }).click()
  await expect.element(row('Tokyo')).toHaveAttribute('data-dimmed')
  await expect.element(row('Warsaw')).not.toHaveAttribute('data-dimmed')
  expect(address()).toContain('tag=FAST')
})

it('filters that no host matches dim no row and say so', async () => {
  await showPage(HOSTS)
  await expect.element(row('Host 1').first()).toBeVisible()
  const dimmed = () => document.querySelectorAll('li[data-dimmed], li [data-dimmed]').length
  const remark = page.getByRole('searchbox', { name: /remark/i })
  await remark.fill('Host 11')
  await expect.poll(dimmed).toBeGreaterThan(0)
  await remark.fill('nothing of this name')
  await expect.element(page.getByText('No host matches the filters.')).toBeVisible()
  expect(dimmed()).toBe(0)
  await remark.fill('')
  await expect.element(page.getByText('No host matches the filters.')).not.toBeInTheDocument()
})

it('a key leads from a selected host over all the others to what can be done with it, and back', async () => {
  await showPage(HOSTS)
  const first = page.getByRole('checkbox', { name: 'Select Host 1', exact: true })
  await first.click()
  await userEvent.keyboard('{F6}')
  await expect.element(page.getByRole('region', { name: 'Selected hosts' }).getByRole('button').first()).toHaveFocus()
  await userEvent.keyboard('{F6}')
  await expect.element(first).toHaveFocus()
})

it('HOST-056 HOST-057 HOST-061 HOST-062 HOST-063 the picker searches and takes one inbound of one profile', async () => {
  await showPage(HOSTS)
  await page.getByRole('checkbox', { name: 'Select Host 1', exact: true }).click()
  await page.getByRole('region', { name: 'Selected hosts' }).getByRole('button', { name: 'Set inbound' }).click()
  const picker = dialog('Config profile and inbounds')
  const search = picker.getByRole('searchbox')
  const found = picker.getByRole('button', { name: /^Main/ })
  await expect.element(found).toBeVisible()
  await search.fill('nothing of this name')
  await expect.element(found).not.toBeInTheDocument()
  // What is counted is the profile's, whatever is looked for in it.
  for (const text of ['MAIN', 'main_ss', 'MAIN_VLESS', 'SHADOWSOCKS']) {
    await search.fill(text)
    await expect.element(found).toMatchTextContent(/of 2/)
  }
  await search.fill('Main')
  await expect.element(found).toBeVisible()
  if (found.element().getAttribute('aria-expanded') === 'false') await found.click()
  await picker.getByRole('button', { name: 'Apply' }).click()
  await expect.element(picker.getByRole('alert')).toHaveTextContent('Please select both a config profile and an inbound')
  await picker.getByRole('button', { name: 'Select all' }).click()
  const refusal = page.getByRole('alert').filter({ hasText: 'Not supported' })
  await expect.element(refusal).toMatchTextContent(/A host leads to one inbound only/)
  const shownAt = performance.now()
  expect(picker.getByRole('radio', { checked: true }).elements()).toEqual([])
  await expect.element(refusal).not.toBeInTheDocument()
  expect(performance.now() - shownAt).toBeGreaterThan(1400)
  await picker.getByRole('radio').first().click()
  await expect.element(picker.getByRole('alert')).not.toBeInTheDocument()
  await expect.element(picker.getByText('1 inbound selected')).toBeVisible()
})

it('HOST-001 HOST-002 HOST-003 HOST-004 HOST-015 HOST-016 HOST-017 HOST-018 HOST-019 a row says what a host is and what it has lost', async () => {
  const whole = sampleHost({
    remark: 'whole',
    inbound: { configProfileUuid: profile.uuid, configProfileInboundUuid: profile.inbounds[0]?.uuid ?? '' },
  })
  const nowhere = { configProfileUuid: null, configProfileInboundUuid: null }
  answer(listHosts, () => [
    whole,
    sampleHost({ uuid: uuid(502), viewPosition: 2, remark: 'dangling', isDisabled: true, inbound: nowhere }),
  ])
  answer(getHost, () => whole)
  const screen = await showPage(HOSTS)
  await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toMatchTextContent(/^Dashboard\/Hosts$/)
  await page.getByRole('button', { name: 'About hosts' }).click()
  await expect.element(page.getByText('Where the app connects to')).toBeVisible()
  const good = row('whole')
  await expect.element(good.getByRole('checkbox', { name: 'Select whole' })).toBeVisible()
  await expect.element(good.getByRole('button', { name: 'Move whole' })).toBeVisible()
  await expect.element(good.getByRole('img', { name: 'Enabled' })).toBeVisible()
  for (const text of [`${whole.address}:${whole.port}`, 'MAIN_VLESS', 'Main']) await expect.element(good).toMatchTextContent(text)
  for (const text of ['UNKNOWN', 'DANGLING']) await expect.element(row('dangling')).toMatchTextContent(text)
  await expect.element(row('dangling').getByRole('img', { name: 'Disabled' })).toBeVisible()
  const before = requests(listConfigProfiles).length
  await page.getByRole('button', { name: 'Refresh hosts' }).click()
  await expect.poll(() => requests(listConfigProfiles).length).toBeGreaterThan(before)
  await good.getByRole('checkbox').click()
  expect(screen.address()).not.toContain('edit=')
  await good.getByRole('img', { name: 'Enabled' }).hover()
  await expect.element(page.getByRole('tooltip', { name: 'Enabled' })).toBeVisible()
  await good.getByText('Main', { exact: true }).click()
  await expect.element(dialog('Edit host').getByLabelText('Remark')).toHaveValue('whole')
})

it('a port for many hosts that is none is said and not sent; the hosts that are not selected are left alone', async () => {
  answer(bulkSetHostsPort, () => hosts)
  await showPage(HOSTS)
  for (const name of ['Select Host 1', 'Select Host 3']) await page.getByRole('checkbox', { name, exact: true }).click()
  await page.getByRole('button', { name: 'Set port' }).click()
  const port = dialog('Set port').getByRole('textbox', { name: 'Port' })
  const send = dialog('Set port').getByRole('button', { name: 'Set port' })
  for (const [text, sentence] of [
    ['65536', 'Must be from 1 to 65535.'],
    ['70000', 'Must be from 1 to 65535.'],
    ['-1', 'Must be from 1 to 65535.'],
    ['1.5', 'Must be a whole number.'],
    ['8.443', '“8.443” may mean 8443 or 8.443.'],
  ] as const) {
    await port.fill(text)
    await send.click()
    await expect.element(dialog('Set port').getByText(sentence)).toBeVisible()
    await expect.element(port).toHaveValue(text)
  }
  expect(requests(bulkSetHostsPort)).toEqual([])
  await dialog('Set port').getByRole('button', { name: '8443' }).click()
  await send.click()
  await expect.poll(() => requests(bulkSetHostsPort)).toEqual([{ uuids: [uuid(500), uuid(502)], port: 8443 }])
})
