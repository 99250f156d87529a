import type { Page } from '@playwright/test'

/** Pastes a configuration into the editor of profiles, in place of its whole text. */
export async function pasteConfig(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Xray config/ }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.evaluate((content) => {
    const clipboard = new DataTransfer()
    clipboard.setData('text/plain', content)
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true, cancelable: true }),
    )
  }, text)
}
