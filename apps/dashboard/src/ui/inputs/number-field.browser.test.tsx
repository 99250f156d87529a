import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { showPart } from '../../../test/screen.tsx'
import type { NumberEntry, NumberRule } from '../../lib/numbers/number-entry.ts'
import { NumberField, PortField } from './number-field.tsx'

const field = () => page.getByRole('textbox', { name: 'Amount' })
const entered = vi.fn<(entry: NumberEntry) => void>()
const AMOUNT: NumberRule = { decimals: 2, min: 0.01, max: 1_000_000, units: ['GB', 'ГБ', 'گیگ', '$'] }
const WHOLE: NumberRule = { decimals: 0, min: 1, max: 9000 }

function Amount({
  from = '',
  rule = AMOUNT,
  fixedDecimals = 0,
}: {
  from?: NumberEntry
  rule?: NumberRule
  fixedDecimals?: number
}) {
  const [value, setValue] = useState<NumberEntry>(from)
  return (
    <main>
      <h1>Numbers</h1>
      <NumberField
        label="Amount"
        rule={rule}
        fixedDecimals={fixedDecimals}
        value={value}
        onChange={(entry) => {
          entered(entry)
          setValue(entry)
        }}
      />
      <button onClick={() => setValue(77)}>From elsewhere</button>
    </main>
  )
}

/** Key by key, as a person does it: what stands in between must not be corrected. */
async function type(text: string): Promise<void> {
  await field().click()
  await userEvent.keyboard('{ControlOrMeta>}a{/ControlOrMeta}{Delete}')
  for (const [place, key] of Array.from(text).entries()) {
    await userEvent.keyboard(key)
    await expect.element(field()).toHaveValue(text.slice(0, place + 1))
  }
}

describe.each([
  { language: 'en', shown: '1234.5', ambiguous: '“1,234” may mean 1234 or 1.234.' },
  { language: 'ru', shown: '1234,5', ambiguous: '«1,234» можно прочитать как 1234 или 1,234.' },
  { language: 'fa', shown: '۱۲۳۴٫۵', ambiguous: '«1,234» می‌تواند ۱۲۳۴ یا ۱٫۲۳۴ باشد.' },
  { language: 'zh', shown: '1234.5', ambiguous: '“1,234”可能表示 1234 或 1.234。' },
] as const)('in $language', ({ language, shown, ambiguous }) => {
  it('a number typed key by key is the same number, whichever digits and marks it has', async () => {
    await showPart(<Amount />, { language })
    for (const text of ['1234.5', '1234,5', '1,234.5', '1.234,5', '۱۲۳۴٫۵', '۱٬۲۳۴٫۵', '١٢٣٤.٥', '1234.5 GB']) {
      await type(text)
      expect(entered).toHaveBeenLastCalledWith(1234.5)
      await userEvent.tab()
      await expect.element(field()).toHaveValue(shown)
      await expect.element(field()).not.toHaveAttribute('aria-invalid', 'true')
    }
  })

  it('what may be one of two numbers is asked, and stays until it is answered', async () => {
    await showPart(<Amount rule={{ ...AMOUNT, decimals: 3 }} />, { language })
    await type('1,234')
    expect(entered).toHaveBeenLastCalledWith({ typed: '1,234' })
    await userEvent.tab()
    await expect.element(page.getByText(ambiguous)).toBeVisible()
    await expect.element(field()).toHaveValue('1,234')
    await expect.element(field()).toHaveAttribute('aria-invalid', 'true')
    const choices = field().element().closest('.mantine-InputWrapper-root')?.querySelectorAll('button')
    expect(choices).toHaveLength(2)
    choices?.[0]?.click()
    await expect.poll(() => entered.mock.lastCall).toEqual([1234])
    await expect.element(field()).not.toHaveAttribute('aria-invalid', 'true')
    expect(await violations()).toEqual([])
  })
})

it.each([
  [AMOUNT, '1e5', { typed: '1e5' }, '“1e5” is not a number. Enter digits, such as 2.5.'],
  [AMOUNT, '12345678901234567890', { typed: '12345678901234567890' }, 'This has more digits than can be kept.'],
  [AMOUNT, '0', 0, 'Must be from 0.01 to 1000000.'],
  [AMOUNT, '-5', -5, 'Must be from 0.01 to 1000000.'],
  [AMOUNT, '0.125', 0.125, 'At most 2 decimal places.'],
  [WHOLE, '1.5', 1.5, 'Must be a whole number.'],
  [WHOLE, '12,5', 12.5, 'Must be a whole number.'],
  [WHOLE, '9001', 9001, 'Must be from 1 to 9000.'],
  [WHOLE, 'x', { typed: 'x' }, '“x” is not a number. Enter digits, such as 25.'],
] as const)('%j: “%s” is kept as it is, and said: %j, “%s”', async (rule, text, entry, sentence) => {
  await showPart(<Amount rule={rule} />)
  await type(text)
  expect(entered).toHaveBeenLastCalledWith(entry)
  await userEvent.tab()
  await expect.element(page.getByText(sentence)).toBeVisible()
  await expect.element(field()).toHaveValue(text)
  await expect.element(field()).toHaveAttribute('aria-invalid', 'true')
  // It is corrected in place, and the sentence goes with the mistake.
  await type('25')
  await userEvent.tab()
  await expect.element(page.getByText(sentence)).not.toBeInTheDocument()
})

it('a choice that the field does not take is not offered', async () => {
  await showPart(<Amount rule={WHOLE} />)
  await type('1.234')
  await userEvent.tab()
  await expect.element(page.getByText('“1.234” may mean 1234 or 1.234.')).toBeVisible()
  await page.getByRole('button', { name: '1234', exact: true }).click()
  await expect.element(field()).toHaveValue('1234')
  expect(page.getByRole('button', { name: '1.234' }).elements()).toEqual([])
})

it('money stands with its cents, and is not asked about while it is only looked at', async () => {
  await showPart(<Amount from={1234.5} fixedDecimals={2} />)
  await expect.element(field()).toHaveValue('1234.50')
  await field().click()
  await userEvent.tab()
  await expect.element(field()).toHaveValue('1234.50')
  expect(entered).not.toHaveBeenCalled()
})

it('what the field has shown itself is no riddle when it is typed again', async () => {
  await showPart(<Amount from={4.657} rule={{ ...AMOUNT, decimals: 3 }} />)
  await field().click()
  await userEvent.keyboard('{End}1{Backspace}')
  expect(entered).toHaveBeenLastCalledWith(4.657)
})

it('a value that comes from elsewhere takes the place of what is being typed; emptied, there is none', async () => {
  await showPart(<Amount />)
  await type('12')
  await page.getByRole('button', { name: 'From elsewhere' }).click()
  await expect.element(field()).toHaveValue('77')
  await field().fill('')
  await userEvent.tab()
  expect(entered).toHaveBeenLastCalledWith('')
  await expect.element(field()).not.toHaveAttribute('aria-invalid', 'true')
})

it('arrow keys go by one, within what is taken', async () => {
  await showPart(<Amount rule={{ decimals: 0, min: 0, max: 2 }} />)
  await field().click()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}')
  await expect.element(field()).toHaveValue('2')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}')
  await expect.element(field()).toHaveValue('0')
})

it('what machines read keeps Latin digits in Persian, and a port beyond its range stays as it was typed', async () => {
  function Port() {
    const [port, setPort] = useState<NumberEntry>('')
    return <PortField label="Amount" value={port} onChange={setPort} />
  }
  await showPart(<Port />, { language: 'fa' })
  await type('۴۴3')
  await userEvent.tab()
  await expect.element(field()).toHaveValue('443')
  for (const text of ['65536', '70000', '0', '-1', '1.5']) {
    await type(text)
    await userEvent.tab()
    await expect.element(field()).toHaveValue(text)
    await expect.element(field()).toHaveAttribute('aria-invalid', 'true')
  }
})
