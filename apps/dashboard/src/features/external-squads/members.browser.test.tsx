import {
  getHwidSettings,
  getSubscriptionTemplate,
  getUser,
  listExternalSquads,
  listSubscriptionTemplates,
  listUsers,
  patchSubscriptionTemplate,
  previewSubscription,
  updateUser,
  createSubscriptionTemplate,
  deleteSubscriptionTemplate,
  type ExternalSquad,
} from '@causeway/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, requests } from '../../../test/fake-api.ts'
import { samplePreview, sampleUser, uuid } from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

const gold: ExternalSquad = {
  uuid: uuid(801),
  name: 'Gold',
  info: { membersCount: 1 },
  templates: [{ templateType: 'CLASH', templateUuid: uuid(902) }],
  subscriptionSettings: null,
  hostOverrides: null,
  responseHeaders: null,
  responseHeadersAdd: {},
  responseHeadersRemove: [],
  hwidSettings: null,
  customRemarks: null,
  subpageConfigUuid: null,
  viewPosition: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}
const encode = (text: string) => btoa(text)
const template = (number: number, name: string, text: string) => ({
  uuid: uuid(number),
  templateType: 'CLASH' as const,
  templateJson: null,
  encodedTemplateYaml: encode(text),
  name,
  isDefault: name === 'Default',
})
const templates = [template(901, 'Default', 'mode: rule'), template(902, 'Games', 'mode: global')]

beforeAll(() => import('../../ui/editor/code-editor-canvas.tsx'), 120_000)
beforeEach(() => {
  answerSmallPanel()
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: false, fallbackDeviceLimit: 0 }))
  answer(listExternalSquads, () => ({ total: 1, externalSquads: [gold] }))
  answer(listSubscriptionTemplates, () => ({ total: 2, templates }))
})

const shownText = () =>
  [...document.querySelectorAll('.view-line')].map((line) => line.textContent.replaceAll('\u00a0', ' ')).join('\n')

test('XSQ-003 a user is put into an external squad by the form, and the list is filtered by it', async () => {
  const user = sampleUser()
  answer(getUser, () => user)
  answer(updateUser, () => ({ ...user, externalSquadUuid: gold.uuid }))
  await showPage(`/dashboard/management/users?edit=${user.uuid}`)
  const edit = page.getByRole('dialog')
  await edit.getByRole('combobox', { name: 'External squad' }).click()
  await page.getByRole('option', { name: 'Gold' }).click()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => requests(updateUser)).toMatchObject([{ uuid: user.uuid, externalSquadUuid: gold.uuid }])
  await showPage(`/dashboard/management/users?externalSquadUuid=${gold.uuid}`)
  await expect.poll(() => requests(listUsers).at(-1)).toMatchObject({ filters: [{ id: 'externalSquadUuid', value: gold.uuid }] })
})

test('XSQ-004 a template is chosen by its name, saved by its uuid, copied, and deleted with word of the squads that have it', async () => {
  answer(
    getSubscriptionTemplate,
    ({ templateType }) => templates.find((one) => one.uuid === templateType) ?? template(901, 'Default', 'mode: rule'),
  )
  answer(patchSubscriptionTemplate, () => template(902, 'Games', 'mode: direct'))
  answer(createSubscriptionTemplate, ({ name }) => template(903, name, 'mode: global'))
  answer(deleteSubscriptionTemplate, () => ({ isDeleted: true }))
  answer(previewSubscription, () => samplePreview())
  const screen = await showPage('/dashboard/templates/clash')
  await expect.poll(shownText).toContain('mode: rule')
  await page.getByRole('combobox', { name: 'Template', exact: true }).click()
  await page.getByRole('option', { name: 'Games' }).click()
  await expect.poll(shownText).toContain('mode: global')
  expect(screen.address()).toContain(`template=${uuid(902)}`)
  await page.getByRole('button', { name: 'Select all', exact: true }).click()
  await userEvent.keyboard('{Delete}mode: direct')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(() => requests(patchSubscriptionTemplate))
    .toEqual([{ uuid: uuid(902), encodedTemplateYaml: encode('mode: direct') }])
  expect(requests(previewSubscription).at(-1)?.templates).toMatchObject([{ uuid: uuid(902) }])
  const act = async (item: string) => {
    await page.getByRole('button', { name: 'Actions for Games' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await act('Delete')
  await expect.element(page.getByText('Used by external squads: Gold.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await act('Duplicate')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Copy')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await expect
    .poll(() => requests(createSubscriptionTemplate))
    .toEqual([{ name: 'Copy', templateType: 'CLASH', copyOf: uuid(902) }])
})
