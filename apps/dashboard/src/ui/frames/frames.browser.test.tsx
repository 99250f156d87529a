import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { showPart } from '../../../test/screen.tsx'
import { useConfirm } from './confirm.tsx'
import { DrawerFrame, FormFooter, FrameFooter, ModalFrame, useFrameDirty } from './frames.tsx'

function Frames() {
  const confirm = useConfirm()
  const [open, setOpen] = useState<'modal' | 'drawer'>()
  return (
    <>
      <Button onClick={() => setOpen('modal')}>modal</Button>
      <Button onClick={() => setOpen('drawer')}>drawer</Button>
      <Button onClick={() => void confirm({ title: 'A question?', body: 'Yes or no.', action: 'Yes' })}>question</Button>
      <ModalFrame isOpen={open === 'modal'} onClose={() => setOpen(undefined)} title="A dialog">
        <Changed />
      </ModalFrame>
      <DrawerFrame isOpen={open === 'drawer'} onClose={() => setOpen(undefined)} title="A drawer">
        <FrameFooter>
          <Button>Apply</Button>
        </FrameFooter>
      </DrawerFrame>
    </>
  )
}

function Changed() {
  const [text, setText] = useState('')
  useFrameDirty(text !== '')
  return <TextInput label="Text" value={text} onChange={(event) => setText(event.currentTarget.value)} />
}

it('titles of dialogs, drawers and questions look alike', async () => {
  await showPart(<Frames />)
  const looks = new Set<string>()
  for (const [name, title] of [
    ['modal', 'A dialog'],
    ['drawer', 'A drawer'],
    ['question', 'A question?'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click()
    const heading = page.getByRole('heading', { name: title })
    await expect.element(heading).toBeVisible()
    const { fontSize, fontWeight, lineHeight, color } = getComputedStyle(heading.element())
    looks.add([fontSize, fontWeight, lineHeight, color].join(' '))
    await userEvent.keyboard('{Escape}')
    await expect.element(heading).not.toBeInTheDocument()
  }
  expect(looks.size).toBe(1)
})

it('the way back from discarding what was entered is to keep editing', async () => {
  await showPart(<Frames />)
  await page.getByRole('button', { name: 'modal', exact: true }).click()
  const field = page.getByLabelText('Text')
  await field.fill('something')
  await userEvent.keyboard('{Escape}')
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await expect.element(question.getByRole('button', { name: 'Cancel' })).not.toBeInTheDocument()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(field).toHaveValue('something')
})

function Refusing() {
  const [isRefused, setRefused] = useState(false)
  return (
    <ModalFrame isOpen onClose={() => {}} title="A form">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setRefused(true)
        }}
      >
        <TextInput label="Fine" />
        <div style={{ height: '200vh' }} />
        <TextInput label="Wrong" error={isRefused && 'Enter a number.'} />
        <div style={{ height: '200vh' }} />
        <FormFooter action="Save" isBusy={false} />
      </form>
    </ModalFrame>
  )
}

it('ERR-003 a field that is refused at the save comes into view and takes the focus', async () => {
  await showPart(<Refusing />)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByLabelText('Wrong')).toHaveFocus()
  await expect.element(page.getByText('Enter a number.')).toBeInViewport()
})
