import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** What axe finds wrong with the open dialog. The page behind it is looked at by a test of its own, and may be long. */
export async function dialogViolations(page: Page) {
  return (await new AxeBuilder({ page }).include('[role="dialog"]').analyze()).violations
}
