import { expect, test } from './fixtures.ts'

const CREATE = '/dashboard/management/users?create=user'
const PHONE = { width: 390, height: 844 }

test('USER-032 on a desktop the cards of the create form stand in two columns', async ({ page }) => {
  await page.goto(CREATE)
  const modal = page.getByRole('dialog', { name: 'New user' })
  const boxOf = (name: string) => modal.getByRole('group', { name }).boundingBox()
  await expect(modal.getByRole('group', { name: 'Identity' })).toBeVisible()
  const [identity, traffic, contact] = [await boxOf('Identity'), await boxOf('Traffic and limits'), await boxOf('Contact')]
  expect(traffic?.x).toBeGreaterThan((identity?.x ?? 0) + (identity?.width ?? 0) - 1)
  expect(traffic?.y).toBe(identity?.y)
  expect(contact?.x).toBe(identity?.x)
})

test('USER-031 on a phone the create form fills the screen, in one column', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await page.goto(CREATE)
  const modal = page.getByRole('dialog', { name: 'New user' })
  await expect(modal.getByRole('group', { name: 'Identity' })).toBeVisible()
  await expect.poll(() => modal.boundingBox()).toEqual({ x: 0, y: 0, ...PHONE })
  const [identity, traffic] = [
    await modal.getByRole('group', { name: 'Identity' }).boundingBox(),
    await modal.getByRole('group', { name: 'Traffic and limits' }).boundingBox(),
  ]
  expect(traffic?.x).toBe(identity?.x)
  expect(traffic?.y).toBeGreaterThan(identity?.y ?? 0)
})
