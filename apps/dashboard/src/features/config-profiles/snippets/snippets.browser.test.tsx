import {
  checkSnippet,
  deleteSnippet,
  getSnippet,
  listRollouts,
  listSnippets,
  planChange,
  prepareSnippetRollout,
  startSnippetRollout,
  updateSnippet,
  type Snippet,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { writeInto } from '../../../../test/code-editor.ts'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { ADDRESS, given as givenProfile, verdict, write } from '../../../../test/profile-editor.ts'
import { samplePlan, uuid } from '../../../../test/samples.ts'
import { showPage } from '../../../../test/screen.tsx'

const PAGE = '/dashboard/management/snippets'
const RULE = { ip: ['geoip:private'], outboundTag: 'BLOCK' }
const snippet: Snippet = {
  uuid: uuid(801),
  name: 'private',
  snippet: [RULE],
  updatedAt: '2026-11-01T00:00:00.000Z',
  profiles: [{ uuid: uuid(201), name: 'Main profile', paths: ['routing.rules[0]'], nodes: 2 }],
}
const unused: Snippet = { ...snippet, uuid: uuid(802), name: 'spare', profiles: [] }
const content = page.getByRole('textbox', { name: /^Content/ })
const save = page.getByRole('button', { name: 'Save', exact: true })

beforeEach(() => {
  answer(listSnippets, () => ({ total: 2, snippets: [snippet, unused] }))
  answer(getSnippet, () => snippet)
  answer(checkSnippet, () => ({ problems: [] }))
  answer(listRollouts, () => ({ rollouts: [] }))
  answer(planChange, () => samplePlan())
})

it('SNIP-001 the page lists snippets with the profiles that name them; one in use is not deleted, and why is said', async () => {
  await showPage(PAGE)
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'private' }) })
  await expect.element(card).toMatchTextContent(/Main profile/)
  await expect.element(card).toMatchTextContent(/1 element, 2 nodes/)
  await expect.element(page.getByText('Used in no profile')).toBeVisible()
  refuse(deleteSnippet, { status: 409, message: 'Profiles name the snippet: Main profile (routing.rules[0]).', code: 'A163' })
  await card.getByRole('button', { name: 'Actions for private' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByRole('alert').filter({ hasText: 'Main profile (routing.rules[0])' })).toBeVisible()
  expect(requests(deleteSnippet)).toEqual([{ name: 'private' }])
})

it('SNIP-001 SNIP-002 SNIP-003 a mistake is placed in the snippet, and a save says first which nodes start, everywhere or one first', async () => {
  answer(checkSnippet, ({ snippet: [first] }) => ({
    problems:
      first && 'Ip' in first ? [{ path: '[0].Ip', message: 'Profile "Main profile": no such key', profile: 'Main profile' }] : [],
  }))
  answer(planChange, () =>
    samplePlan({
      nodes: [{ uuid: uuid(401), name: 'Helsinki', tags: [], core: 'restarts', isConnected: true, usersOnline: 3 }],
    }),
  )
  const node = { uuid: uuid(401), name: 'Helsinki', countryCode: 'FI', usersOnline: 3, usersRecently: 3, testsConfig: true }
  answer(prepareSnippetRollout, () => ({ watchSeconds: 60, hasEngine: true, first: uuid(401), nodes: [node] }))
  answer(updateSnippet, ({ snippet: elements }) => ({ total: 1, snippets: [{ ...snippet, snippet: elements }] }))
  await showPage(`${PAGE}/${uuid(801)}`)
  await writeInto(content, JSON.stringify([{ Ip: ['1.1.1.1'] }], null, 2))
  const said = page.getByRole('status').filter({ hasText: 'no such key' })
  await expect.element(said.first()).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Line 3', exact: true })).toBeVisible()
  await expect.element(save).toBeDisabled()
  await writeInto(content, JSON.stringify([{ port: 25, outboundTag: 'BLOCK' }], null, 2))
  await expect.element(page.getByText('The profile that names it can be used with it.')).toBeVisible()
  await save.click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toMatchTextContent(/Helsinki/)
  await expect.element(dialog.getByRole('radio').first()).toBeChecked()
  await dialog.getByRole('radio').nth(1).click()
  await expect.element(dialog.getByText('Helsinki').last()).toBeVisible()
  expect(requests(prepareSnippetRollout)).toEqual([{ uuid: uuid(801) }])
  await dialog.getByRole('radio').first().click()
  await dialog.getByRole('button', { name: 'Save now' }).click()
  await expect.poll(() => requests(updateSnippet)).toEqual([{ name: 'private', snippet: [{ port: 25, outboundTag: 'BLOCK' }] }])
  expect(requests(startSnippetRollout)).toEqual([])
})

it('SNIP-002 a snippet that no profile names is judged by itself', async () => {
  answer(getSnippet, () => unused)
  await showPage(`${PAGE}/${uuid(802)}`)
  await expect.element(page.getByText('No mistakes found.')).toBeVisible()
})

it('SNIP-002 a profile is judged as nodes get it: the mistake is said to be in the snippet, at its name in the profile', async () => {
  const config = {
    inbounds: [{ tag: 'A', port: 443, protocol: 'vless' }],
    outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }, { snippet: 'ads' }],
  }
  givenProfile({ config }, { check: `return text.includes('wormhole') ? 'unknown config id: wormhole' : null` })
  answer(listSnippets, () => ({
    total: 1,
    snippets: [{ name: 'ads', snippet: [{ tag: 'ADS', protocol: 'wormhole' }] }],
  }))
  await showPage(ADDRESS)
  await expect.element(verdict).toMatchTextContent(/Snippet "ads", \[0\]\.protocol: unknown config id: wormhole/)
  await write(JSON.stringify({ ...config, outbounds: [{ snippet: 'gone' }] }, null, 2))
  await expect.element(verdict).toMatchTextContent(/outbounds\[0\] names the snippet "gone", which does not exist/)
  await page.getByRole('button', { name: 'Computed view' }).click()
  await expect.element(page.getByRole('dialog', { name: 'As nodes get it' })).toBeVisible()
})
