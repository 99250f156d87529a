import {
  clonePageConfig,
  DEFAULT_PAGE_CONFIG,
  deletePageConfig,
  listExternalSquads,
  listPageConfigs,
  updatePageConfig,
} from '@causeway/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, requests } from '../../../test/fake-api.ts'
import { uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const PAGES = '/dashboard/utils/page-configs'
const config = {
  version: '1',
  more: { kept: true },
  locales: ['en'],
  brandingSettings: { title: 'Gold', logoUrl: '', supportUrl: '' },
  uiConfig: { subscriptionInfoBlockType: 'hidden', installationGuidesBlockType: 'cards' },
  baseTranslations: {},
  svgLibrary: {},
  platforms: {},
}
const configs = [
  { uuid: DEFAULT_PAGE_CONFIG, viewPosition: 0, name: 'Default', config },
  { uuid: uuid(811), viewPosition: 1, name: 'Gold page', config },
]

beforeAll(() => import('../../ui/editor/code-editor-canvas.tsx'), 120_000)
beforeEach(() => {
  answer(listPageConfigs, () => ({ total: 2, configs }))
  answer(listExternalSquads, () => ({ total: 0, externalSquads: [] }))
  answer(updatePageConfig, (input) => ({ uuid: uuid(811), viewPosition: 1, name: 'Gold page', config: input.config }))
})

const row = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const shownText = () =>
  [...document.querySelectorAll('.view-line')].map((line) => line.textContent.replaceAll('\u00a0', ' ')).join('\n')

async function choose(item: string, name: string): Promise<void> {
  await row(name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function typeAll(text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: /^Configuration Gold page/ })
  await expect.element(editor).toBeInTheDocument()
  const box = editor.element()
  if (box instanceof HTMLElement) box.focus()
  await userEvent.keyboard('{Control>}a{/Control}{Delete}')
  await userEvent.keyboard(text)
}

test('XSQ-005 a configuration is edited as its text, members that are not known included; what is wrong is named by its place', async () => {
  await showPage(PAGES)
  await row('Gold page').getByRole('button', { name: 'Edit Gold page' }).click()
  await page.getByRole('tab', { name: 'JSON' }).click()
  await expect.poll(shownText).toContain('"kept": true')
  await typeAll('{{"version": "2"')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('config.version: must be "1"')).toBeVisible()
  expect(requests(updatePageConfig)).toEqual([])
})

test('XSQ-005 a configuration is edited by a form: branding, looks, and apps by name, order and recommendation', async () => {
  const apps = ['Alpha', 'Beta', 'Gamma'].map((name) => ({ name, own: name, blocks: [] }))
  const ios = { displayName: { en: 'iOS' }, apps }
  const full = { ...config, platforms: { ios, linux: { displayName: { en: 'Linux' }, apps: [] } } }
  answer(listPageConfigs, () => ({ total: 2, configs: configs.map((one) => ({ ...one, config: full })) }))
  await showPage(PAGES)
  await row('Gold page').getByRole('button', { name: 'Edit Gold page' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Silver')
  await dialog.getByRole('switch', { name: 'Gamma is recommended' }).click()
  await dialog.getByRole('textbox', { name: 'Name of app 2' }).fill('Better')
  await dialog.getByRole('button', { name: 'Remove Alpha' }).click()
  dialog.getByRole('button', { name: 'Move Gamma', exact: true }).element().focus()
  await userEvent.keyboard(' {ArrowUp} ')
  await expect.element(dialog.getByRole('textbox', { name: 'Name of app 1' })).toHaveValue('Gamma')
  expect(await violations('[role=dialog]')).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  const [, beta, gamma] = apps
  const saved = [
    { ...gamma, featured: true },
    { ...beta, name: 'Better' },
  ]
  await expect
    .poll(() => requests(updatePageConfig))
    .toEqual([
      {
        uuid: uuid(811),
        config: {
          ...full,
          brandingSettings: { ...config.brandingSettings, title: 'Silver' },
          platforms: { ...full.platforms, ios: { ...ios, apps: saved } },
        },
      },
    ])
})

test('XSQ-005 the default goes back to the builder and is not deleted; others are copied and deleted', async () => {
  answer(clonePageConfig, () => ({ uuid: uuid(812), viewPosition: 2, name: 'Gold page 2', config }))
  answer(deletePageConfig, () => ({ isDeleted: true }))
  await showPage(PAGES)
  await choose('Back to the page builder', 'Default')
  await page.getByRole('dialog').getByRole('button', { name: 'Back to the page builder' }).click()
  await expect.poll(() => requests(updatePageConfig)).toEqual([{ uuid: DEFAULT_PAGE_CONFIG, config: null }])
  await choose('Duplicate', 'Gold page')
  await expect.poll(() => requests(clonePageConfig)).toEqual([{ cloneFromUuid: uuid(811) }])
  await choose('Delete', 'Gold page')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => requests(deletePageConfig)).toEqual([{ uuid: uuid(811) }])
})

test.each([
  ['en', {}],
  ['fa', { ...PHONE, colorScheme: 'light' }],
] as const)('in %s the page stands at %o without violations and sideways scrolling', async (language, view) => {
  await showPage(PAGES, { language, ...view })
  await expect.element(page.getByRole('heading', { name: 'Gold page' })).toBeVisible()
  await expect.poll(() => violations()).toEqual([])
  await expect.poll(() => document.documentElement.scrollWidth - window.innerWidth).toBeLessThanOrEqual(0)
})
