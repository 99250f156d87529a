import { getInstallation, getSystemStats, listInternalSquads, listUsers, listUserTags } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer } from '../../../../test/fake-api.ts'
import { sampleSystemStats, sampleUser } from '../../../../test/samples.ts'
import { showPage } from '../../../../test/screen.tsx'

const USERS = '/dashboard/management/users'
const row = (name: string) => page.getByRole('table', { name: 'Users' }).getByRole('row', { name, exact: true })

beforeEach(() => {
  answer(getSystemStats, () => sampleSystemStats())
  answer(listInternalSquads, () => ({ total: 0, internalSquads: [] }))
  answer(listUserTags, () => ({ tags: [] }))
  answer(listUsers, () => ({ users: [sampleUser({ username: 'alice' })], total: 1 }))
})

const heads = () => [...document.querySelectorAll('th')].map((one) => one.textContent)

it.each([
  [{ email: true, telegramId: true }, ['Email', 'Telegram ID']],
  [{ email: false, telegramId: true }, ['Telegram ID']],
  [{ email: false, telegramId: false }, []],
])(
  'columns of contacts are shown by default where users have them (%o), and all columns fit a laptop',
  async (contacts, shown) => {
    answer(getInstallation, () => ({ timeZone: 'UTC', updatedAt: new Date(0).toISOString(), contacts }))
    await showPage(USERS, { width: 1440, height: 900 })
    await expect.element(row('alice')).toBeVisible()
    await expect
      .poll(() =>
        heads()
          .filter((head) => head === 'Email' || head === 'Telegram ID')
          .toSorted(),
      )
      .toEqual(shown)
    const box = document.querySelector('[data-scroll]')
    expect(box?.scrollWidth).toBe(box?.clientWidth)
    expect(page.getByRole('button', { name: /more column/ }).query()).toBeNull()
  },
)

it.each(['en', 'fa'] as const)(
  'in %s a list says how many columns are beyond its edge, and sorted by one of them it shows that',
  async (language) => {
    await showPage(USERS, { width: 900, height: 900, language })
    await expect.element(page.getByText('alice', { exact: true }).first()).toBeVisible()
    const box = document.querySelector('[data-scroll]')!
    const edge = box.getBoundingClientRect()
    const isIn = (head: Element | null) => {
      const { left, right } = head!.getBoundingClientRect() // the table has heads
      return left >= edge.left - 1 && right <= edge.right + 1
    }
    const more = () => document.querySelector<HTMLElement>('[data-scroll] + button')
    const beyond = [...document.querySelectorAll('th')].filter((head) => !isIn(head)).length
    await expect.poll(() => more()?.title).toMatch(language === 'en' ? /^\d more columns?$/ : /^[۰-۹] ستون دیگر$/)
    expect(beyond).toBeGreaterThan(0)
    more()?.click()
    more()?.click()
    await expect.poll(() => isIn([...document.querySelectorAll('th')].at(-1) ?? null)).toBe(true)
    await expect.poll(more).toBeNull()
    await showPage(`${USERS}?sort=-trafficWeek`, { width: 900, height: 900, language })
    await expect.element(page.getByText('alice', { exact: true }).first()).toBeVisible()
    await expect.poll(() => isIn(document.querySelector('th[aria-sort="descending"]'))).toBe(true)
  },
)
