import { createHost, createInternalSquad, listJobs, listNodes } from '@causeway/contract'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { expect, it } from 'vitest'
import type { Locator } from 'vitest/browser'
import { answer, disconnect, refuse } from '../../test/fake-api.ts'
import { sampleInternalSquad } from '../../test/samples.ts'
import { showPart } from '../../test/screen.tsx'
import { apiQuery } from './api-query.ts'
import { useApiMutation } from './use-api-mutation.ts'

const UUID = '11111111-1111-4111-8111-111111111111'

function Writes() {
  const form = useForm({ initialValues: { name: '' } })
  const host = useApiMutation(createHost)
  const squad = useApiMutation(createInternalSquad, { form, success: 'Internal squad created successfully' })
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

it('ERR-003 ERR-004 a failed read shows one toast, however often it fails', async () => {
  disconnect(listNodes)
  const screen = await showPart(<Reads />)
  await expect.element(screen.getByText('Get All Nodes')).toBeVisible()
  await screen.getByRole('button', { name: 'nodes' }).click()
  await screen.getByRole('button', { name: 'nodes' }).click()
  await expect.element(screen.getByText('Get All Nodes')).toBeVisible()
  expect(screen.getByText('Get All Nodes').elements()).toHaveLength(1)
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

it('ERR-006 ERR-007 success is teal and says what became of it', async () => {
  const screen = await showPart(<Writes />)
  answer(createInternalSquad, () => sampleInternalSquad())
  await screen.getByRole('button', { name: 'squad' }).click()
  const text = screen.getByText('Internal squad created successfully')
  await expect.element(text).toBeVisible()
  expect(toastColor(text)).toBe(themeColor('teal'))
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
