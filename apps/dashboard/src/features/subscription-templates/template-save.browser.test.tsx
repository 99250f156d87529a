import {
  getSubscriptionTemplate,
  listSubscriptionTemplates,
  getTemplateRevision,
  listTemplateRevisions,
  previewSubscription,
  updateSubscriptionTemplate,
  type SubscriptionTemplate,
} from '@causeway/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, requests } from '../../../test/fake-api.ts'
import { samplePreview, uuid } from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'

const encode = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
let kept: SubscriptionTemplate
const saving = page.getByRole('dialog', { name: 'Save the template?' })
const saveNow = saving.getByRole('button', { name: 'Save', exact: true })
const shownText = () =>
  [...document.querySelectorAll('.view-line')].map((line) => line.textContent.replaceAll('\u00a0', ' ')).join('\n')

// The editor is large: what is waited for below is the page.
beforeAll(() => import('../../ui/editor/code-editor-canvas.tsx'), 120_000)

beforeEach(() => {
  const encodedTemplateYaml = encode('mode: rule\n')
  kept = { uuid: uuid(900), templateType: 'CLASH', templateJson: null, encodedTemplateYaml }
  answer(listSubscriptionTemplates, () => ({ total: 0, templates: [] }))
  answer(getSubscriptionTemplate, () => kept)
  answer(updateSubscriptionTemplate, ({ encodedTemplateYaml: next = '' }) => (kept = { ...kept, encodedTemplateYaml: next }))
  answer(previewSubscription, () => samplePreview())
})

test('revisions are listed, compared and taken back', async () => {
  answer(listTemplateRevisions, () => ({
    revisions: [
      { number: 2, at: '2026-01-02T00:00:00.000Z', actorKind: 'admin', actorName: 'ann', reason: null },
      { number: 1, at: '2026-01-01T00:00:00.000Z', actorKind: 'system', actorName: null, reason: null },
    ],
  }))
  answer(getTemplateRevision, ({ number }) => ({
    number: Number(number),
    at: '2026-01-01T00:00:00.000Z',
    actorKind: 'system',
    actorName: null,
    reason: null,
    content: 'mode: before\n',
  }))
  await showPage('/dashboard/templates/clash?revisions=open')
  const drawer = page.getByRole('dialog', { name: 'Revisions' })
  await expect.element(drawer.getByRole('button', { name: /Revision 2 ann.*Current/ })).toBeVisible()
  await drawer.getByRole('button', { name: /Revision 1 as it was before/ }).click()
  await drawer.getByRole('button', { name: 'Go back to revision 1' }).click()
  // Going back is a save, with what it does and why.
  await expect.element(saving.getByRole('textbox', { name: 'Why' })).toHaveValue('Back to revision 1')
  await expect.element(saving.getByRole('region', { name: 'What a user would get' })).toBeVisible()
  await saveNow.click()
  await expect
    .poll(() => requests(updateSubscriptionTemplate))
    .toEqual([{ templateType: 'CLASH', encodedTemplateYaml: encode('mode: before\n'), reason: 'Back to revision 1' }])
  await expect.poll(shownText).toBe('mode: before\n')
})

test('a save that was thought better of sends nothing and keeps what was typed', async () => {
  await showPage('/dashboard/templates/clash')
  await expect.poll(shownText).toContain('mode')
  await page.getByRole('button', { name: 'Select all' }).click()
  await userEvent.keyboard('{Delete}mode: direct')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saving.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(shownText).toBe('mode: direct')
  await expect.element(page.getByRole('button', { name: 'Save', exact: true })).toBeEnabled()
  expect(requests(updateSubscriptionTemplate)).toEqual([])
})
