import { getHost, listHosts, planChange, updateHost, type Host } from '@causeway/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer, requests } from '../../../test/fake-api.ts'
import { sampleHost, samplePlan } from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

const HOUR_MS = 3_600_000
const edit = page.getByRole('dialog', { name: 'Edit host' })
const more = edit.getByRole('button', { name: 'More actions' })
let host: Host

beforeAll(() => import('./hosts-page.tsx'), 120_000)

beforeEach(() => {
  host = sampleHost({ remark: 'Poland' })
  answerSmallPanel()
  answer(planChange, () => samplePlan())
  answer(getHost, () => host)
  answer(listHosts, () => [host])
  answer(updateHost, ({ disabledUntil, isDisabled }) => {
    host = { ...host, isDisabled: isDisabled ?? true, disabledUntil: disabledUntil ?? null }
    return host
  })
})

it('a host is hidden for an hour after a question that says what it does, and the list says when it is back', async () => {
  await showPage(`/dashboard/management/hosts?edit=${host.uuid}`)
  await more.click()
  await page.getByRole('menuitem', { name: 'Hide for 1 hour' }).click()
  const question = page.getByRole('dialog', { name: /^Hide Poland until/ })
  await question.getByRole('button', { name: 'Hide', exact: true }).click()
  await expect.poll(() => requests(updateHost)).toHaveLength(1)
  const until = Date.parse(requests(updateHost)[0]?.disabledUntil ?? '')
  expect(Math.abs(until - Date.now() - HOUR_MS)).toBeLessThan(60_000)
  expect(requests(planChange)).toEqual([{ saveHost: { uuid: host.uuid, isDisabled: true } }])
  await expect.element(page.getByRole('main').getByText(/^Back\b/)).toBeVisible()
})

it('a hidden host is shown again at once', async () => {
  host = { ...host, isDisabled: true, disabledUntil: new Date(Date.now() + HOUR_MS).toISOString() }
  await showPage(`/dashboard/management/hosts?edit=${host.uuid}`)
  await more.click()
  await page.getByRole('menuitem', { name: 'Show again now' }).click()
  await expect.poll(() => requests(updateHost)).toEqual([{ uuid: host.uuid, isDisabled: false }])
})
