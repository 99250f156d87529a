import { expect, type Locator, type Page } from '@playwright/test'

export const WAYS = ['mouse', 'keyboard', 'phone'] as const
export type Way = (typeof WAYS)[number]

/** Somebody at work who counts what it takes them: a click, a tap, a key, a text typed without a break. */
export interface Person {
  page: Page
  way: Way
  steps: () => number
  /** Clicks or taps it; by keyboard goes there and presses Enter, or the key that is given. */
  choose: (target: Locator, how?: { by?: string; press?: string }) => Promise<void>
  /** Goes to a field as `choose` does, unless the focus is there, and types. */
  type: (target: Locator, text: string) => Promise<void>
  /** Keys that work everywhere; only at the keyboard. */
  press: (...keys: string[]) => Promise<void>
  /** From wherever one is. */
  goTo: (title: string) => Promise<void>
}

const MOST_KEYS = 60

export function person(page: Page, way: Way): Person {
  let steps = 0
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key)
      steps++
    }
  }
  /** Along the page until the focus is there: what cannot be reached by keyboard fails here. */
  const reach = async (target: Locator, by: string) => {
    await expect(target).toBeAttached() // what is drawn over a field of the browser's own hides it
    for (let keys = 0; keys <= MOST_KEYS; keys++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await press(by)
    }
    throw new Error(`${by} does not lead to ${target.toString()}`)
  }
  const choose: Person['choose'] = async (target, { by = 'Tab', press: key = 'Enter' } = {}) => {
    if (way === 'keyboard') {
      await reach(target, by)
      return press(key)
    }
    await (way === 'phone' ? target.tap() : target.click())
    steps++
  }
  return {
    page,
    way,
    steps: () => steps,
    choose,
    press,
    type: async (target, text) => {
      await expect(target).toBeVisible()
      if (way === 'keyboard') await reach(target, 'Tab')
      else if (!(await target.evaluate((element) => element === document.activeElement))) await choose(target)
      if ((await target.inputValue()) !== '') await press('ControlOrMeta+a')
      await page.keyboard.type(text)
      steps++
    },
    goTo: async (title) => {
      if (way === 'keyboard') {
        await press('ControlOrMeta+k')
        const field = page.getByPlaceholder('Find users, nodes, pages, actions…')
        await expect(field).toBeFocused()
        await page.keyboard.type(title)
        steps++
        await expect(page.getByRole('listbox').getByRole('option', { selected: true })).toContainText(title)
        await press('Enter')
      } else {
        if (way === 'phone') await choose(page.getByRole('button', { name: 'Open the menu' }))
        await choose(page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: title, exact: true }))
      }
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    },
  }
}
