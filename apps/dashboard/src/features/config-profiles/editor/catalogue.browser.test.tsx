import { listTemplateCatalogue, readTemplateCatalogue } from '@causeway/contract'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer, requests } from '../../../../test/fake-api.ts'
import { ADDRESS, CHANGED, dialog, given, save, verdict } from '../../../../test/profile-editor.ts'
import { showPage } from '../../../../test/screen.tsx'

const official = { name: 'Plain start', author: 'Causeway', type: 'XRAY_CORE', url: 'shipped:a', isOfficial: true } as const
const other = {
  name: 'Behind a web server',
  author: 'ann',
  type: 'XRAY_CORE',
  url: 'https://a.example/b',
  isOfficial: false,
} as const

it('EDIT-013 EDIT-014 EDIT-015 EDIT-016 EDIT-017: templates of the catalogue are found by name, author and type, and taken', async () => {
  given()
  answer(listTemplateCatalogue, () => ({ entries: [official, other], outside: 'loaded' as const }))
  answer(readTemplateCatalogue, () => ({ text: CHANGED }))
  await showPage(ADDRESS)
  await expect.element(verdict).toBeVisible()
  await page.getByRole('button', { name: 'Load from the catalogue' }).click()
  const list = dialog.getByRole('list', { name: 'Templates' })
  await expect.element(list.getByRole('button', { name: /Plain start.*Official templates/ })).toBeVisible()
  await expect.element(list.getByRole('button', { name: /Behind a web server.*ann templates/ })).toBeVisible()
  expect(requests(listTemplateCatalogue)).toEqual([{ kind: 'XRAY_CORE' }])
  expect(dialog.getByRole('group', { name: 'Templates' }).element().getBoundingClientRect().height).toBe(400)
  const search = dialog.getByLabelText('Search by name, author or type')
  for (const [text, count] of [
    ['web', 1],
    ['ann', 1],
    ['xray_core', 2],
    ['nothing', 0],
  ] as const) {
    await search.fill(text)
    await expect.poll(() => list.getByRole('listitem').elements().length).toBe(count)
  }
  await search.fill('ann')
  await list.getByRole('button', { name: /Behind a web server/ }).click()
  await expect.element(save).toBeEnabled()
  expect(requests(readTemplateCatalogue)).toEqual([{ kind: 'XRAY_CORE', url: 'https://a.example/b' }])
})
