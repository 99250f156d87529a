import {
  getAuthStatus,
  getSubscriptionTemplate,
  listSubscriptionTemplates,
  listTemplateCatalogue,
  previewSubscription,
  readTemplateCatalogue,
  templateType,
  updateSubscriptionTemplate,
  type SubscriptionTemplate,
  type TemplateType,
} from '@causeway/contract'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { endSession } from '../../api/session.ts'
import { violations } from '../../../test/axe.ts'
import { answer, hold, refuse, requests } from '../../../test/fake-api.ts'
import { samplePreview, uuid } from '../../../test/samples.ts'
import { PHONE, showPage, showPart } from '../../../test/screen.tsx'
import { TemplateHeader } from './template-header.tsx'

const encode = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
const YAML = '# für alle\nmode: rule\n'

/** A server that keeps one template of each type. */
function serve(): Map<TemplateType, SubscriptionTemplate> {
  const kept = new Map<TemplateType, SubscriptionTemplate>()
  const find = (templateType: TemplateType): SubscriptionTemplate => {
    const isYaml = ['MIHOMO', 'STASH', 'CLASH'].includes(templateType)
    const content = isYaml
      ? { templateJson: null, encodedTemplateYaml: encode(YAML) }
      : { templateJson: { log: { level: 'info' } }, encodedTemplateYaml: null }
    return kept.get(templateType) ?? { uuid: uuid(900), templateType, ...content }
  }
  answer(listSubscriptionTemplates, () => ({ total: 0, templates: [] }))
  answer(getSubscriptionTemplate, ({ templateType: asked }) => find(templateType.parse(asked)))
  answer(updateSubscriptionTemplate, ({ templateType, templateJson, encodedTemplateYaml }) => {
    const next = {
      ...find(templateType),
      ...(templateJson && { templateJson }),
      ...(encodedTemplateYaml && { encodedTemplateYaml }),
    }
    kept.set(templateType, next)
    return next
  })
  return kept
}

// The editor is large: what is waited for below is the page.
beforeAll(() => import('../../ui/editor/code-editor-canvas.tsx'), 120_000)

beforeEach(() => {
  serve()
  answer(previewSubscription, () => samplePreview())
})

const saving = page.getByRole('dialog', { name: 'Save the template?' })
const saveNow = saving.getByRole('button', { name: 'Save', exact: true })
const textbox = () => page.getByRole('textbox', { name: /^(Template|قالب)/ })
const shownText = () =>
  [...document.querySelectorAll('.view-line')].map((line) => line.textContent.replaceAll('\u00a0', ' ')).join('\n')
const button = (name: string) => page.getByRole('button', { name, exact: true })

async function typeAll(text: string): Promise<void> {
  await button('Select all').click()
  await userEvent.keyboard('{Delete}')
  await userEvent.keyboard(text)
}

const PAGES = [
  ['xray-json', 'Xray JSON', '{\n  "log": {\n    "level": "info"\n  }\n}'],
  ['mihomo', 'Mihomo', '# für alle\nmode: rule\n'],
  ['sg-legacy', 'sing-box legacy', '{\n  "log": {\n    "level": "info"\n  }\n}'],
  ['singbox', 'sing-box', '{\n  "log": {\n    "level": "info"\n  }\n}'],
  ['stash', 'Stash', '# für alle\nmode: rule\n'],
  ['clash', 'Clash', '# für alle\nmode: rule\n'],
] as const

test.each(PAGES)(
  'TMPL-001 TMPL-002 TMPL-003 TMPL-004 TMPL-005 TMPL-006 TMPL-007 TMPL-033 TMPL-034: /dashboard/templates/%s edits %s',
  async (path, title, text) => {
    await showPage(`/dashboard/templates/${path}`)
    await expect.element(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toHaveTextContent(`Dashboard/Templates/${title}`)
    await expect.element(textbox()).toBeInTheDocument()
    await expect.poll(shownText).toBe(text)
    expect(page.getByText('importing JSON subscription').query() !== null).toBe(path === 'xray-json')
  },
)

test('TMPL-007: a title that nobody has given is a config', async () => {
  await showPart(<TemplateHeader />, { texts: ['subscription-templates'] })
  await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toHaveTextContent('Dashboard/Templates/Config')
})

test('TMPL-008 TMPL-044: while it loads the page says so, then the content takes its place', async () => {
  const go = hold(getSubscriptionTemplate)
  await showPage('/dashboard/templates/stash')
  await expect.element(page.getByRole('status').filter({ hasText: 'Loading template...' })).toBeVisible()
  await expect.poll(() => requests(getSubscriptionTemplate)).toEqual([{ templateType: 'STASH' }])
  go()
  await expect.poll(shownText).toContain('mode: rule')
  await expect.element(page.getByText('Loading template...')).not.toBeInTheDocument()
})

test('TMPL-050: a template that cannot be loaded says so in red, and is asked for again', async () => {
  refuse(getSubscriptionTemplate, { status: 500 })
  await showPage('/dashboard/templates/clash')
  const toast = page.getByRole('alert').filter({ hasText: 'Failed to load template, please try again' })
  await expect.element(toast).toBeVisible()
  await expect.element(toast).toMatchTextContent(/^Failed to load templateFailed to load template, please try again/)
  serve()
  await button('Try again').click()
  await expect.poll(shownText).toContain('mode: rule')
})

test('TMPL-009 TMPL-010 TMPL-011: the help of Xray JSON is closed until asked for, and names path and apps', async () => {
  await showPage('/dashboard/templates/xray-json')
  const help = button('importing JSON subscription')
  await expect.element(help).toHaveAttribute('aria-expanded', 'false')
  await help.click()
  await expect.element(page.getByText('/json is appended')).toBeVisible()
  const apps = page
    .getByRole('listitem')
    .elements()
    .map((one) => one.textContent.trim())
  const wanted = [
    'v2rayNG 1.8.29 or newer',
    'V2rayN 6.40 or newer',
    'Streisand any version',
    'Happ any version',
    'V2Box any version',
    'ktor-client any version',
  ]
  expect(apps.filter((app) => wanted.includes(app))).toEqual(wanted)
})

test('TMPL-022 TMPL-023 TMPL-037 TMPL-045 TMPL-051: JSON is formatted and saved as an object, pending until the answer', async () => {
  await showPage('/dashboard/templates/singbox')
  await expect.poll(shownText).toContain('level')
  await typeAll('{{"b":1')
  await button('Format').click()
  await expect.poll(shownText).toBe('{\n  "b": 1\n}')
  const go = hold(updateSubscriptionTemplate)
  await button('Save').click()
  await expect
    .element(saving.getByText(/^No node restarts and no connection is cut\. Apps that are given sing-box/))
    .toBeVisible()
  await saving.getByRole('textbox', { name: 'Why' }).fill('for the new apps')
  await saveNow.click()
  await expect.element(button('Save')).toHaveAttribute('data-loading', 'true')
  go()
  await expect.element(page.getByText('Template updated successfully')).toBeVisible()
  expect(requests(updateSubscriptionTemplate)).toEqual([
    { templateType: 'SINGBOX', templateJson: { b: 1 }, reason: 'for the new apps' },
  ])
  await expect.element(button('Save')).toBeDisabled()
})

test('TMPL-023 TMPL-045: YAML is saved with Ctrl+S, letters and all', async () => {
  await showPage('/dashboard/templates/mihomo')
  await expect.poll(shownText).toContain('mode')
  await typeAll('mode: direct # ü')
  await userEvent.keyboard('{Control>}s{/Control}')
  await saveNow.click()
  await expect
    .poll(() => requests(updateSubscriptionTemplate))
    .toEqual([{ templateType: 'MIHOMO', encodedTemplateYaml: encode('mode: direct # ü') }])
})

test('TMPL-042: an empty text and one of blanks are not saved', async () => {
  await showPage('/dashboard/templates/mihomo')
  await expect.poll(shownText).toContain('mode')
  await typeAll('   ')
  await button('Save').click()
  await userEvent.keyboard('{Control>}s{/Control}')
  await expect.element(button('Save')).toBeEnabled()
  expect(requests(updateSubscriptionTemplate)).toEqual([])
})

test('TMPL-038 TMPL-043: invalid JSON is refused without a call, and the editor goes to the place', async () => {
  await showPage('/dashboard/templates/xray-json')
  await expect.poll(shownText).toContain('level')
  await typeAll('{{"a": 1,,')
  const before = requests(getSubscriptionTemplate).length
  await button('Save').click()
  const toast = page.getByRole('alert').filter({ hasText: 'Failed to save: invalid JSON' })
  await expect.element(toast).toMatchTextContent(/^Error/)
  await expect.element(page.getByText('Line 1, column 9', { exact: true })).toBeVisible()
  expect(requests(updateSubscriptionTemplate)).toEqual([])
  expect(requests(getSubscriptionTemplate).length).toBe(before)
  await expect.element(page.getByRole('button', { name: /problems?\. Line 1/ })).toBeVisible()
})

test('JSON that would lose something is refused in words, at its place', async () => {
  await showPage('/dashboard/templates/xray-json')
  await expect.poll(shownText).toContain('level')
  await typeAll('{{"a": 1, "a": 2')
  await button('Save').click()
  const words = page.getByRole('alert').filter({ hasText: 'The key "a" stands twice in one object. (line 1, column 10)' })
  await expect.element(words).toBeVisible()
  await expect.element(page.getByRole('note')).toBeInViewport({ ratio: 1 })
  await expect.element(page.getByText('Line 1, column 10', { exact: true })).toBeVisible()
  expect(requests(updateSubscriptionTemplate)).toEqual([])
})

test('ERR-003: what the server refuses is a toast, stands in sight beside Save, and at its place', async () => {
  await showPage('/dashboard/templates/clash')
  await expect.poll(shownText).toContain('mode')
  const message = 'cannot be used: The key mode stands twice at line 2'
  refuse(updateSubscriptionTemplate, {
    status: 400,
    message: 'Validation failed',
    errors: [{ code: 'custom', path: ['encodedTemplateYaml'], message }],
  })
  await typeAll('mode: rule{Enter}mode: global')
  await button('Save').click()
  await saveNow.click()
  const toast = page.getByRole('alert').filter({ hasText: 'The key mode stands twice' })
  await expect.element(toast).toMatchTextContent(/^Update Subscription Template/)
  await expect.element(page.getByRole('note')).toMatchTextContent(/The key mode stands twice/)
  await expect.element(page.getByRole('note')).toBeInViewport({ ratio: 1 })
  await expect.element(page.getByRole('button', { name: /Line 2, column 1.*The key mode stands twice/ })).toBeVisible()
  await expect.poll(shownText).toContain('mode: global')
})

test('TMPL-024 TMPL-025 TMPL-026 TMPL-027 TMPL-035 TMPL-036: copy, select all, cut and paste', async () => {
  let clip = ''
  let copiedAt = 0
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    clip = text
    copiedAt = performance.now()
  })
  vi.spyOn(navigator.clipboard, 'readText').mockImplementation(async () => clip)
  await showPage('/dashboard/templates/mihomo')
  await expect.poll(shownText).toContain('mode')
  // What happens for half a second is noted as it happens.
  const copied: number[] = []
  const observer = new MutationObserver(() => {
    const isTeal = button('Copy').element().getAttribute('style')?.includes('--mantine-color-teal-filled') ?? false
    if (isTeal === (copied.length === 0)) copied.push(performance.now())
  })
  observer.observe(button('Copy').element(), { attributes: true })
  await button('Copy').click()
  await expect.poll(() => copied.length).toBe(2)
  observer.disconnect()
  // From the copying on, after which the button's timer starts: the browser may be late to draw.
  const lasted = (copied[1] ?? 0) - copiedAt
  expect(lasted).toBeGreaterThan(450)
  expect(lasted).toBeLessThan(1500)
  expect(clip).toBe(YAML)
  clip = ''
  // Keys do these: they stand behind the toolbar's menu.
  const item = async (name: string) => {
    await button('More actions').click()
    await page.getByRole('menuitem', { name }).click()
  }
  await button('Select all').click()
  await item('Cut')
  await expect.poll(shownText).toBe('')
  expect(clip).toBe(YAML)
  await item('Paste')
  await item('Paste')
  await expect.poll(shownText).toBe(`${YAML}${YAML}`)
  await item('Cut')
  await expect.element(page.getByText('Nothing is selected')).toBeVisible()
})

const entry = { author: 'somebody', type: 'CLASH', url: 'https://templates.example/a.yaml', isOfficial: false } as const

test('TMPL-028 TMPL-047: the catalogue offers templates of the type; the chosen one is read and put into the editor', async () => {
  answer(listTemplateCatalogue, () => ({
    entries: [
      { ...entry, name: 'Games' },
      { ...entry, name: 'Everything', url: 'shipped:CLASH/plain', author: 'Causeway', isOfficial: true },
      { ...entry, name: 'Elsewhere', type: 'STASH' as const },
    ],
    outside: 'loaded' as const,
  }))
  answer(readTemplateCatalogue, () => ({ text: 'mode: global # of the catalogue' }))
  await showPage('/dashboard/templates/clash')
  await expect.poll(shownText).toContain('mode')
  await button('From the catalogue').click()
  const list = page.getByRole('list', { name: 'Templates' })
  await expect.element(list.getByRole('listitem').nth(1)).toBeVisible()
  expect(
    list
      .getByRole('listitem')
      .elements()
      .map((one) => one.textContent),
  ).toEqual(['Gamessomebody templatesCLASH', 'Everything through the proxiesOfficial templatesCLASH'])
  expect(requests(listTemplateCatalogue)).toEqual([{ kind: 'SUBSCRIPTION' }])
  await list.getByRole('button', { name: /Games/ }).click()
  await expect.poll(shownText).toBe('mode: global # of the catalogue')
  expect(requests(readTemplateCatalogue)).toEqual([{ kind: 'SUBSCRIPTION', url: entry.url }])
  // What is not saved is not overwritten without a question.
  await button('From the catalogue').click()
  await list.getByRole('button', { name: /Games/ }).click()
  await expect.element(page.getByRole('dialog', { name: 'Replace what is in the editor?' })).toBeVisible()
})

test('TMPL-049: a catalogue or a template that cannot be loaded is told of, and what came with the server stays', async () => {
  const shipped = { ...entry, name: 'Everything', url: 'shipped:CLASH/plain', author: 'Causeway', isOfficial: true }
  answer(listTemplateCatalogue, () => ({ entries: [shipped], outside: 'failed' as const }))
  await showPage('/dashboard/templates/clash?catalogue=open')
  const words = page.getByText('Error loading templates from Github. Try again later.')
  await expect.element(words).toBeVisible()
  await expect.element(page.getByRole('button', { name: /Everything through the proxies/ })).toBeVisible()
  answer(listTemplateCatalogue, () => ({ entries: [shipped], outside: 'loaded' as const }))
  await button('Try again').click()
  await expect.element(words).not.toBeInTheDocument()
  refuse(readTemplateCatalogue, { status: 400 })
  await page.getByRole('button', { name: /Everything through the proxies/ }).click()
  await expect.element(words).toBeVisible()
})

test('a colleague’s save is shown; where both wrote, both texts are compared before anything is sent', async () => {
  const kept = serve()
  await showPage('/dashboard/templates/clash')
  await expect.poll(shownText).toContain('mode')
  await typeAll('mode: direct')
  kept.set('CLASH', { uuid: uuid(900), templateType: 'CLASH', templateJson: null, encodedTemplateYaml: encode('mode: global') })
  await button('Save').click()
  await expect.element(page.getByRole('alert').filter({ hasText: 'Another administrator has just changed this' })).toBeVisible()
  await expect.element(page.getByRole('group', { name: 'What differs: your text first, theirs second' })).toBeVisible()
  expect(requests(updateSubscriptionTemplate)).toEqual([])
  await button('Load their version').click()
  await expect.poll(shownText).toContain('mode: global')
})

test('what was typed survives a reload and the end of the session, and is offered back', async () => {
  await showPage('/dashboard/templates/clash')
  await expect.poll(shownText).toContain('mode')
  await typeAll('mode: direct')
  await expect.poll(() => localStorage.getItem('draft:template:CLASH')).toContain('mode: direct')
  await showPage('/dashboard/templates/clash')
  const offer = page.getByRole('alert').filter({ hasText: 'Text that was not saved is still here' })
  await expect.element(offer).toBeVisible()
  await button('Take it back').click()
  await expect.poll(shownText).toBe('mode: direct')
  answerSignIn()
  const screen = await showPage('/dashboard/templates/clash')
  await button('Take it back').click()
  endSession()
  await expect.poll(screen.address).toBe('/auth/login')
  await showPage('/dashboard/templates/clash')
  await expect.element(offer).toBeVisible()
  await button('Throw it away').click()
  await expect.poll(() => localStorage.getItem('draft:template:CLASH')).toBeNull()
  await expect.poll(shownText).toContain('# für alle')
})

function answerSignIn(): void {
  answer(getAuthStatus, () => ({
    isLoginAllowed: true,
    isRegisterAllowed: false,
    tgAuth: null,
    oauth2: { providers: { github: false, pocketid: false, yandex: false } },
  }))
}

test.each([
  ['en', 'xray-json', {}],
  ['fa', 'mihomo', {}],
  ['fa', 'xray-json', PHONE],
  ['en', 'mihomo', { ...PHONE, colorScheme: 'light' }],
] as const)('in %s /templates/%s stands at %o without violations and sideways scrolling', async (language, path, view) => {
  await showPage(`/dashboard/templates/${path}`, { language, ...view })
  await expect.element(textbox()).toBeInTheDocument()
  await expect.poll(shownText).not.toBe('')
  // The page was dark a moment ago.
  await expect.poll(() => violations()).toEqual([])
  await expect.poll(() => document.documentElement.scrollWidth - window.innerWidth).toBeLessThanOrEqual(0)
})
