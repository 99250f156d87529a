import { getConfigProfile, getProfileRevision, listProfileRevisions, planChange, updateConfigProfile } from '@causeway/contract'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer, requests } from '../../../../test/fake-api.ts'
import { ADDRESS, CHANGED, CONFIG, TEXT, dialog, given, save, saveNow, verdict, write } from '../../../../test/profile-editor.ts'
import { sampleConfigProfile, uuid } from '../../../../test/samples.ts'
import { showPage } from '../../../../test/screen.tsx'

it('what was typed survives a reload, and can be put away', async () => {
  given()
  await showPage(ADDRESS)
  await expect.element(verdict).toBeVisible()
  await write(CHANGED)
  await expect.element(save).toBeEnabled()
  window.dispatchEvent(new Event('pagehide'))
  await showPage(ADDRESS)
  await expect.element(page.getByText(/What you typed was not saved\. It was put back/)).toBeVisible()
  await expect.element(save).toBeEnabled()
  await page.getByRole('button', { name: 'Discard it' }).click()
  await expect.element(save).toBeDisabled()
  await showPage(ADDRESS)
  await expect.element(verdict).toBeVisible()
  expect(page.getByText(/What you typed was not saved/).elements()).toEqual([])
})

it('what was typed into an older state is compared with what somebody has saved since', async () => {
  given()
  await showPage(ADDRESS)
  await expect.element(verdict).toBeVisible()
  await write(CHANGED)
  await expect.element(save).toBeEnabled()
  window.dispatchEvent(new Event('pagehide'))
  given({ config: { ...CONFIG, dns: {} }, updatedAt: '2026-11-01T00:00:00.000Z' })
  await showPage(ADDRESS)
  await expect.element(page.getByText(/another administrator has saved the profile since/)).toBeVisible()
  await expect.element(page.getByRole('group', { name: 'Differences: what is saved first, yours second' })).toBeVisible()
})

it('two administrators: what the other saved meanwhile is asked about before anything is sent', async () => {
  given()
  await showPage(ADDRESS)
  await expect.element(verdict).toBeVisible()
  await write(CHANGED)
  await expect.element(save).toBeEnabled()
  answer(getConfigProfile, () => sampleConfigProfile({ config: { ...CONFIG, dns: {} } }))
  await save.click()
  await expect.element(page.getByRole('group', { name: 'Differences: what is saved first, yours second' })).toBeVisible()
  expect(requests(updateConfigProfile)).toEqual([])
  await page.getByRole('button', { name: 'Keep what I have' }).click()
  await save.click()
  await saveNow.click()
  await expect.poll(() => requests(updateConfigProfile)).toHaveLength(1)
})

it('a save that puts keys in another order is one’s own save, not another administrator’s', async () => {
  const outbounds = [{ protocol: 'freedom', tag: 'DIRECT' }]
  given({ config: { ...CONFIG, outbounds } })
  await showPage(ADDRESS)
  await expect.element(verdict).toBeVisible()
  const reordered = { ...CONFIG, log: { loglevel: 'debug' }, outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }] }
  await write(JSON.stringify(reordered, null, 2))
  await expect.element(save).toBeEnabled()
  await save.click()
  await saveNow.click()
  await expect.element(page.getByText('Config updated successfully')).toBeVisible()
  await expect.element(save).toBeDisabled()
  expect(page.getByText('Another administrator has just changed this').elements()).toEqual([])
})

it('what is larger than the server takes is refused with both sizes, before anything is asked or sent', async () => {
  given({}, { check: 'return null' })
  await showPage(ADDRESS)
  await expect.element(verdict).toBeVisible()
  const large = { ...CONFIG, remarks: 'x'.repeat(5_000_000) }
  await write(JSON.stringify(large))
  await expect.element(save).toBeEnabled()
  await save.click()
  await expect
    .element(page.getByText('This is too large to be sent: it has 4.77 MiB, and at most 4 MiB are taken.'))
    .toBeVisible()
  expect(requests(planChange)).toEqual([])
  expect(requests(updateConfigProfile)).toEqual([])
})

it('revisions are listed with who, when and why, compared in words and side by side, and taken up again', async () => {
  given()
  const old = {
    ...CONFIG,
    inbounds: [
      { tag: 'A', port: 80, protocol: 'vless' },
      { tag: 'OLD', protocol: 'trojan' },
    ],
  }
  const second = {
    number: 2,
    at: '2026-11-01T10:00:00.000Z',
    actorKind: 'admin',
    actorName: 'ann',
    reason: 'the port was blocked',
  }
  const first = { number: 1, at: '2026-10-01T10:00:00.000Z', actorKind: 'system', actorName: null, reason: null }
  answer(listProfileRevisions, () => ({ revisions: [second, first] }))
  answer(getProfileRevision, ({ number }) =>
    number === 2 ? { ...second, content: TEXT } : { ...first, content: JSON.stringify(old, null, 2) },
  )
  await showPage(ADDRESS)
  await page.getByRole('button', { name: 'Revisions' }).click()
  const list = dialog.getByRole('list', { name: 'Revisions' })
  await expect.element(list.getByRole('button', { name: /Revision 2 ann.*Current.*the port was blocked/ })).toBeVisible()
  await expect.element(dialog.getByText('The same as in the editor.')).toBeVisible()
  await list.getByRole('button', { name: /Revision 1 as it was before/ }).click()
  const words = dialog.getByRole('list', { name: 'From the revision to the editor' })
  await expect.element(words.getByText('Inbound A changed: port')).toBeVisible()
  await expect.element(words.getByText('Inbound OLD removed')).toBeVisible()
  await expect.element(dialog.getByRole('group', { name: 'Revision 1 first, the editor second' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Go back to revision 1' }).click()
  // Going back is a save, with what it does and why.
  await expect.element(page.getByRole('textbox', { name: 'Why' })).toHaveValue('Back to revision 1')
  await saveNow.click()
  await expect.poll(() => requests(updateConfigProfile)).toEqual([{ uuid: uuid(201), config: old, reason: 'Back to revision 1' }])
})
