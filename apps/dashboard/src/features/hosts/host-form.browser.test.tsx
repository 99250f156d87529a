import {
  createHost,
  getHost,
  listConfigProfiles,
  listHosts,
  listHostTags,
  listNodes,
  previewSubscription,
  updateHost,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, requests } from '../../../test/fake-api.ts'
import { sampleConfigProfile, sampleHost, sampleInbound, sampleNode, uuid } from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

const HOSTS = '/dashboard/management/hosts'
const modal = page.getByRole('dialog', { name: 'New host' })
const create = modal.getByRole('button', { name: 'Create' })

beforeEach(() => {
  answerSmallPanel()
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile()] }))
  answer(listHosts, () => [])
})

async function chooseInbound(): Promise<void> {
  await modal.getByRole('button', { name: 'Choose' }).click()
  const picker = page.getByRole('dialog', { name: 'Config profile and inbounds' })
  const profile = picker.getByRole('button', { name: /^Main profile/ })
  if (profile.element().getAttribute('aria-expanded') === 'false') await profile.click()
  await picker.getByRole('radio').first().click()
  await picker.getByRole('button', { name: 'Apply' }).click()
}

/** With several that nodes run, none is chosen. */
function answerTwoInbounds(): void {
  const inbounds = [sampleInbound(), sampleInbound({ uuid: uuid(102), tag: 'OTHER' })]
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile({ inbounds })] }))
  const configProfile = { activeConfigProfileUuid: uuid(201), activeInbounds: inbounds }
  answer(listNodes, () => [sampleNode({ configProfile })])
}

it('the only inbound that a node runs is chosen, with its port and the address of that node', async () => {
  const other = sampleInbound({ uuid: uuid(102), tag: 'OTHER', port: 8443 })
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile({ inbounds: [other, sampleInbound()] })] }))
  answer(listNodes, () => [sampleNode({ address: 'pl.example.com' })])
  answer(createHost, ({ remark, address, port }) => sampleHost({ remark, address, port }))
  await showPage(`${HOSTS}?create=new`)
  await expect.element(modal.getByText('VLESS_TCP')).toBeVisible()
  await expect.element(modal.getByRole('textbox', { name: 'Address', exact: true })).toHaveValue('pl.example.com')
  await expect.element(modal.getByLabelText('Port')).toHaveValue('443')
  await modal.getByLabelText('Remark').fill('Poland')
  await create.click()
  await expect.poll(() => requests(createHost)).toMatchObject([{ remark: 'Poland', address: 'pl.example.com', port: 443 }])
})

it('HOST-044 HOST-054 a host can be created only when every field is right, and saved only when one was changed', async () => {
  answerTwoInbounds()
  answer(createHost, ({ remark, address, port }) => sampleHost({ remark, address, port }))
  await showPage(`${HOSTS}?create=new`)
  await expect.element(create).toBeDisabled()
  await modal.getByLabelText('Remark').fill('Poland')
  await modal.getByRole('textbox', { name: 'Address', exact: true }).fill('pl.example.com')
  await expect.element(create).toBeDisabled()
  await expect.element(modal.getByText('Please select the config profile and inbound')).toBeVisible()
  await chooseInbound()
  await expect.element(create).toBeEnabled()
  await modal.getByLabelText('Remark').fill('')
  await expect.element(create).toBeDisabled()
  await modal.getByLabelText('Remark').fill('Poland')
  await create.click()
  await expect.poll(() => requests(createHost)).toHaveLength(1)

  const host = sampleHost()
  answer(getHost, () => host)
  answer(listHosts, () => [host])
  await showPage(`${HOSTS}?edit=${host.uuid}`)
  const edit = page.getByRole('dialog', { name: 'Edit host' })
  const save = edit.getByRole('button', { name: 'Save' })
  await expect.element(save).toBeDisabled()
  await edit.getByLabelText('Remark').fill('Poland 2')
  await expect.element(save).toBeEnabled()
  await edit.getByLabelText('Remark').fill('')
  await expect.element(save).toBeDisabled()
})

it('HOST-049 HOST-050 what is missing or wrong is said at its field', async () => {
  await showPage(`${HOSTS}?create=new`)
  const port = modal.getByLabelText('Port')
  for (const [text, sentence] of [
    ['70000', 'Must be from 1 to 65535.'],
    ['-1', 'Must be from 1 to 65535.'],
    ['1.5', 'Must be a whole number.'],
  ] as const) {
    await port.fill(text)
    await userEvent.tab()
    await expect.element(modal.getByText(sentence)).toBeVisible()
    await expect.element(port).toHaveValue(text)
  }
  await port.fill('')
  await modal.getByLabelText('Remark').fill('')
  await modal.getByRole('textbox', { name: 'Address', exact: true }).fill(' ')
  await userEvent.tab()
  for (const text of ['Enter a remark', 'Enter a domain or an IP address', 'Port is required'])
    await expect.element(modal.getByText(text)).toBeVisible()
  expect(await violations('[role=dialog]')).toEqual([])
})

it('shuffling, the post-quantum key exchange and the nodes of a host are chosen, and a node without its inbound is named', async () => {
  const host = sampleHost({ nodes: [uuid(499)] })
  const idle = { activeConfigProfileUuid: uuid(201), activeInbounds: [sampleInbound({ uuid: uuid(102) })] }
  answer(getHost, () => host)
  answer(listHosts, () => [host])
  answer(listNodes, () => [sampleNode(), sampleNode({ uuid: uuid(402), name: 'Berlin', countryCode: 'DE', configProfile: idle })])
  answer(updateHost, ({ shuffleHost = false, mihomoX25519 = false, allowInsecure = false, nodes = [] }) =>
    sampleHost({ shuffleHost, mihomoX25519, allowInsecure, nodes }),
  )
  await showPage(`${HOSTS}?edit=${host.uuid}`)
  const edit = page.getByRole('dialog', { name: 'Edit host' })
  await edit.getByRole('button', { name: 'Advanced' }).click()
  await edit.getByRole('switch', { name: 'Shuffle' }).click()
  await edit.getByRole('switch', { name: 'Post-quantum REALITY' }).click()
  await edit.getByRole('switch', { name: 'Accept any certificate' }).click()
  await expect.element(edit.getByText('Deleted node')).toBeVisible()
  const nodes = edit.getByRole('combobox', { name: 'Nodes' })
  await nodes.click()
  await page.getByRole('option', { name: 'Warsaw' }).click()
  expect(edit.getByText(/does not run/).query()).toBeNull()
  await page.getByRole('option', { name: 'Berlin' }).click()
  await expect.element(edit.getByText('Berlin does not run the inbound VLESS_TCP.')).toBeVisible()
  await page.getByRole('option', { name: 'Deleted node' }).click()
  await userEvent.tab()
  expect(await violations('[role=dialog]')).toEqual([])
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => requests(updateHost))
    .toEqual([{ uuid: host.uuid, shuffleHost: true, mihomoX25519: true, allowInsecure: true, nodes: [uuid(401), uuid(402)] }])
})

it('tags of a host are typed or chosen, in capitals, and the first stays the first', async () => {
  const host = sampleHost({ tag: 'EU', tags: ['EU'] })
  answer(getHost, () => host)
  answer(listHosts, () => [host])
  answer(listHostTags, () => ({ tags: ['EU', 'FAST'] }))
  answer(updateHost, ({ tags = [] }) => sampleHost({ tags }))
  await showPage(`${HOSTS}?edit=${host.uuid}`)
  const edit = page.getByRole('dialog', { name: 'Edit host' })
  await edit.getByRole('button', { name: 'Advanced' }).click()
  const tags = edit.getByRole('combobox', { name: 'Tags' })
  await tags.click()
  await page.getByRole('option', { name: 'FAST' }).click()
  await tags.fill('vip')
  await userEvent.keyboard('{Enter}')
  await tags.fill('eu')
  await userEvent.keyboard('{Enter}')
  await tags.fill('no-dash')
  await userEvent.keyboard('{Enter}')
  await userEvent.tab()
  await expect.element(edit.getByText('Only capital letters, digits, underscores and colons')).toBeVisible()
  expect(await violations('[role=dialog]')).toEqual([])
  await tags.click()
  await userEvent.keyboard('{Backspace}')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => requests(updateHost)).toEqual([{ uuid: host.uuid, tags: ['EU', 'FAST', 'VIP'] }])
})

it('HOST-032 the edit dialog has a button that clones the host, without a menu before it', async () => {
  const host = sampleHost()
  answer(getHost, () => host)
  answer(listHosts, () => [host])
  answer(createHost, ({ remark, isDisabled = false }) => sampleHost({ uuid: uuid(502), remark, isDisabled }))
  await showPage(`${HOSTS}?edit=${host.uuid}`)
  const edit = page.getByRole('dialog', { name: 'Edit host' })
  await edit.getByRole('button', { name: 'Clone', exact: true }).click()
  await expect.poll(() => requests(createHost)).toHaveLength(1)
  expect(requests(createHost)[0]).toMatchObject({
    address: host.address,
    port: host.port,
    isDisabled: true,
    inbound: host.inbound,
  })
  await expect.element(edit).not.toBeInTheDocument()
})

it('an address that no client could reach is said at its field before anything is sent, also for a host without its inbound', async () => {
  await showPage(`${HOSTS}?create=new`)
  await modal.getByRole('textbox', { name: 'Address', exact: true }).fill('two words')
  await userEvent.tab()
  await expect.element(modal.getByText(/^Must be a domain name or an IP address, or several/)).toBeVisible()
  await modal.getByRole('textbox', { name: 'Address', exact: true }).fill('pl.example.com, 203.0.113.7')
  await userEvent.tab()
  await expect.element(modal.getByText(/must be a domain name/i)).not.toBeInTheDocument()

  const host = sampleHost({ inbound: { configProfileUuid: null, configProfileInboundUuid: null } })
  answer(getHost, () => host)
  answer(listHosts, () => [host])
  await showPage(`${HOSTS}?edit=${host.uuid}`, { language: 'ru' })
  const edit = page.getByRole('dialog')
  const address = edit.getByRole('textbox', { name: /^Адрес/ })
  await address.fill('https://pl.example.com/')
  await userEvent.tab()
  await expect.element(edit.getByText(/^Нужно доменное имя или IP-адрес/)).toBeVisible()
  expect(requests(updateHost)).toEqual([])
})

it('what hosts are searched for stays in view while the list goes to what is found', async () => {
  const hosts = Array.from({ length: 60 }, (_, place) =>
    sampleHost({ uuid: uuid(500 + place), remark: `Host ${place}`, viewPosition: place }),
  )
  answer(listHosts, () => hosts)
  for (const width of [1440, 390]) {
    await showPage(HOSTS, { width, height: 844 })
    await expect.element(page.getByRole('list', { name: 'Hosts' })).toBeVisible()
    if (width === 390) await page.getByRole('button', { name: 'Filters' }).click()
    const search = page.getByRole('searchbox', { name: 'Search remark' })
    await search.fill('Host 55')
    await expect.element(page.getByText('Host 55', { exact: true })).toBeVisible()
    await expect.poll(() => window.scrollY).toBeGreaterThan(800)
    const { top, bottom } = search.element().getBoundingClientRect()
    expect(top).toBeGreaterThan(0)
    expect(bottom).toBeLessThan(844)
    const { x, y, width: wide, height } = search.element().getBoundingClientRect()
    expect(document.elementFromPoint(x + wide / 2, y + height / 2)).toBe(search.element())
  }
})

it('what apps would receive is seen before a host is made', async () => {
  answerTwoInbounds()
  const [inbound] = sampleConfigProfile().inbounds
  answer(listHosts, () => [])
  await showPage(`${HOSTS}?create=new`)
  const preview = modal.getByRole('button', { name: 'What apps receive' })
  await expect.element(preview).toBeDisabled()
  await modal.getByLabelText('Remark').fill('Poland')
  await modal.getByRole('textbox', { name: 'Address', exact: true }).fill('pl.example.com')
  await modal.getByLabelText('Port').fill('443')
  await chooseInbound()
  await preview.click()
  await expect.element(page.getByRole('dialog', { name: 'What apps receive' })).toBeVisible()
  await expect
    .poll(() => requests(previewSubscription).at(-1)?.hosts)
    .toMatchObject([{ remark: 'Poland', address: 'pl.example.com', inbound: { configProfileInboundUuid: inbound?.uuid } }])
  expect(requests(createHost)).toEqual([])
})
