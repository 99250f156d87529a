import { createInfraBillingRecord, updateUser } from '@causeway/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { uuid } from '../../test/samples.ts'
import { showPart } from '../../test/screen.tsx'
import { useApiMutation } from './use-api-mutation.ts'

// A submission has one key until it has succeeded, so that the server makes one thing of it.

const inner = window.fetch
const keys: (string | null)[] = []
let answerNext: () => Promise<Response>

beforeEach(() => {
  keys.length = 0
  window.fetch = (target, init) => {
    if (target === '/health') return Promise.resolve(new Response())
    keys.push(new Headers(init?.headers).get('idempotency-key'))
    return answerNext()
  }
})
afterEach(() => {
  window.fetch = inner
})

function Form() {
  const [amount, setAmount] = useState(5)
  const create = useApiMutation(createInfraBillingRecord, { success: 'Booked' })
  const record = { providerUuid: uuid(1), amount, billedAt: '2026-11-01T00:00:00.000Z' }
  return (
    <>
      <Button onClick={() => create.mutate(record)}>Pay</Button>
      <Button onClick={() => setAmount(6)}>More</Button>
    </>
  )
}

function Edit() {
  const edit = useApiMutation(updateUser)
  return <Button onClick={() => edit.mutate({ uuid: uuid(1), tag: 'A' })}>Edit</Button>
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const done = () => Promise.resolve(new Response(JSON.stringify({ response: { total: 0, records: [] } })))
const lost = () => Promise.reject(new TypeError('Failed to fetch'))

it('a second click and a try after a lost answer send the same key, and what comes after success another', async () => {
  answerNext = lost
  await showPart(<Form />)
  await press('Pay')
  await press('Pay')
  await expect.poll(() => keys.length).toBe(2)
  answerNext = done
  await press('Pay')
  await expect.element(page.getByText('Booked').first()).toBeVisible()
  await press('Pay')
  await expect.poll(() => keys.length).toBe(4)
  const [first, second, third, next] = keys
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect([second, third]).toEqual([first, first])
  expect(next).toMatch(/^[0-9a-f]{32}$/)
  expect(next).not.toBe(first)
})

it('changed content is another submission, and what creates nothing has no key', async () => {
  answerNext = lost
  await showPart(
    <>
      <Form />
      <Edit />
    </>,
  )
  await press('Pay')
  await press('More')
  await press('Pay')
  await press('Edit')
  await expect.poll(() => keys.length).toBe(3)
  expect(keys[1]).not.toBe(keys[0])
  expect(keys[2]).toBeNull()
})
