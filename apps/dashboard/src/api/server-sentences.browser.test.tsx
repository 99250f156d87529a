import { createHost, createInternalSquad } from '@causeway/contract'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { expect, it } from 'vitest'
import { refuse } from '../../test/fake-api.ts'
import { uuid } from '../../test/samples.ts'
import { showPart } from '../../test/screen.tsx'
import { useApiMutation } from './use-api-mutation.ts'

function Writes() {
  const form = useForm({ initialValues: { name: '' } })
  const host = useApiMutation(createHost)
  const squad = useApiMutation(createInternalSquad, { form })
  const inbound = { configProfileUuid: uuid(1), configProfileInboundUuid: uuid(2) }
  return (
    <>
      <Button onClick={() => host.mutate({ remark: 'a', address: 'b', port: 1, inbound })}>host</Button>
      <Button onClick={() => squad.mutate({ name: 'friends', inbounds: [] })}>squad</Button>
      <output aria-label="name error">{form.errors['name']}</output>
    </>
  )
}

it('what the server says of a name already taken is told in the reader’s language, on a field as in a toast', async () => {
  const screen = await showPart(<Writes />, { language: 'ru' })
  refuse(createHost, { status: 400, message: 'Host remark already exists', code: 'A045' })
  await screen.getByRole('button', { name: 'host' }).click()
  await expect.element(screen.getByText('Хост с таким названием уже есть')).toBeVisible()
  const errors = [{ code: 'custom', path: ['name'], message: 'This password is among the most common ones; choose another' }]
  refuse(createInternalSquad, { status: 400, message: 'Validation failed', errors })
  await screen.getByRole('button', { name: 'squad' }).click()
  await expect.element(screen.getByLabelText('name error')).toHaveTextContent('Это один из самых частых паролей; выберите другой')
})
