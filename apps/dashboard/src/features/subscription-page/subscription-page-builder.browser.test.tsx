import {
  errors,
  fetchSubscriptionPage,
  getSubscriptionPage,
  previewSubscriptionPage,
  publishSubscriptionPage,
  type PageApp,
  type PageConfig,
} from '@causeway/contract'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { savedFiles } from '../../../test/saved-files.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const BUILDER = '/dashboard/utils/subscription-page-builder'
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const field = (label: string) => page.getByLabelText(label, { exact: true })
const list = page.getByRole('list', { name: 'Apps' })
const dialog = (name: string) => page.getByRole('dialog', { name })
const step = (name: string) => page.getByRole('region', { name, exact: true })
const names = () =>
  list
    .getByRole('listitem')
    .elements()
    .map((item) => item.querySelector('p')?.textContent)

const text = { en: 'English text', fa: 'متن', ru: 'Текст' }
const app = (id: string, urlScheme = ''): PageApp => ({
  id,
  name: id,
  isFeatured: false,
  urlScheme,
  installationStep: { description: text, buttons: [] },
  addSubscriptionStep: { description: text },
  connectAndUseStep: { description: text },
})
const CONFIG: PageConfig = { ios: [], android: [app('one', 'one://add/'), app('two'), app('three')], pc: [app('desk')] }

let saved: ReturnType<typeof savedFiles>
beforeEach(() => {
  answer(getSubscriptionPage, () => ({ config: CONFIG, isPublished: false, publishedAt: null }))
  answer(previewSubscriptionPage, ({ language }) => ({ html: `<p>preview in ${language}</p>`, bytes: 9000 }))
  saved = savedFiles()
})

const file = (content: string) => new File([content], 'mine.json', { type: 'application/json' })
async function upload(content: string): Promise<void> {
  await expect.element(button('Export')).toBeVisible()
  const input = document.querySelector('input[type=file]')
  if (!input) throw new Error('nothing to choose a file with')
  await userEvent.upload(page.elementLocator(input), file(content))
}

it('SPB-001 SPB-002 SPB-003 SPB-004 SPB-005 SPB-006 SPB-007 SPB-025 the page: devices, their apps, the chosen one, and what can be done', async () => {
  await showPage(BUILDER)
  const tabs = page.getByRole('tab')
  await expect.element(tabs.first()).toBeVisible()
  await expect.poll(() => tabs.elements().map((tab) => tab.textContent)).toEqual(['iOS', 'Android', 'PC'])
  await expect.element(page.getByRole('tab', { name: 'Android' })).toHaveAttribute('aria-selected', 'true')
  expect(names()).toEqual(['one', 'two', 'three'])
  await expect.element(list.getByRole('listitem').nth(0)).toMatchTextContent('one://add/')
  await expect.element(list.getByRole('listitem').nth(1)).toMatchTextContent('No URL scheme')
  await expect.element(field('Name')).toHaveValue('one')
  await page.getByRole('tab', { name: 'iOS' }).click()
  await expect.element(page.getByText('Choose an app, or add one')).toBeVisible()
  for (const name of ['Add an app', 'Load default', 'Upload a file', 'Export'])
    await expect.element(button(name).first()).toBeVisible()
  await button('How this works').click()
  await expect.element(page.getByText(/A URL scheme is how a link names an app/)).toBeVisible()
  await expect.element(page.getByRole('main').getByRole('link', { name: /URL scheme/ })).not.toBeInTheDocument()
  expect(await violations()).toEqual([])
})

it('SPB-010 SPB-011 SPB-022 SPB-023 SPB-024 an app is added, selected, renamed, copied and deleted; undo and redo bring it back', async () => {
  await showPage(BUILDER)
  await button('Add an app').click()
  await expect.element(field('ID')).toHaveValue(expect.stringMatching(/^new-app-android-\d{13}$/))
  await expect.element(field('Name')).toHaveValue('New App')
  await field('ID').fill('renamed')
  await expect.element(field('ID')).toHaveValue('renamed')
  await field('ID').fill('Renamed')
  await expect.element(page.getByText('Must start with a lowercase letter')).toBeVisible()
  await button('Actions for New App').click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  expect(names()).toEqual(['one', 'two', 'three', 'New App', 'New App'])
  await button('Actions for two').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  expect(names()).toEqual(['one', 'three', 'New App', 'New App'])
  await expect.element(field('Name')).toHaveValue('one')
  await button('Undo').click()
  await button('Undo').click()
  expect(names()).toEqual(['one', 'two', 'three', 'New App'])
  await button('Redo').click()
  expect(names()).toEqual(['one', 'two', 'three', 'New App', 'New App'])
})

it('publishing and undoing are in sight wherever one is on the page, on a phone too', async () => {
  await showPage(BUILDER, PHONE)
  const publish = button('Publish')
  for (const place of [field('ID'), field('Description, Persian').last()]) {
    await expect.element(place).toBeVisible()
    place.element().scrollIntoView({ block: 'center' })
    await expect.element(place).toBeInViewport()
    await expect.element(publish).toBeInViewport({ ratio: 1 })
  }
})

it('apps are put into order with the keyboard', async () => {
  await showPage(BUILDER)
  await expect.poll(names).toEqual(['one', 'two', 'three'])
  const handle = button('Move one').element()
  if (handle instanceof HTMLElement) handle.focus()
  await userEvent.keyboard(' ')
  await userEvent.keyboard('{ArrowDown}')
  await userEvent.keyboard(' ')
  await expect.poll(names).toEqual(['two', 'one', 'three'])
  await expect.element(field('Name')).toHaveValue('one')
})

it('SPB-012 SPB-013 SPB-014 SPB-015 SPB-016 SPB-017 SPB-018 SPB-019 SPB-020 SPB-026 SPB-027 SPB-028 SPB-051 everything of an app is edited and published', async () => {
  answer(publishSubscriptionPage, ({ config }) => ({
    config: config as PageConfig,
    isPublished: true,
    publishedAt: '2026-11-22T00:00:00.000Z',
  })) // the page has checked it
  await showPage(BUILDER)
  await field('URL scheme').fill('app://open/')
  await page.getByRole('switch', { name: 'Recommended' }).click()
  await page.getByRole('switch', { name: 'Address in Base64' }).click()
  const persian = step('Installation').getByLabelText('Description, Persian')
  expect(getComputedStyle(persian.element()).direction).toBe('rtl')
  const lineHeight = Number.parseFloat(getComputedStyle(persian.element()).lineHeight)
  expect(persian.element().clientHeight).toBeGreaterThanOrEqual(3 * lineHeight)
  await persian.fill(Array.from({ length: 30 }, (_, line) => `خط ${line}`).join('\n'))
  await expect.poll(() => persian.element().clientHeight).toBeLessThanOrEqual(11 * lineHeight)
  await persian.fill('نصب')
  await step('Installation').getByRole('button', { name: 'Add a button' }).click()
  await step('Installation').getByLabelText('Link').fill('https://apps.example')
  for (const [language, words] of [
    ['English', 'Get it'],
    ['Persian', 'بگیر'],
    ['Russian', 'Скачать'],
  ] as const)
    await step('Installation').getByLabelText(`Text, ${language}`).fill(words)
  await step('Installation').getByRole('button', { name: 'Add a button' }).click()
  await step('Installation').getByRole('button', { name: 'Delete button 2' }).click()
  await button('Add: Step before adding').click()
  await button('Add: Step after adding').click()
  await button('Delete: Step after adding').click()
  const before = step('Step before adding')
  for (const language of ['English', 'Persian', 'Russian']) {
    await before.getByLabelText(`Title, ${language}`).fill('First')
    expect(before.getByLabelText(`Title, ${language}`).element().tagName).toBe('INPUT') // of one line
    await before.getByLabelText(`Description, ${language}`).fill('Do it')
  }
  await step('Connecting').getByLabelText('Description, Russian').fill('Включите')
  await button('Publish').click()
  await expect.element(page.getByText('Subscription page published')).toBeVisible()
  const [sent] = requests(publishSubscriptionPage)
  const three = (words: string) => ({ en: words, fa: words, ru: words })
  expect(sent).toEqual({
    basedOn: null,
    config: {
      ...CONFIG,
      android: [
        {
          ...CONFIG.android[0],
          urlScheme: 'app://open/',
          isFeatured: true,
          isNeedBase64Encoding: true,
          installationStep: {
            description: { ...text, fa: 'نصب' },
            buttons: [{ buttonLink: 'https://apps.example', buttonText: { en: 'Get it', fa: 'بگیر', ru: 'Скачать' } }],
          },
          additionalBeforeAddSubscriptionStep: { title: three('First'), description: three('Do it'), buttons: [] },
          connectAndUseStep: { description: { ...text, ru: 'Включите' } },
        },
        CONFIG.android[1],
        CONFIG.android[2],
      ],
    },
  })
  await expect.element(button('Publish')).toBeDisabled()
})

it('SPB-008 SPB-029 what is not filled in is listed at export and before publishing, and nothing leaves', async () => {
  await showPage(BUILDER)
  await button('Add an app').click()
  await expect.element(field('Name')).toHaveValue('New App')
  for (const name of ['Export', 'Publish']) {
    await button(name).click()
    await expect
      .element(dialog('Invalid configuration'))
      .toMatchTextContent('Android › app 4 (New App) › Installation › Description › English: must not be empty')
    const complaints = dialog('Invalid configuration').getByRole('listitem').elements()
    expect(complaints.map((one) => one.textContent?.split(':')[0])).toEqual(
      ['Installation', 'Adding the subscription', 'Connecting'].flatMap((part) =>
        ['English', 'Persian', 'Russian'].map((language) => `Android › app 4 (New App) › ${part} › Description › ${language}`),
      ),
    )
    await dialog('Invalid configuration').getByText('Close').click()
    await expect.poll(() => dialog('Invalid configuration').query()).toBeNull()
  }
  expect(saved).toEqual([])
  expect(requests(publishSubscriptionPage)).toEqual([])
})

it('SPB-048 SPB-049 SPB-050 a configuration leaves as app-config.json with two blanks, and comes back the same', async () => {
  await showPage(BUILDER)
  await button('Export').click()
  await expect.poll(() => saved.map(({ name }) => name)).toEqual(['app-config.json'])
  expect(await saved[0]?.content.text()).toBe(JSON.stringify(CONFIG, null, 2))
  expect(document.querySelector('input[type=file]')?.getAttribute('accept')).toBe('application/json,.json')
  await upload(JSON.stringify({ ...CONFIG, android: [], pc: [app('imported')] }))
  await expect.element(page.getByRole('tab', { name: 'PC' })).toHaveAttribute('aria-selected', 'true')
  await expect.element(field('Name')).toHaveValue('imported')
})

it('SPB-045 SPB-046 a bad file opens a dialog that says what is wrong, and changes nothing', async () => {
  await showPage(BUILDER)
  await upload('{"ios": [{"id": "App"}], "android": {}}')
  const modal = dialog('Invalid configuration')
  await expect.element(modal).toMatchTextContent('Validation failed for imported config')
  await expect.element(modal).toMatchTextContent('config.ios[0].id: must start with a lowercase letter')
  await expect.element(modal).toMatchTextContent('config.android: must be an array')
  await modal.getByText('Close').click()
  await expect.poll(() => modal.query()).toBeNull()
  await upload('{"ios": ')
  await expect.element(modal).toMatchTextContent('Failed to parse config')
  await modal.getByText('Close').click()
  await expect.poll(() => modal.query()).toBeNull()
  await upload(' '.repeat(5 * 1024 * 1024))
  await expect.element(modal).toMatchTextContent('Failed to parse config')
  expect(names()).toEqual(['one', 'two', 'three'])
})

it('SPB-029 SPB-044 SPB-047 the default comes from the product or an address, through the server; a failure says so', async () => {
  answer(fetchSubscriptionPage, ({ url }) => ({ config: { ...CONFIG, ios: [app(url === null ? 'own' : 'fetched')] } }))
  await showPage(BUILDER)
  await button('Load default').click()
  await page.getByRole('menuitem', { name: 'The page of the product' }).click()
  await expect.element(field('Name')).toHaveValue('own')
  await button('Load default').click()
  await page.getByRole('menuitem', { name: 'From an address' }).click()
  const load = dialog('From an address').getByRole('button', { name: 'Load' })
  await dialog('From an address').getByLabelText('Address').fill('javascript:alert(1)')
  await expect.element(load).toBeDisabled()
  await dialog('From an address').getByLabelText('Address').fill('https://example.com/app-config.json')
  await load.click()
  await expect.element(field('Name')).toHaveValue('fetched')
  expect(requests(fetchSubscriptionPage)).toEqual([{ url: null }, { url: 'https://example.com/app-config.json' }])
  // A default that is no configuration is not taken over, and its faults are named.
  answer(fetchSubscriptionPage, () => ({ config: { ios: [{ id: 'App' }], android: {} } as never }))
  await button('Load default').click()
  await page.getByRole('menuitem', { name: 'The page of the product' }).click()
  await expect.element(dialog('Invalid configuration')).toMatchTextContent('config.android: must be an array')
  await dialog('Invalid configuration').getByText('Close').click()
  await expect.element(field('Name')).toHaveValue('fetched')
  refuse(fetchSubscriptionPage, { status: 400, message: 'No configuration could be loaded from this address.' })
  await button('Load default').click()
  await page.getByRole('menuitem', { name: 'The page of the product' }).click()
  await expect
    .element(dialog('Invalid configuration'))
    .toMatchTextContent('Failed to load default config, check your internet connection')
})

it('SPB-052 the configuration is copied, which the button says for two seconds', async () => {
  let copied = ''
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (given) => void (copied = given))
  await showPage(BUILDER)
  await button('Copy the configuration').click()
  await expect.element(button('Copied')).toBeVisible()
  const from = performance.now()
  await expect.poll(() => button('Copied').query(), { timeout: 4000 }).toBeNull()
  expect(performance.now() - from).toBeGreaterThan(1500)
  expect(JSON.parse(copied)).toEqual(CONFIG)
})

it('the preview is the server’s own page, of the three languages, where nothing can run', async () => {
  await showPage(BUILDER, { language: 'fa', ...PHONE })
  const frame = () => document.querySelector('iframe')
  await expect.poll(() => frame()?.srcdoc).toBe('<p>preview in en</p>')
  expect(frame()?.getAttribute('sandbox')).toBe('')
  await page.getByRole('radiogroup', { name: 'زبان پیش‌نمایش' }).getByText('روسی').click()
  await expect.poll(() => frame()?.srcdoc).toBe('<p>preview in ru</p>')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
})

it('leaving with changes asks, and another administrator’s page is not overwritten', async () => {
  const message = 'Another administrator has published another page meanwhile.'
  refuse(publishSubscriptionPage, { status: 409, code: 'A073', message })
  const screen = await showPage(BUILDER)
  await field('Name').fill('changed')
  await button('Publish').click()
  await expect.element(page.getByRole('alert').filter({ hasText: message })).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect.element(dialog('Discard changes?')).toBeVisible()
  await dialog('Discard changes?').getByRole('button', { name: 'Keep editing' }).click()
  expect(screen.address()).toBe(BUILDER)
  await expect.element(field('Name')).toHaveValue('changed')
})

it('of two administrators the second decides, and no page is lost: undo brings back the own one', async () => {
  const theirs = { ...CONFIG, android: [app('theirs')] }
  let published = { config: CONFIG, isPublished: true, publishedAt: '2026-11-22T10:00:00.000Z' }
  answer(getSubscriptionPage, () => published)
  await showPage(BUILDER)
  await field('Name').fill('mine')
  published = { config: theirs, isPublished: true, publishedAt: '2026-11-22T11:00:00.000Z' }
  await button('Publish').click()
  const notice = page.getByRole('alert').filter({ hasText: 'theirs, desk' })
  await expect.element(notice).toBeVisible()
  expect(requests(publishSubscriptionPage)).toEqual([])
  await expect.element(button('Publish')).toBeDisabled()
  expect(names()).toEqual(['mine', 'two', 'three'])
  await notice.getByRole('button', { name: 'Load their version' }).click()
  await expect.poll(names).toEqual(['theirs'])
  await expect.element(button('Publish')).toBeDisabled()
  await button('Undo').click()
  await expect.poll(names).toEqual(['mine', 'two', 'three'])
  answer(publishSubscriptionPage, ({ config }) => ({
    config: config as PageConfig, // what the screen has sent
    isPublished: true,
    publishedAt: '2026-11-22T12:00:00.000Z',
  }))
  await button('Publish').click()
  await expect.poll(() => requests(publishSubscriptionPage).at(-1)?.basedOn).toBe('2026-11-22T11:00:00.000Z')
  await expect.element(button('Publish')).toBeDisabled()
  expect(names()).toEqual(['mine', 'two', 'three'])
})

it('a page published by a colleague is shown where nothing was changed, and a refusal of the server reads it again', async () => {
  const theirs = { ...CONFIG, android: [app('theirs')] }
  let published = { config: CONFIG, isPublished: true, publishedAt: '2026-11-22T10:00:00.000Z' }
  answer(getSubscriptionPage, () => published)
  refuse(publishSubscriptionPage, errors.subscriptionPageChanged)
  await showPage(BUILDER)
  await field('Name').fill('mine')
  await button('Publish').click()
  await expect.poll(() => requests(publishSubscriptionPage)).toHaveLength(1)
  await button('Discard changes').click()
  expect(names()).toEqual(['one', 'two', 'three'])
  published = { config: theirs, isPublished: true, publishedAt: '2026-11-22T11:00:00.000Z' }
  await field('Name').fill('mine')
  await button('Publish').click()
  await expect.element(page.getByRole('alert').filter({ hasText: 'theirs, desk' })).toBeVisible()
  expect(requests(publishSubscriptionPage)).toHaveLength(1)
})
