import { cancelJob, errors, listJobs, type Job } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, disconnect, refuse, requests } from '../../../test/fake-api.ts'
import { uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const QUEUES = '/dashboard/queues'
const table = (name: string) => page.getByRole('table', { name })
const rows = (name: string) => table(name).getByRole('row')

function sampleJob(number: number, own: Partial<Job>): Job {
  return {
    id: uuid(number),
    kind: 'resetAllUsers',
    group: 'users',
    status: 'running',
    done: 1000,
    total: 1500,
    attempts: 0,
    error: null,
    isRecurring: false,
    isCancellable: true,
    createdAt: '2026-05-01T10:00:00.000Z',
    startedAt: '2026-05-01T10:00:01.000Z',
    dueAt: '2026-05-01T10:00:00.000Z',
    finishedAt: null,
    ...own,
  }
}

const running = sampleJob(901, {})
const kept = sampleJob(902, { kind: 'forgetNodeUsage', status: 'queued', done: 0, total: 3, isCancellable: false })
const recurring = sampleJob(903, { kind: 'expireUsers', status: 'queued', isRecurring: true, done: 12_345, isCancellable: false })
const failed = sampleJob(904, {
  kind: 'aKindOfLater',
  status: 'failed',
  error: '<b>no route</b>',
  finishedAt: '2026-05-01T11:00:00.000Z',
  isCancellable: false,
})

let jobs: Job[]
beforeEach(() => {
  jobs = [running, kept, failed, recurring]
  answer(listJobs, () => jobs)
})

it('jobs stand in their sections: what waits and runs, what recurs, what ended, each with its name and progress', async () => {
  await showPage(QUEUES)
  await expect
    .element(rows('Waiting and running').nth(1))
    .toMatchTextContent(/Reset traffic of all users.*Running.*1,000 of 1,500/)
  await expect
    .element(rows('Waiting and running').nth(2))
    .toMatchTextContent(/Delete the usage of a deleted node.*Waiting.*0 of 3/)
  await expect.element(rows('Recurring').nth(1)).toMatchTextContent(/Expire users.*12,345/)
  // A kind that this dashboard does not know shows its identifier, and an error is text.
  await expect.element(rows('Ended').nth(1)).toMatchTextContent(/aKindOfLater<b>no route<\/b>.*Failed/)
  expect(page.getByRole('button', { name: /^Cancel: / }).elements()).toHaveLength(1)
  const bar = table('Waiting and running').getByRole('progressbar', { name: 'Progress: Reset traffic of all users' })
  await expect.element(bar).toHaveAttribute('aria-valuenow', String((1000 / 1500) * 100))
  expect(await violations()).toEqual([])
})

it('a job is cancelled after a question, and the list is read again', async () => {
  answer(cancelJob, () => {
    jobs = [kept, { ...running, status: 'cancelled', finishedAt: '2026-05-01T12:00:00.000Z' }, recurring]
    return running
  })
  await showPage(QUEUES)
  const button = page.getByRole('button', { name: 'Cancel: Reset traffic of all users' })
  await button.click()
  await page.getByRole('button', { name: 'Keep it running' }).click()
  expect(requests(cancelJob)).toEqual([])
  await button.click()
  await page.getByRole('button', { name: 'Cancel the job' }).click()
  await expect.element(rows('Ended').nth(1)).toMatchTextContent(/Reset traffic of all users.*Cancelled/)
  expect(requests(cancelJob)).toEqual([{ id: running.id }])
})

it('a job that ended meanwhile stays, and the server says why', async () => {
  refuse(cancelJob, errors.jobNotCancellable)
  await showPage(QUEUES)
  await page.getByRole('button', { name: 'Cancel: Reset traffic of all users' }).click()
  await page.getByRole('button', { name: 'Cancel the job' }).click()
  await expect.element(page.getByRole('alert').filter({ hasText: 'This job has ended' })).toBeVisible()
  await expect.element(rows('Waiting and running').nth(1)).toMatchTextContent(/Reset traffic of all users/)
})

it('without jobs each section says so, and without a server there is a way to try again', async () => {
  jobs = []
  const shown = await showPage(QUEUES)
  for (const text of ['No jobs waiting or running', 'No recurring jobs yet', 'No ended jobs yet'])
    await expect.element(page.getByText(text)).toBeVisible()
  await shown.unmount()
  disconnect(listJobs)
  await showPage(QUEUES)
  await expect.element(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible()
})

it('on a phone, in Persian, rows are cards and nothing is wider than the screen', async () => {
  await showPage(QUEUES, { ...PHONE, language: 'fa' })
  await expect.element(page.getByText('بازنشانی ترافیک همهٔ کاربران').first()).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
})
