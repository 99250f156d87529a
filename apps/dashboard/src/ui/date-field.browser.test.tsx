import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../test/axe.ts'
import { PHONE, showPart } from '../../test/screen.tsx'
import { DateField } from './date-field.tsx'
import { ModalFrame } from './frames.tsx'

const onChange = vi.fn<(value: string | null) => void>()

function Field({ from, withTime = false }: { from: string | null; withTime?: boolean }) {
  const [value, setValue] = useState(from)
  return (
    <DateField
      label="Until"
      value={value}
      withTime={withTime}
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
  // There is no 30 Esfand in 1404: the field keeps what it holds.
  await field.fill('۱۴۰۴/۱۲/۳۰')
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue('۱ آذر ۱۴۰۴، ۷:۳۰')
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
