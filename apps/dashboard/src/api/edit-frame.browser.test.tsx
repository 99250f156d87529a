import { getHost, updateHost, type Host } from '@causeway/contract'
import { Switch, TextInput } from '@mantine/core'
import { expect, it } from 'vitest'
import { answer, disconnect, hold, requests } from '../../test/fake-api.ts'
import { sampleHost } from '../../test/samples.ts'
import { showPart } from '../../test/screen.tsx'
import { apiQuery } from './api-query.ts'
import { EditFrame, EditOpen } from './edit-frame.tsx'
import { useApiMutation } from './use-api-mutation.ts'
import { useEditForm, type Opened } from './use-edit-form.ts'

// A page without a dialog around it, as settings are.

function Page({ uuid, isPolled }: { uuid: string; isPolled: boolean }) {
  const read = apiQuery(getHost, { uuid }, { quiet: true, refetchInterval: isPolled && 200 })
  return <EditOpen read={read}>{(opened) => <Fields opened={opened} />}</EditOpen>
}

function Fields({ opened }: { opened: Opened<Host> }) {
  const edit = useEditForm({
    opened,
    toForm: ({ remark, isHidden }) => ({ remark, isHidden }),
    fields: { remark: { label: 'Remark' }, isHidden: { label: 'Hidden' } },
  })
  const update = useApiMutation(updateHost, { form: edit.form })
  return (
    <EditFrame
      edit={edit}
      writes={updateHost}
      onSave={({ values, changed }) =>
        update.mutateAsync({
          uuid: opened.entity.uuid,
          ...(changed.has('remark') ? { remark: values.remark } : {}),
          ...(changed.has('isHidden') ? { isHidden: values.isHidden } : {}),
        })
      }
    >
      <TextInput label="Remark" {...edit.form.getInputProps('remark')} />
      <Switch label="Hidden" {...edit.form.getInputProps('isHidden', { type: 'checkbox' })} />
    </EditFrame>
  )
}

async function show(host: Host, isPolled = false) {
  const server = { host }
  answer(getHost, () => server.host)
  answer(updateHost, ({ remark, isHidden }) => {
    server.host = { ...server.host, ...(remark === undefined ? {} : { remark }), ...(isHidden === undefined ? {} : { isHidden }) }
    return server.host
  })
  const screen = await showPart(<Page uuid={host.uuid} isPolled={isPolled} />)
  const remark = screen.getByRole('textbox', { name: 'Remark' })
  const save = screen.getByRole('button', { name: 'Save' })
  await expect.element(remark).toHaveValue(host.remark)
  return { server, screen, remark, save }
}

it('a page is saved and goes on: what was saved is what it starts from, and nothing is sent twice', async () => {
  const { server, screen, remark, save } = await show(sampleHost({ remark: 'Poland' }))
  await expect.element(save).toBeDisabled()
  await remark.fill('Warsaw')
  await save.click()
  await expect.element(save).toBeDisabled()
  await screen.getByRole('switch', { name: 'Hidden' }).click()
  await save.click()
  await expect.poll(() => requests(updateHost)).toHaveLength(2)
  expect(requests(updateHost)).toEqual([
    { uuid: server.host.uuid, remark: 'Warsaw' },
    { uuid: server.host.uuid, isHidden: true },
  ])
  expect(screen.getByRole('alert').elements()).toEqual([])
})

it('what is entered while a save is under way stays, and is saved next', async () => {
  const { server, screen, remark, save } = await show(sampleHost({ remark: 'Poland', isHidden: false }))
  const release = hold(updateHost)
  await remark.fill('Warsaw')
  await save.click()
  await expect.poll(() => requests(updateHost)).toHaveLength(1)
  const hidden = screen.getByRole('switch', { name: 'Hidden' })
  await hidden.click()
  release()
  await expect.element(save).toBeEnabled()
  await expect.element(hidden).toBeChecked()
  await expect.element(remark).toHaveValue('Warsaw')
  await save.click()
  await expect.element(save).toBeDisabled()
  await expect.poll(() => requests(updateHost).at(-1)).toEqual({ uuid: server.host.uuid, isHidden: true })
  expect(screen.getByRole('alert').elements()).toEqual([])
})

it('a read that began before the save and is answered after it is no change of another administrator', async () => {
  const { server, screen, remark, save } = await show(sampleHost({ remark: 'Poland' }), true)
  const [begun, saved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isSaving = false
  answer(getHost, async () => {
    const before = server.host
    if (!isSaving) return before
    begun.resolve()
    await saved.promise
    return before
  })
  answer(updateHost, async ({ remark: sent = '' }) => {
    isSaving = true
    await begun.promise
    isSaving = false
    return (server.host = { ...server.host, remark: sent })
  })
  await remark.fill('Warsaw')
  await save.click()
  await expect.element(save).toBeDisabled()
  saved.resolve()
  const reads = requests(getHost).length
  await expect.poll(() => requests(getHost).length).toBeGreaterThan(reads + 2)
  expect(screen.getByRole('alert').elements()).toEqual([])
  await expect.element(remark).toHaveValue('Warsaw')
})

it('a page’s changes can be discarded', async () => {
  const { screen, remark, save } = await show(sampleHost({ remark: 'Poland' }))
  await remark.fill('Warsaw')
  await screen.getByRole('button', { name: 'Discard changes' }).click()
  await expect.element(remark).toHaveValue('Poland')
  await expect.element(save).toBeDisabled()
})

it('a switch that a colleague turned is told in words, taken over, and the notice can be put away', async () => {
  const { server, screen, remark, save } = await show(sampleHost({ isHidden: false }))
  await remark.fill('mine')
  server.host = { ...server.host, isHidden: true }
  await save.click()
  const notice = screen.getByRole('alert').filter({ hasText: 'Another administrator has just changed this' })
  await expect.element(notice.filter({ hasText: 'Hiddenon' })).toBeVisible()
  await expect.element(screen.getByRole('switch', { name: 'Hidden' })).toBeChecked()
  await notice.getByRole('button', { name: 'Got it' }).click()
  await expect.element(notice).not.toBeInTheDocument()
  await save.click()
  await expect.poll(() => requests(updateHost)).toEqual([{ uuid: server.host.uuid, remark: 'mine' }])
})

it('the very same change by a colleague needs no word and no second write', async () => {
  const { server, screen, remark, save } = await show(sampleHost())
  await remark.fill('ours')
  server.host = { ...server.host, remark: 'ours' }
  await save.click()
  await expect.element(save).toBeDisabled()
  expect(requests(updateHost)).toEqual([])
  expect(screen.getByRole('alert').elements()).toEqual([])
})

it('while the server is away the page says that it may be out of date, and a save is tried again', async () => {
  const { server, screen, remark, save } = await show(sampleHost())
  await remark.fill('patient')
  disconnect(getHost)
  disconnect(updateHost)
  await save.click()
  await expect.element(screen.getByText('The server does not answer')).toBeVisible()
  await expect.element(remark).toHaveValue('patient')
  answer(getHost, () => server.host)
  answer(updateHost, ({ remark: sent }) => (server.host = { ...server.host, remark: sent ?? '' }))
  await save.click()
  await expect.element(save).toBeDisabled()
  expect(server.host.remark).toBe('patient')
})
