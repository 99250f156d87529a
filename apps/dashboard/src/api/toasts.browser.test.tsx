import { createHost, createInternalSquad, listJobs, listNodes } from '@causeway/contract'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { expect, it } from 'vitest'
import type { Locator } from 'vitest/browser'
import { answer, cutShort, disconnect, malform, refuse, requests } from '../../test/fake-api.ts'
import { sampleInternalSquad } from '../../test/samples.ts'
import { showPage, showPart } from '../../test/screen.tsx'
import { answerSmallPanel } from '../../test/small-panel.ts'
import { apiQuery } from './api-query.ts'
import { sessionStore } from './session.ts'
import { useApiMutation } from './use-api-mutation.ts'

const UUID = '11111111-1111-4111-8111-111111111111'

function Writes() {
  const form = useForm({ initialValues: { name: '' } })
  const host = useApiMutation(createHost)
  const squad = useApiMutation(createInternalSquad, {
    form,
    success: 'Internal squad created successfully',
    result: ({ name }) => name,
  })
  return (
    <>
      <Button
        onClick={() =>
          host.mutate({
            remark: 'a',
            address: 'b',
            port: 1,
            inbound: { configProfileUuid: UUID, configProfileInboundUuid: UUID },
          })
        }
      >
        host
      </Button>
      <Button onClick={() => squad.mutate({ name: 'friends', inbounds: [] })}>squad</Button>
      <output aria-label="name error">{form.errors['name']}</output>
    </>
  )
}

function Reads() {
  const nodes = useQuery(apiQuery(listNodes, {}))
  return <Button onClick={() => void nodes.refetch()}>nodes</Button>
}

function toastColor(text: Locator): string {
  const toast = text.element().closest('[role=alert]')
  return toast === null ? 'not in a toast' : getComputedStyle(toast).getPropertyValue('--notification-color')
}

function themeColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--mantine-color-${name}-6`)
}

it('ERR-003 ERR-004 ERR-005 a failed write shows a red toast, titled by the action, with the server’s message or a general one', async () => {
  const screen = await showPart(<Writes />)
  refuse(createHost, { status: 500, message: 'Create host error', code: 'A044' })
  await screen.getByRole('button', { name: 'host' }).click()
  await expect.element(screen.getByText('Create Host', { exact: true })).toBeVisible()
  const text = screen.getByText('Create host error')
  await expect.element(text).toBeVisible()
  expect(toastColor(text)).toBe(themeColor('red'))
  notifications.clean()
  disconnect(createHost)
  await screen.getByRole('button', { name: 'host' }).click()
  await expect.element(screen.getByText('Request failed with unknown error.')).toBeVisible()
})

const UNKNOWN = 'Request failed with unknown error.'

it.each([
  [
    'a refusal with a message',
    () => refuse(listNodes, { status: 500, message: 'The nodes are on strike' }),
    'The nodes are on strike',
  ],
  ['a refusal without one', () => refuse(listNodes, { status: 500 }), UNKNOWN],
  ['a connection that breaks', () => disconnect(listNodes), UNKNOWN],
  ['half an answer', () => cutShort(listNodes), UNKNOWN],
  ['an answer of another form', () => malform(listNodes, { response: { total: 'many' } }), UNKNOWN],
])('ERR-003 ERR-004 ERR-005 CALL-013 a failed read shows one red toast, however often it fails: %s', async (_, fail, message) => {
  fail()
  const screen = await showPart(<Reads />)
  await expect.element(screen.getByText('Get All Nodes')).toBeVisible()
  await screen.getByRole('button', { name: 'nodes' }).click()
  await screen.getByRole('button', { name: 'nodes' }).click()
  await expect.element(screen.getByText('Get All Nodes')).toBeVisible()
  expect(screen.getByText('Get All Nodes').elements()).toHaveLength(1)
  expect(toastColor(screen.getByText(message))).toBe(themeColor('red'))
  expect(sessionStore.getState().isAuthenticated).toBe(true)
})

it('ERR-008 a dialog whose write fails stays as it was, and sends once', async () => {
  answerSmallPanel()
  refuse(createInternalSquad, { status: 409, message: 'This name is taken by another squad' })
  const screen = await showPage('/dashboard/management/internal-squads?create=new')
  const dialog = screen.getByRole('dialog', { name: 'New internal squad' })
  await dialog.getByLabelText('Name').fill('Family')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const toast = screen.getByRole('alert').filter({ hasText: 'Create Internal Squad' })
  await expect.element(toast).toMatchTextContent(/This name is taken by another squad/)
  await expect.element(dialog.getByLabelText('Name')).toHaveValue('Family')
  await expect.element(dialog.getByRole('button', { name: 'Create' })).toBeEnabled()
  expect(requests(createInternalSquad)).toHaveLength(1)
})

function ReadsExtension() {
  const jobs = useQuery(apiQuery(listJobs, {}))
  return <output aria-label="jobs">{jobs.isError ? 'none' : 'waiting'}</output>
}

it('an extension that this server does not have is quietly absent', async () => {
  refuse(listJobs, { status: 404, message: 'Cannot GET /api/x/jobs' })
  const screen = await showPart(<ReadsExtension />)
  await expect.element(screen.getByLabelText('jobs')).toHaveTextContent('none')
  expect(screen.getByRole('alert').elements()).toHaveLength(0)
})

it('one that it has, and that fails, is told', async () => {
  refuse(listJobs, { status: 404, message: 'This job is gone', code: 'A063' })
  const screen = await showPart(<ReadsExtension />)
  await expect.element(screen.getByText('This job is gone')).toBeVisible()
})

it('ERR-006 success is teal and says what became of it', async () => {
  const screen = await showPart(<Writes />)
  answer(createInternalSquad, () => sampleInternalSquad({ name: 'Friends of the house' }))
  await screen.getByRole('button', { name: 'squad' }).click()
  const text = screen.getByText('Internal squad created successfully')
  await expect.element(text).toBeVisible()
  expect(toastColor(text)).toBe(themeColor('teal'))
  await expect.element(screen.getByText('Friends of the house', { exact: true })).toBeVisible()
})

it('the same words again begin their time anew, and go in the end', async () => {
  const screen = await showPart(<Writes />)
  answer(createInternalSquad, () => sampleInternalSquad())
  const click = () => screen.getByRole('button', { name: 'squad' }).click()
  const toast = screen.getByText('Internal squad created successfully')
  const begun = performance.now()
  const isAfter = (ms: number) => expect.poll(() => performance.now() - begun, { timeout: 10_000 }).toBeGreaterThan(ms)
  await click()
  await expect.element(toast).toBeVisible()
  await isAfter(3500)
  await click()
  await isAfter(6500)
  await expect.element(toast).toBeVisible()
  await expect.poll(() => toast.query(), { timeout: 8000 }).toBeNull()
})

it('ERR-008 complaints about a field go to the form, all others to a toast', async () => {
  const screen = await showPart(<Writes />)
  const errors = [
    { code: 'too_small', minimum: 2, type: 'string', path: ['name'], message: 'too short' },
    { code: 'custom', path: [], message: 'not today' },
  ]
  refuse(createInternalSquad, { status: 400, message: 'Validation failed', errors })
  await screen.getByRole('button', { name: 'squad' }).click()
  await expect.element(screen.getByLabelText('name error')).toHaveTextContent('At least 2 characters')
  await expect.element(screen.getByText('not today')).toBeVisible()
})

it('the same words are not queued behind themselves, whether they tell of success or of failure', async () => {
  const screen = await showPart(<Writes />)
  const button = screen.getByRole('button', { name: 'squad' })
  answer(createInternalSquad, () => sampleInternalSquad())
  for (let time = 0; time < 5; time++) await button.click()
  await expect.poll(() => requests(createInternalSquad).length).toBe(5)
  await expect.element(screen.getByText('Internal squad created successfully')).toBeVisible()
  expect(screen.getByText('Internal squad created successfully').elements()).toHaveLength(1)
  const errors = [{ code: 'custom', path: [], message: 'not today' }]
  refuse(createInternalSquad, { status: 400, message: 'Validation failed', errors })
  for (let time = 0; time < 5; time++) await button.click()
  await expect.element(screen.getByText('not today')).toBeVisible()
  expect(screen.getByText('not today').elements()).toHaveLength(1)
})

it('a name that is taken is said at its field, and in the toast', async () => {
  const screen = await showPart(<Writes />)
  refuse(createInternalSquad, { status: 409, code: 'A120', message: 'Internal squad name already exists' })
  await screen.getByRole('button', { name: 'squad' }).click()
  await expect.element(screen.getByLabelText('name error')).toHaveTextContent('Internal squad name already exists')
  expect(screen.getByRole('alert').filter({ hasText: 'already exists' }).elements()).toHaveLength(1)
  // The same code with another status means another thing.
  refuse(createInternalSquad, { status: 404, code: 'A131', message: 'This provider does not exist any more. Reload the page.' })
  await screen.getByRole('button', { name: 'squad' }).click()
  await expect.element(screen.getByText('This provider does not exist any more. Reload the page.')).toBeVisible()
  await expect.element(screen.getByLabelText('name error')).toHaveTextContent('Internal squad name already exists')
})

it.each([
  ['is a number beyond what can be stored', 'This number is larger than can be stored'],
  ['cannot be used: The key mode stands twice', 'This cannot be used: The key mode stands twice'],
  ['Invalid input: expected record, received string', 'This does not have the expected form'],
])('a complaint that the server begins without a subject has one on the screen: %s', async (message, shown) => {
  const screen = await showPart(<Writes />)
  refuse(createInternalSquad, {
    status: 400,
    message: 'Validation failed',
    errors: [{ code: 'custom', path: ['name'], message }],
  })
  await screen.getByRole('button', { name: 'squad' }).click()
  await expect.element(screen.getByLabelText('name error')).toHaveTextContent(shown)
})
