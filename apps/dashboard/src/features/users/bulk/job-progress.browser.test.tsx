import { getJob, getSystemStats, listInternalSquads, listUsers, listUserTags, type Job } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer } from '../../../../test/fake-api.ts'
import { sampleSystemStats, sampleUser, uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'

const JOB: Job = {
  id: uuid(901),
  kind: 'bulkExtend',
  group: 'users',
  status: 'running',
  done: 40,
  total: 100,
  attempts: 0,
  error: null,
  isRecurring: false,
  createdAt: '2026-11-01T10:00:00.000Z',
  startedAt: '2026-11-01T10:00:01.000Z',
  dueAt: '2026-11-01T10:00:00.000Z',
  finishedAt: null,
}
const strip = page.getByRole('status', { name: 'Progress', exact: true })

beforeEach(() => {
  localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } }))
  answer(getSystemStats, () => sampleSystemStats())
  answer(listInternalSquads, () => ({ total: 0, internalSquads: [] }))
  answer(listUserTags, () => ({ tags: [] }))
  const users = Array.from({ length: 40 }, (_, index) => sampleUser({ uuid: uuid(index + 1), username: `user-${index}` }))
  answer(listUsers, () => ({ users, total: 40 }))
})

it.each([
  ['a desktop', { width: 1440, height: 900 }],
  ['a short window', { width: 1000, height: 620 }],
  ['a phone', PHONE],
])('how far a job has come stands in sight and covers no row and no pager, on %s', async (_, view) => {
  answer(getJob, () => JOB)
  await showPage(`/dashboard/management/users?job=${JOB.id}`, view)
  await expect.element(strip).toMatchTextContent(/40.*100/)
  await expect.element(strip).toBeInViewport({ ratio: 1 })
  const pager = page.getByRole('button', { name: /next page/i })
  pager.element().scrollIntoView({ block: 'end' })
  await expect.element(strip).toBeInViewport({ ratio: 1 })
  const box = strip.element().getBoundingClientRect()
  const isClear = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= box.bottom || bottom <= box.top
  }
  expect(isClear(pager.element())).toBe(true)
  const last = () =>
    [...document.querySelectorAll('tbody tr[aria-label], li')].filter((row) => row.textContent.includes('user-39'))
  await expect.poll(() => last().every(isClear)).toBe(true)
})

it('a job that failed says why', async () => {
  answer(getJob, () => ({
    ...JOB,
    status: 'failed' as const,
    error: 'The database went away.',
    finishedAt: '2026-11-01T10:00:09.000Z',
  }))
  await showPage(`/dashboard/management/users?job=${JOB.id}`)
  await expect.element(strip).toMatchTextContent(/The database went away\./)
})
