import { planChange, updateConfigProfile } from '@causeway/contract'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import {
  ADDRESS,
  BROKEN,
  CHANGED,
  TEXT,
  dialog,
  given,
  save,
  saveAnyway,
  saveNow,
  verdict,
  write,
} from '../../../../test/profile-editor.ts'
import { samplePlan } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'

// What cannot be saved is said in sight, before the save where it is known by then, and in the same words at the save.

async function shown(text: string, view: Parameters<typeof showPage>[1] = {}): Promise<void> {
  await showPage(ADDRESS, view)
  await expect.element(verdict).toMatchTextContent(/is valid/)
  await write(text)
}

it.each([
  ['on a desktop', {}],
  ['on a phone', PHONE],
])('EDIT-028 ERR-003: what the server refuses is a toast and the verdict in sight, which has the focus, %s', async (_, view) => {
  given()
  refuse(updateConfigProfile, { status: 409, message: 'Inbound "A" is that of another profile.', code: 'A113' })
  await shown(CHANGED, view)
  await save.click()
  await saveNow.click()
  const toast = page.getByRole('alert').filter({ hasText: 'Inbound "A" is that of another profile.' })
  await expect.element(toast).toMatchTextContent(/^Update Config Profile/)
  await expect.element(verdict).toMatchTextContent(/Inbound "A" is that of another profile\./)
  await expect.poll(() => document.activeElement === verdict.element()).toBe(true)
  await expect.element(verdict).toBeInViewport({ ratio: 1 })
  await expect.element(save).toBeDisabled()
})

it('EDIT-026 EDIT-028: what the server refused is sent again only when asked, and nothing is claimed of Xray', async () => {
  given()
  refuse(updateConfigProfile, { status: 409, message: 'Inbound "A" is that of another profile.', code: 'A113' })
  await shown(CHANGED)
  await save.click()
  await saveNow.click()
  await saveAnyway.click()
  await expect.element(dialog).toMatchTextContent(/The server refused this very text: Inbound "A" is that of another profile\./)
  expect(dialog.element().textContent).not.toContain('Xray')
  await dialog.getByRole('button', { name: 'Save anyway' }).click()
  await saveNow.click()
  await expect.poll(() => requests(updateConfigProfile)).toHaveLength(2)
})

it('EDIT-026: what could not be checked is said to be unknown', async () => {
  given({}, { check: 'throw new Error("out of memory")' })
  await showPage(ADDRESS)
  await write(CHANGED)
  await saveAnyway.click()
  await expect.element(dialog).toMatchTextContent(/it is unknown whether a core starts with it/)
})

it('EDIT-024: from the first key on the verdict of the text before is gone, and Save waits', async () => {
  given({}, { check: 'const end = Date.now() + 700; while (Date.now() < end); return null' })
  await shown(CHANGED)
  await expect.element(page.getByText('Checking…')).toBeVisible()
  expect(verdict.elements()).toEqual([])
  await expect.element(save).toBeDisabled()
  await expect.element(saveAnyway).toBeDisabled()
  await expect.element(verdict).toMatchTextContent(/is valid/)
  await expect.element(save).toBeEnabled()
  await userEvent.keyboard('{Control>}{End}{/Control} ')
  await expect.element(save).toBeDisabled()
  await expect.element(page.getByText('Checking…')).toBeVisible()
})

it.each([
  [
    'a comment, which Xray reads and JSON has not',
    TEXT.replace('"inbounds"', '// why\n  "inbounds"'),
    /A comment stands here/,
    5,
  ],
  ['a brace too many', `${TEXT}}`, /"}" is not expected here/, 13],
  ['a comma too many', TEXT.replace(/\}\s*\]/, '},\n  ]'), /A comma stands before a "]"/, 10],
])('EDIT-024 EDIT-029: %s is refused at once, with its place, and at the save likewise', async (_, text, said, line) => {
  given()
  await shown(text)
  await expect.element(verdict).toMatchTextContent(said)
  await expect.element(page.getByRole('button', { name: `Line ${line}`, exact: true })).toBeVisible()
  await expect.element(save).toBeDisabled()
  await saveAnyway.click()
  await expect.element(page.getByRole('alert').filter({ hasText: 'Failed to save: invalid JSON' })).toBeVisible()
  await expect.element(page.getByText(new RegExp(`^Line ${line}, column \\d+$`))).toBeVisible()
  expect(requests(planChange)).toEqual([])
  expect(requests(updateConfigProfile)).toEqual([])
})

it.each([
  ['null', /one JSON object/, /invalid JSON/],
  ['{}', /The config has no inbounds/, /the panel does not take this config\. The config has no inbounds/],
  [TEXT.replace('443', '70000'), /no port from 1 to 65535/, /the panel does not take this config\. Inbound "A" has no port/],
])('EDIT-024: %s, which the panel refuses whatever Xray says, is not called valid', async (text, said, toast) => {
  given({}, { check: 'return null' })
  await showPage(ADDRESS)
  await expect.element(verdict).toMatchTextContent(/is valid/)
  await write(text)
  await expect.element(verdict).toMatchTextContent(said)
  await expect.element(save).toBeDisabled()
  await saveAnyway.click()
  await expect.element(page.getByRole('alert').filter({ hasText: toast })).toBeVisible()
  expect(dialog.elements()).toEqual([])
  expect(requests(planChange)).toEqual([])
})

it('what the plan says will be refused cannot be saved from there', async () => {
  given()
  answer(planChange, () => samplePlan({ problems: ['Inbound "A" is that of another profile.'] }))
  await shown(BROKEN)
  await saveAnyway.click()
  await dialog.getByRole('button', { name: 'Save anyway' }).click()
  await expect.element(page.getByText('The panel will refuse this')).toBeVisible()
  await expect.element(saveNow).toBeDisabled()
})
