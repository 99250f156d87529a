import { getSubscriptionPage, getSubscriptionSettings, previewSubscriptionPage } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answerBilling } from '../../test/billing.ts'
import { answer } from '../../test/fake-api.ts'
import { sampleSubscriptionSettings } from '../../test/samples.ts'
import { showPage } from '../../test/screen.tsx'
import { answerSmallPanel } from '../../test/small-panel.ts'

const heading = page.getByRole('heading', { level: 1 })
const menu = page.getByRole('navigation', { name: 'Main menu' })

beforeEach(() => {
  answerSmallPanel()
  answerBilling()
  answer(getSubscriptionSettings, () => sampleSubscriptionSettings())
  answer(getSubscriptionPage, () => ({ config: { ios: [], android: [], pc: [] }, isPublished: false, publishedAt: null }))
  answer(previewSubscriptionPage, () => ({ html: '<p>preview</p>', bytes: 1 }))
})

it.each([
  ['SHELL-034', '/dashboard/utils/happ-routing-builder', 'Happ routing builder'],
  ['SHELL-035', '/dashboard/utils/subscription-page-builder', 'Subscription page builder'],
  ['SHELL-038', '/dashboard/crm/infra-billing', 'Infra billing'],
])('%s %s shows its page', async (_, path, title) => {
  const screen = await showPage(path)
  await expect.element(heading).toHaveTextContent(title)
  expect(screen.address()).toBe(path)
})

it.each([
  ['SHELL-036', '/dashboard/utils', '/dashboard/utils/happ-routing-builder'],
  ['SHELL-037', '/dashboard/crm', '/dashboard/crm/infra-billing'],
])('%s %s leads on', async (_, path, target) => {
  const screen = await showPage(path)
  await expect.poll(screen.address).toBe(target)
  await expect.element(heading).toBeVisible()
})

it('SHELL-051 the group of utilities holds both builders, and what is seldom needed lies in a folder', async () => {
  await showPage('/dashboard/utils/happ-routing-builder')
  const links = menu.getByRole('group', { name: 'Utils' }).getByRole('link')
  const names = () => links.elements().map(({ textContent }) => textContent)
  const direct = ['Happ routing builder', 'Subscription page builder', 'Webhooks', 'Notices']
  await expect.poll(names).toEqual(direct)
  await menu.getByRole('button', { name: 'Panel' }).click()
  await expect.poll(names).toEqual([...direct, 'Panel settings', 'Administrators', 'Backups', 'Move in', 'Doctor'])
})

it('a folder of the menu opens for a page of its own, however one came there, and closes behind it', async () => {
  const screen = await showPage('/dashboard/utils/happ-routing-builder')
  const folder = (name: string) => menu.getByRole('button', { name })
  await expect.element(folder('Templates')).toHaveAttribute('aria-expanded', 'false')
  screen.go('/dashboard/crm/infra-billing')
  await expect.element(folder('Nodes')).toHaveAttribute('aria-expanded', 'true')
  await expect.element(menu.getByRole('link', { name: 'Infra billing' })).toHaveAttribute('aria-current', 'page')
  await expect.element(folder('Templates')).toHaveAttribute('aria-expanded', 'false')
  screen.go('/dashboard/utils/happ-routing-builder')
  await expect.element(folder('Nodes')).toHaveAttribute('aria-expanded', 'false')
})
