import { expect, type Page } from '@playwright/test'

/** Moves a row by its handle, key after key: the next one when drag and drop has announced what the last one did. */
export async function moveByKeys(page: Page, handle: string, keys: readonly string[]): Promise<void> {
  const announcement = page.locator('[id^="DndLiveRegion"]')
  await page.getByRole('button', { name: handle }).focus()
  for (const key of keys) {
    const before = (await announcement.textContent()) ?? ''
    await page.keyboard.press(key)
    await expect(announcement).not.toHaveText(before)
    // Where rows are is measured after it was announced; before that an arrow leads nowhere.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  }
}
