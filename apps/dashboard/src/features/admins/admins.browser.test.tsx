import {
  acceptInvitation,
  builtInRoles,
  createRole,
  getAccount,
  getAuthStatus,
  getInvitation,
  inviteAdmin,
  listAdmins,
  listResellers,
  listRoles,
  permissionsOfRole,
  recallInvitation,
  removeAdmin,
  updateAdmin,
  type Admin,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

const ADDRESS = '/dashboard/management/administrators'
const at = new Date(Date.now() - 3_600_000).toISOString()
const admin = (number: number, username: string, role: string, values: Partial<Admin> = {}): Admin => ({
  uuid: uuid(number),
  username,
  role: { ref: role, name: null },
  reseller: null,
  hasAuthenticator: false,
  passkeys: 0,
  sessions: 1,
  lastSeenAt: at,
  tokens: 0,
  createdAt: at,
  ...values,
})
const roles = builtInRoles.map((ref) => ({ ref, name: null, permissions: [...permissionsOfRole(ref)], holders: 1 }))
const invitation = {
  uuid: uuid(9),
  note: 'Cyd',
  role: { ref: 'viewer', name: null },
  reseller: null,
  invitedBy: 'ann',
  createdAt: at,
  expiresAt: at,
}

beforeEach(() => {
  answerSmallPanel()
  answer(getAccount, () => ({
    uuid: uuid(1),
    username: 'ann',
    isPasswordLoginAllowed: true,
    permissions: [...permissionsOfRole('owner')],
  }))
  answer(listAdmins, () => ({
    admins: [admin(1, 'ann', 'owner', { hasAuthenticator: true }), admin(2, 'bob', 'support', { tokens: 2, lastSeenAt: null })],
    invitations: [invitation],
  }))
  answer(listRoles, () => ({ roles }))
  answer(listResellers, () => ({ resellers: [] }))
})

it('ADMIN-001 administrators are listed with role, second factor, sessions and last sign-in; one is invited by a link shown once', async () => {
  answer(inviteAdmin, () => ({ uuid: uuid(8), path: '/auth/invitation/secret-link', expiresAt: at }))
  answer(recallInvitation, () => ({ isRecalled: true }))
  await showPage(ADDRESS)
  const rows = page.getByRole('list', { name: 'Administrators' }).getByRole('listitem')
  await expect
    .poll(() => rows.elements().map((row) => row.textContent))
    .toEqual([
      'annOwnerYouSecond factor on1 open sessionLast sign-in 1 hr. agoRole…',
      'bobSupportPassword only1 open sessionNot signed in yetRole…Remove…',
    ])
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Recall the invitation Cyd' }).click()
  await expect.poll(() => requests(recallInvitation)).toEqual([{ uuid: uuid(9) }])
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite an administrator' })
  await dialog.getByLabelText('For whom').fill('Dia')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect.element(dialog.getByText('/auth/invitation/secret-link', { exact: false })).toBeVisible()
  expect(requests(inviteAdmin)).toEqual([{ note: 'Dia', role: 'support' }])
})

it('ADMIN-001 ADMIN-004 a role is changed, and a removal asks about tokens, on a phone', async () => {
  answer(updateAdmin, () => admin(2, 'bob', 'viewer'))
  answer(removeAdmin, () => ({ endedSessions: 1, deletedTokens: 2 }))
  await showPage(ADDRESS, PHONE)
  await page.getByRole('button', { name: 'Change the role of bob' }).click()
  const dialog = page.getByRole('dialog', { name: 'Role of bob' })
  await dialog.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Viewer' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => requests(updateAdmin)).toEqual([{ uuid: uuid(2), role: 'viewer' }])
  await page.getByRole('button', { name: 'Remove bob' }).click()
  const question = page.getByRole('dialog', { name: 'Remove bob?' })
  await question.getByText('Keep them: programs go on').click()
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.poll(() => requests(removeAdmin)).toEqual([{ uuid: uuid(2), tokens: 'keep' }])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
})

it('ADMIN-006 an own role is made from permissions in words', async () => {
  answer(createRole, () => ({ ref: uuid(7), name: 'Night shift', permissions: ['hosts.read' as const], holders: 0 }))
  await showPage(ADDRESS)
  await page.getByRole('button', { name: 'New role' }).click()
  const dialog = page.getByRole('dialog', { name: 'New role' })
  await dialog.getByLabelText('Name').fill('Night shift')
  const names = dialog
    .getByRole('checkbox')
    .elements()
    .map((one) => one.getAttribute('aria-label') ?? '')
  expect(names.filter((name) => !/^[A-Z][\w ]+: [A-Z]\w+$/.test(name))).toEqual([])
  await dialog.getByRole('checkbox', { name: 'Hosts: Read' }).click()
  await dialog.getByRole('button', { name: 'New role' }).click()
  await expect.poll(() => requests(createRole)).toEqual([{ name: 'Night shift', permissions: ['hosts.read'] }])
})

it('ADMIN-007 the menu offers what the role opens, and nothing else', async () => {
  answer(getAccount, () => ({
    uuid: uuid(2),
    username: 'bob',
    isPasswordLoginAllowed: true,
    permissions: [...permissionsOfRole('support')],
  }))
  await showPage('/dashboard/management/hosts')
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await expect.element(menu.getByRole('link', { name: 'Users' })).toBeVisible()
  await expect.element(menu.getByRole('link', { name: 'API tokens' })).not.toBeInTheDocument()
  await expect.element(menu.getByRole('link', { name: 'Administrators' })).not.toBeInTheDocument()
  await expect.element(menu.getByRole('link', { name: 'Backups' })).not.toBeInTheDocument()
})

it('ADMIN-002 the invited choose name and password; a link that is good no more says why', async () => {
  answer(getAuthStatus, () => ({
    isLoginAllowed: true,
    isRegisterAllowed: false,
    tgAuth: null,
    oauth2: { providers: { github: false, pocketid: false, yandex: false } },
  }))
  answer(getInvitation, () => ({ role: { ref: 'support', name: null }, invitedBy: 'ann', expiresAt: at }))
  refuse(acceptInvitation, { status: 409, message: 'This invitation has been used already.' })
  const screen = await showPage('/auth/invitation/token', { isSignedIn: false })
  await expect.element(page.getByText('ann has invited you to this panel. Your role: Support.')).toBeVisible()
  await page.getByLabelText('Username').fill('dia')
  await page.getByLabelText('Password', { exact: true }).fill('Another4horse')
  await page.getByLabelText('Confirm password').fill('Another4horse')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect.poll(() => requests(acceptInvitation)).toEqual([{ token: 'token', username: 'dia', password: 'Another4horse' }])
  await expect.element(page.getByText('This invitation has been used already.')).toBeVisible()
  expect(screen.address()).toBe('/auth/invitation/token')
})
