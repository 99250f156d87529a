import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { showPart } from '../../test/screen.tsx'
import { NumberField, PortInput, WholeNumberInput } from './inputs.tsx'

const field = () => page.getByRole('textbox', { name: 'Amount' })

function Amount({ from = '' }: { from?: number | '' }) {
  const [value, setValue] = useState<number | string>(from)
  return (
    <>
      <NumberField label="Amount" prefix="$" decimalScale={2} hasThousands hideControls value={value} onChange={setValue} />
      <output>{typeof value === 'number' ? `the number ${value}` : `the text ${value}`}</output>
      <textarea aria-label="Letter" />
    </>
  )
}

async function paste(text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Letter' }).fill(text)
  await page.getByRole('textbox', { name: 'Letter' }).click()
  await userEvent.keyboard('{ControlOrMeta>}a{/ControlOrMeta}')
  await userEvent.copy()
  await field().click()
  await userEvent.keyboard('{ControlOrMeta>}a{/ControlOrMeta}')
  await userEvent.paste()
}

describe.each([
  { language: 'fa', typed: '۱۲۳۴ GiB', inside: '۱۲۹۳۴ GiB', amount: '$۱٬۲۳۴٫۵' },
  { language: 'en', typed: '1234 GiB', inside: '12934 GiB', amount: '$1,234.5' },
] as const)('in $language', ({ language, typed, inside, amount }) => {
  it('a number stands in the digits of the page, typed with Persian or with Latin ones', async () => {
    await showPart(<WholeNumberInput label="Amount" suffix=" GiB" />, { language })
    await field().click()
    await userEvent.keyboard('۱۲3٤')
    await expect.element(field()).toHaveValue(typed)
    // The caret is a place between digits, whichever they are.
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}9')
    await expect.element(field()).toHaveValue(inside)
    await userEvent.keyboard('{Backspace}')
    await expect.element(field()).toHaveValue(typed)
  })

  it('a pasted number may have digits, thousands and fractions of either kind', async () => {
    await showPart(<Amount />, { language })
    for (const text of ['1,234.5', '۱٬۲۳۴٫۵', '1234.5', '۱۲۳۴.۵']) {
      await paste(text)
      await expect.element(field()).toHaveValue(amount)
      await expect.element(page.getByRole('status')).toHaveTextContent('the number 1234.5')
      await field().fill('')
    }
  })

  it('a point typed in a number makes a fraction', async () => {
    await showPart(<Amount />, { language })
    await field().click()
    await userEvent.keyboard('۱234.5')
    await expect.element(field()).toHaveValue(amount)
  })

  it('what was there before is shown in the same digits', async () => {
    await showPart(<Amount from={1234.5} />, { language })
    await expect.element(field()).toHaveValue(amount)
  })
})

it('what machines read keeps Latin digits in Persian', async () => {
  await showPart(<PortInput label="Amount" />, { language: 'fa' })
  await field().click()
  await userEvent.keyboard('۴۴3')
  await expect.element(field()).toHaveValue('443')
})
