import { getSubscriptionSettings, updateSubscriptionSettings, type SubscriptionSettings } from '@causeway/contract'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { editorText, setEditorText, writeInto } from '../../../test/code-editor.ts'
import { violations } from '../../../test/axe.ts'
import { answer, requests, writes } from '../../../test/fake-api.ts'
import { sampleSubscriptionSettings } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'
import { decodeRouting, encodeRouting, type RoutingConfig } from './happ-routing.rules.ts'

const BUILDER = '/dashboard/utils/happ-routing-builder'
const button = (name: string) => page.getByRole('button', { name, exact: true })
const json = page.getByRole('textbox', { name: /^JSON/ })
const jsonText = () => expect.poll(editorText)
const importField = page.getByLabelText('Routing link or Base64')
const link = () => document.querySelector('[role=group][aria-label=Link]')?.textContent ?? ''
let copied = ''

// Hundreds of files the first time: no test is to wait for them.
beforeAll(() => import('../../ui/editor/code-editor-canvas.tsx'), 120_000)

let settings: SubscriptionSettings
beforeEach(() => {
  settings = sampleSubscriptionSettings()
  answer(getSubscriptionSettings, () => settings)
  answer(updateSubscriptionSettings, ({ happRouting }) => (settings = { ...settings, happRouting: happRouting ?? null }))
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void (copied = text))
})

/** What stands in the JSON editor, which must be what the link holds. */
async function agreed(): Promise<RoutingConfig> {
  await button('Copy Link').click()
  const inLink = decodeRouting(copied)
  expect(JSON.parse(await editorText())).toEqual(inLink)
  await expect.poll(() => button('Copy Link').query(), { timeout: 3000 }).not.toBeNull()
  return inLink ?? {}
}

async function openSection(name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

it('HRB-001 HRB-002 HRB-003 HRB-005 HRB-006 the page: the client’s website, import, link, eight sections and the JSON', async () => {
  await showPage('/dashboard/utils')
  await expect.element(page.getByRole('link', { name: 'Website of Happ' })).toHaveAttribute('href', 'https://www.happ.su')
  await expect.element(importField).toBeVisible()
  await expect.element(button('Decode')).toBeDisabled()
  await expect.element(button('Copy Link')).toBeVisible()
  for (const name of [
    'Basic',
    'Remote DNS',
    'Domestic DNS',
    'Geo settings',
    'DNS hosts',
    'Direct',
    'Through the proxy',
    'Blocked',
  ])
    await expect.element(button(name)).toBeVisible()
  await expect.element(json).toBeInTheDocument()
  await setEditorText('{"Name":"squeezed","DirectSites":["a"]')
  await importField.click()
  await jsonText().toBe('{"Name":"squeezed","DirectSites":["a"]')
  await setEditorText('{"Name":"squeezed","DirectSites":["a"]}')
  await importField.click()
  await jsonText().toBe('{\n  "Name": "squeezed",\n  "DirectSites": [\n    "a"\n  ]\n}')
  expect(await violations()).toEqual([])
})

it('CALL-025 HRB-021 HRB-008 HRB-018 HRB-019 HRB-009 HRB-011 HRB-010 HRB-012 HRB-013 HRB-015 HRB-016 HRB-017 HRB-028 what is entered in the form is at once in JSON and link', async () => {
  await showPage(BUILDER)
  await page.getByLabelText('Name', { exact: true }).fill('Мой <b>')
  await page.getByRole('switch', { name: 'Everything else through the proxy' }).click()
  await page.getByRole('switch', { name: 'Fake DNS' }).click()
  await page.getByRole('switch', { name: 'Chunked geo files' }).click()
  await page.getByRole('combobox', { name: 'Domain strategy' }).click()
  await page.getByRole('option', { name: 'AsIs' }).click()
  await openSection('Remote DNS')
  await page.getByRole('radiogroup', { name: 'Type of the remote DNS' }).getByText('DoU').click()
  const remote = page.getByRole('region', { name: 'Remote DNS' })
  await remote.getByLabelText('Domain or address').fill('https://dns.example/query')
  await remote.getByLabelText('IP address').fill('9.9.9.9')
  await openSection('Remote DNS')
  await openSection('Geo settings')
  await page.getByLabelText('GeoIP file').fill('https://geo.example/ip')
  await page.getByLabelText('GeoSite file').fill('https://geo.example/site')
  await openSection('DNS hosts')
  await page.getByLabelText('Hosts', { exact: true }).fill('{"dns.example": "9.9.9.9"}')
  await openSection('Blocked')
  await page.getByLabelText('Blocked sites').fill('ads.example\n\n  \n tracker.example\n')
  await expect.element(page.getByLabelText('Blocked sites')).toHaveValue('ads.example\n\n  \n tracker.example\n')
  expect(await agreed()).toMatchObject({
    Name: 'Мой <b>',
    GlobalProxy: 'false',
    FakeDNS: 'true',
    UseChunkFiles: 'false',
    DomainStrategy: 'AsIs',
    RemoteDNSType: 'DoU',
    RemoteDNSDomain: 'https://dns.example/query',
    RemoteDNSIP: '9.9.9.9',
    DomesticDNSType: 'DoU',
    Geoipurl: 'https://geo.example/ip',
    Geositeurl: 'https://geo.example/site',
    DnsHosts: { 'dns.example': '9.9.9.9' },
    BlockSites: ['ads.example', 'tracker.example'],
    LastUpdated: expect.stringMatching(/^\d{10}$/),
  })
  // Nothing of it leaves the browser before its button is pressed.
  expect(writes()).toEqual([])
})

it('HRB-022 HRB-024 HRB-026 what is typed as JSON is at once in the form; what is no JSON yet changes nothing and disturbs nobody', async () => {
  await showPage(BUILDER)
  await writeInto(json, '{"Name":"typed","GlobalProxy":"false","Own":[1],"DirectSites":["a","b"]}')
  await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue('typed')
  await expect.element(page.getByRole('switch', { name: 'Everything else through the proxy' })).not.toBeChecked()
  await openSection('Direct')
  await expect.element(page.getByLabelText('Direct sites')).toHaveValue('a\nb')
  const before = link()
  await writeInto(json, '{"Name":"broken"')
  await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue('typed')
  expect(link()).toBe(before)
  expect(page.getByRole('alert').query()).toBeNull()
  // Whoever goes on in the form gets the last good configuration, with keys that the form does not know.
  await page.getByLabelText('Name', { exact: true }).fill('form')
  await openSection('DNS hosts')
  await page.getByLabelText('Hosts', { exact: true }).fill('{"broken"')
  await expect.element(page.getByText('This is no JSON object, so no hosts are set.')).toBeVisible()
  await expect.element(page.getByLabelText('Hosts', { exact: true })).toHaveValue('{"broken"')
  expect(await agreed()).toEqual({ Name: 'form', GlobalProxy: 'false', Own: [1], DirectSites: ['a', 'b'], DnsHosts: {} })
})

it('HRB-023 HRB-027 an imported link of either prefix, or its Base64, is in form and JSON', async () => {
  await showPage(BUILDER)
  for (const [name, dress] of [
    ['first', (text: string) => text],
    ['second', (text: string) => text.replace('/add/', '/onadd/')],
    ['third', (text: string) => text.replace('happ://routing/add/', '')],
  ] as const) {
    await importField.fill(dress(encodeRouting({ Name: name, FakeDNS: 'true' })))
    await button('Decode').click()
    await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue(name)
    await expect.element(page.getByRole('switch', { name: 'Fake DNS' })).toBeChecked()
    await jsonText().toBe(`{\n  "Name": "${name}",\n  "FakeDNS": "true"\n}`)
  }
})

it('HRB-029 a broken link opens a dialog that says so, and changes nothing', async () => {
  await showPage(BUILDER)
  await importField.fill('happ://routing/add/%%%')
  const before = link()
  expect(before).not.toBe('')
  await button('Decode').click()
  const modal = page.getByRole('dialog', { name: 'Invalid Base64 or Happ link' })
  await expect.element(modal).toBeVisible()
  await modal.getByText('Close').click()
  await expect.poll(() => modal.query()).toBeNull()
  expect(link()).toBe(before)
})

it('HRB-004 HRB-033 the QR code of the link is dark with cyan modules', async () => {
  await showPage(BUILDER, PHONE)
  await button('Show QR code').click()
  const code = page.getByRole('img', { name: 'QR code of the routing link' })
  await expect.element(code).toBeVisible()
  expect(getComputedStyle(code.element()).backgroundColor).toBe('rgb(18, 22, 28)')
  expect(getComputedStyle(code.element()).fill).toBe('rgb(34, 211, 238)')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
})

it('a link too long for any QR code says so', async () => {
  await showPage(BUILDER)
  await writeInto(json, JSON.stringify({ Name: 'x'.repeat(10_000) }))
  await expect.element(page.getByText('The link is too long for a QR code.')).toBeVisible()
  await expect.element(button('Show QR code')).toBeDisabled()
})

it('HRB-025 the copy button says for two seconds that it has copied', async () => {
  await showPage(BUILDER)
  await button('Copy Link').click()
  await expect.element(button('Copied')).toBeVisible()
  const from = performance.now()
  await expect.poll(() => button('Copied').query(), { timeout: 4000 }).toBeNull()
  expect(performance.now() - from).toBeGreaterThan(1500)
  expect(copied).toMatch(/^happ:\/\/routing\/add\//)
})

it('the link goes into the subscription settings with one press, and comes back with another', async () => {
  await showPage(BUILDER)
  await expect.element(page.getByText('Subscriptions carry no routing yet.')).toBeVisible()
  await button('Put into the subscription settings').click()
  await expect.element(page.getByText('Subscription settings updated successfully')).toBeVisible()
  await expect.element(page.getByText('This is what subscriptions carry.')).toBeVisible()
  const [sent] = requests(updateSubscriptionSettings)
  expect(Object.keys(sent ?? {}).toSorted()).toEqual(['happRouting', 'uuid'])
  expect(decodeRouting(sent?.happRouting ?? '')).toMatchObject({ Name: 'Causeway' })
  await page.getByLabelText('Name', { exact: true }).fill('other')
  await button('Take from the settings').click()
  await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue('Causeway')
})

it('a preset replaces everything, after a question', async () => {
  await showPage(BUILDER, { language: 'fa' })
  await page.getByRole('button', { name: 'الگوها' }).click()
  await page.getByRole('menuitem', { name: 'ایران مستقیم' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'آغاز دوباره' }).click()
  await expect.poll(editorText).toContain('geosite:category-ir')
})

it('far too much text in any field is refused with a sentence, and nothing is taken over', { timeout: 120_000 }, async () => {
  await showPage(BUILDER)
  await expect.poll(editorText, { timeout: 60_000 }).toContain('Causeway')
  const before = await agreed()
  await openSection('Direct')
  const flood = 'A'.repeat(100_001)
  // With kerning a word of so many A takes minutes to be drawn.
  expect(getComputedStyle(importField.element()).fontKerning).toBe('none')
  for (const field of [importField, page.getByLabelText('Direct sites')]) {
    await field.fill(flood)
    await expect.element(field).toHaveAccessibleDescription(expect.stringContaining('more than 100,000 characters'))
    const input = field.element()
    expect(input instanceof HTMLTextAreaElement && input.value.length).toBeLessThan(100_000)
  }
  await setEditorText(JSON.stringify({ Name: flood }))
  await expect
    .element(page.getByRole('region', { name: 'JSON' }).getByRole('alert'))
    .toHaveTextContent('That is more than 100,000 characters: no routing is so long. Nothing was taken over.')
  await jsonText().toContain('Causeway')
  expect(await agreed()).toEqual(before)
})
