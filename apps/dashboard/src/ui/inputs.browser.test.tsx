import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { showPart } from '../../test/screen.tsx'
import { NumberField, WholeNumberInput } from './inputs.tsx'

it('numbers are typed with Persian and with Latin digits', async () => {
  await showPart(<WholeNumberInput label="Limit" suffix=" GiB" />, { language: 'fa' })
  const field = page.getByRole('textbox', { name: 'Limit' })
  await field.click()
  await userEvent.keyboard('۱۲3٤')
  await expect.element(field).toHaveValue('1234 GiB')
})

it('a pasted number may have Persian digits', async () => {
  await showPart(<NumberField label="Amount" />)
  const field = page.getByRole('textbox', { name: 'Amount' })
  await field.click()
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', '۹۹')
  field.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  await expect.element(field).toHaveValue('99')
})
