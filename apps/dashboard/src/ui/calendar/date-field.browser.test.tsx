import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { PHONE, showPart } from '../../../test/screen.tsx'
import type { DateEntry } from '../../lib/time/date-entry.ts'
import { DateField } from './date-field.tsx'
import { ModalFrame } from '../frames/frames.tsx'

const onChange = vi.fn<(value: DateEntry) => void>()

interface FieldProps {
  from: string | null
  withTime?: boolean
  minDate?: Date
  maxDate?: string
}

function Field({ from, withTime = false, ...bounds }: FieldProps) {
  const [value, setValue] = useState<DateEntry>(from)
  return (
    <DateField
      label="Until"
      value={value}
      withTime={withTime}
      {...bounds}
      times={['07:30', '18:00']}
      clearLabel="Clear"
      onChange={(next) => {
        onChange(next)
        setValue(next)
      }}
    />
  )
}

const field = page.getByRole('textbox', { name: 'Until' })
const day = (name: string) => page.getByRole('button', { name, exact: true })
const days = () => page.getByRole('gridcell').getByRole('button').elements()

it('Persian: the field, the grid, the months and the years are of the Persian calendar, in Persian digits', async () => {
  await showPart(<Field from="2030-03-20" />, { language: 'fa' })
  await expect.element(field).toHaveValue('۳۰ اسفند ۱۴۰۸')
  expect(getComputedStyle(field.element()).direction).toBe('rtl')
  await field.click()
  await expect.element(page.getByRole('dialog', { name: 'تقویم' })).toBeVisible()
  expect(days().map((one) => one.textContent)).toHaveLength(30)
  expect(days().at(-1)?.textContent).toBe('۳۰')
  // Weeks begin with Saturday.
  expect(page.getByRole('columnheader').elements()[0]?.getAttribute('abbr')).toBe('شنبه')
  await expect.element(page.getByRole('combobox', { name: 'ماه' })).toHaveValue('12')
  expect(page.getByRole('combobox', { name: 'سال' }).getByRole('option', { selected: true }).element().textContent).toBe('۱۴۰۸')
  await page.getByRole('button', { name: 'ماه بعد' }).click()
  await day('۱ فروردین ۱۴۰۹').click()
  await expect.element(field).toHaveValue('۱ فروردین ۱۴۰۹')
  expect(onChange).toHaveBeenLastCalledWith('2030-03-21')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

it('Persian: what is typed may have Persian or Latin digits, and stands there in Persian ones', async () => {
  await showPart(<Field from={null} withTime />, { language: 'fa' })
  await field.fill('1403/12/30 07:30')
  await userEvent.keyboard('{Enter}')
  expect(onChange).toHaveBeenLastCalledWith('2025-03-20 07:30:00')
  await expect.element(field).toHaveValue('۳۰ اسفند ۱۴۰۳، ۷:۳۰')
  await field.fill('۱۴۰۴/۹/۱')
  await userEvent.tab()
  expect(onChange).toHaveBeenLastCalledWith('2025-11-22 07:30:00')
  // There is no 30 Esfand in 1404.
  await field.fill('۱۴۰۴/۱۲/۳۰')
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue('۱۴۰۴/۱۲/۳۰')
  await expect.element(page.getByText('«۱۴۰۴/۱۲/۳۰» تاریخ نیست.')).toBeVisible()
  expect(onChange).toHaveBeenLastCalledWith({ typed: '۱۴۰۴/۱۲/۳۰' })
})

it('by keyboard: opened, gone through by days, weeks, months and years, chosen, and left with Escape', async () => {
  await showPart(
    <ModalFrame isOpen onClose={() => onChange('closed')} title="Around">
      <Field from="2027-01-31" />
    </ModalFrame>,
  )
  // A dialog that opens takes the focus.
  await expect.poll(() => document.activeElement?.closest('[role=dialog]')).not.toBeNull()
  field.element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(day('January 31, 2027')).toHaveFocus()
  await userEvent.keyboard('{PageDown}')
  await expect.element(day('February 28, 2027')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}{ArrowUp}')
  await expect.element(day('February 22, 2027')).toHaveFocus()
  await userEvent.keyboard('{Shift>}{PageUp}{/Shift}{Home}')
  await expect.element(day('February 16, 2026')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue('Feb 16, 2026')
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(day('February 16, 2026')).toHaveFocus()
  expect(await violations()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(field).toHaveFocus()
  // The dialog around it is still there.
  expect(onChange).not.toHaveBeenCalledWith('closed')
  await expect.element(page.getByRole('dialog', { name: 'Around' })).toBeVisible()
})

it('on a phone the calendar is seen whole, also where its field stands low', async () => {
  await showPart(
    <div style={{ paddingTop: '24rem' }}>
      <Field from="2027-01-31 12:00:00" withTime />
    </div>,
    PHONE,
  )
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  const calendar = page.getByRole('dialog')
  await expect.element(calendar).toBeVisible()
  const room = () => {
    const { top, bottom } = calendar.element().getBoundingClientRect()
    return Math.min(top, window.innerHeight - bottom)
  }
  await expect.poll(room).toBeGreaterThanOrEqual(0)
})

it('the time is one of the usual ones or typed; the cross takes the date away', async () => {
  await showPart(<Field from="2027-01-31 12:00:00" withTime />)
  await expect.element(field).toHaveValue('Jan 31, 2027, 12:00 PM')
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  await day('07:30').click()
  await expect.element(field).toHaveValue('Jan 31, 2027, 7:30 AM')
  await page.getByRole('textbox', { name: 'Time' }).fill('21:15')
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue('Jan 31, 2027, 9:15 PM')
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect.element(field).toHaveValue('')
  expect(onChange).toHaveBeenLastCalledWith(null)
})

it.each([
  ['24.11.2031', '2031-11-24', 'Nov 24, 2031'],
  ['10.11.2031', '2031-11-10', 'Nov 10, 2031'],
  ['01.02.2031', '2031-02-01', 'Feb 1, 2031'],
  ['2/1/2031', '2031-02-01', 'Feb 1, 2031'],
  ['24/11/2031', '2031-11-24', 'Nov 24, 2031'],
])('English: “%s” is %s, and stands there in words', async (text, iso, words) => {
  await showPart(<Field from="2031-01-01" />)
  await field.click()
  await userEvent.keyboard(`{ControlOrMeta>}a{/ControlOrMeta}${text}`)
  await userEvent.tab()
  expect(onChange).toHaveBeenLastCalledWith(iso)
  await expect.element(field).toHaveValue(words)
})

it.each([
  ['31.02.2031', '“31.02.2031” is not a date.'],
  ['soon', '“soon” is not a date.'],
  ['Jan 1, 2020', '“Jan 1, 2020” is too early. The earliest is'],
  ['Mar 1, 2032', '“Mar 1, 2032” is too late. The latest is Dec 31, 2031.'],
  ['Jan 10, 2031 07:30', '“Jan 10, 2031 07:30” is too early. The earliest is Jan 10, 2031, 12:00 PM.'],
])('“%s” stays as it was typed, and is said: %s', async (text, sentence) => {
  const bounds = { minDate: new Date('2031-01-10T12:00:00Z'), maxDate: '2031-12-31' }
  await showPart(<Field from="2031-06-01 12:00:00" withTime {...bounds} />)
  await field.fill(text)
  await userEvent.tab()
  await expect.element(page.getByText(sentence)).toBeVisible()
  await expect.element(field).toHaveValue(text)
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  // The date before is gone, so that no form sends it.
  expect(onChange).toHaveBeenLastCalledWith({ typed: text })
  await field.fill('June 2, 2031')
  await userEvent.tab()
  await expect.element(field).toHaveValue('Jun 2, 2031, 12:00 AM')
  await expect.element(field).not.toHaveAttribute('aria-invalid', 'true')
})

it('a time of the calendar that is past is said, and a text that is none stays there', async () => {
  await showPart(<Field from="2031-01-10 15:00:00" withTime minDate={new Date('2031-01-10T12:00:00Z')} />)
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  const time = page.getByRole('textbox', { name: 'Time' })
  await time.fill('noon')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Not a time. Enter it as 07:30.')).toBeVisible()
  await expect.element(time).toHaveValue('noon')
  await day('07:30').click()
  await expect.element(field).toHaveValue('Jan 10, 2031, 7:30 AM')
  await expect.element(page.getByText('is too early. The earliest is Jan 10, 2031, 12:00 PM.')).toBeVisible()
})
