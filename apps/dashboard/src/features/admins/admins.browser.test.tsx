import {
  acceptInvitation,
  builtInRoles,
  createReseller,
  createRole,
  getAccount,
  getAuthStatus,
  getInvitation,
  getInvitationPasskeyOptions,
  getSecondFactor,
  inviteAdmin,
  listAdmins,
  listInternalSquads,
  listPasskeys,
  listResellers,
  listRoles,
  listSessions,
  permissionsOfRole,
  recallInvitation,
  removeAdmin,
  resellerPermissions,
  updateAdmin,
  type Admin,
  type Reseller,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { sampleInternalSquad, uuid } from '../../../test/samples.ts'
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
  await expect.element(dialog.getByText(/^Their 2 API tokens keep the rights they were made with/)).toBeVisible()
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
  const withPasskey = page.getByRole('button', { name: 'Join with a passkey, without a password' })
  await withPasskey.click()
  await expect.element(page.getByText('At least 3 characters')).toBeVisible()
  await page.getByLabelText('Username').fill('dia')
  // This browser has no authenticator.
  answer(getInvitationPasskeyOptions, () => ({ options: {} }))
  await withPasskey.click()
  await expect.element(page.getByText('The browser has made no passkey. Try again, or choose a password.')).toBeVisible()
  expect(requests(getInvitationPasskeyOptions)).toEqual([{ token: 'token', username: 'dia' }])
  await page.getByLabelText('Password', { exact: true }).fill('Another4horse')
  await page.getByLabelText('Confirm password').fill('Another4horse')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect.poll(() => requests(acceptInvitation)).toEqual([{ token: 'token', username: 'dia', password: 'Another4horse' }])
  await expect.element(page.getByText('This invitation has been used already.')).toBeVisible()
  expect(screen.address()).toBe('/auth/invitation/token')
})

const reseller: Reseller = {
  uuid: uuid(20),
  name: 'North',
  squads: [{ uuid: uuid(21), name: 'gold' }],
  maxUsers: 100,
  maxBytes: null,
  maxDays: 30,
  users: 100,
  promisedBytes: 1024 ** 4,
  usedBytes: 1024 ** 3,
  lifetimeUsedBytes: 5 * 1024 ** 3,
  unlimitedUsers: 0,
  endingThisWeek: 3,
  admins: ['bob'],
  tokens: 1,
}

it('ADMIN-009 a reseller reads its limits and what is taken of them on the account page, in a menu of its own users', async () => {
  const { name, maxUsers, maxBytes, maxDays, users, promisedBytes } = reseller
  answer(getAccount, () => ({
    uuid: uuid(2),
    username: 'bob',
    isPasswordLoginAllowed: true,
    permissions: [...resellerPermissions(permissionsOfRole('administrator'))],
    reseller: { name, maxUsers, maxBytes, maxDays, users, promisedBytes, opens: [] },
  }))
  answer(listSessions, () => ({ total: 0, sessions: [] }))
  answer(listPasskeys, () => ({ passkeys: [] }))
  answer(getSecondFactor, () => ({ authenticatorSince: null, passkeys: 0, recoveryCodesLeft: 0 }))
  await showPage('/dashboard/account')
  await expect.element(page.getByText('You see the users of North.')).toBeVisible()
  await expect.element(page.getByText('100 of 100')).toBeVisible()
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await expect.element(menu.getByRole('link', { name: 'Users' })).toBeVisible()
  await expect.element(menu.getByRole('link', { name: 'Nodes' })).not.toBeInTheDocument()
})

it('ADMIN-008 ADMIN-011 resellers are shown with what they promised and have left; one is made, and an administrator is given to it', async () => {
  answer(listResellers, () => ({ resellers: [reseller] }))
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [sampleInternalSquad({ uuid: uuid(21), name: 'gold' })] }))
  answer(createReseller, () => ({ ...reseller, uuid: uuid(22), name: 'South' }))
  answer(updateAdmin, () => admin(2, 'bob', 'support', { reseller: { uuid: uuid(20), name: 'North' } }))
  await showPage(ADDRESS)
  const row = page.getByRole('list', { name: 'Resellers' }).getByRole('listitem')
  await expect
    .element(row)
    .toHaveTextContent(
      'NorthgoldLimit reachedUsers100 of 100Promised1.00 TiBUsed since resets1.00 GiBUsed in all5.00 GiBEnd this week3Expiry up to 30 daysbob1 API tokenEdit',
    )
  await expect.element(row.getByRole('button', { name: 'Delete' })).not.toBeInTheDocument()
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'New reseller' }).click()
  const dialog = page.getByRole('dialog', { name: 'New reseller' })
  await dialog.getByLabelText('Name').fill('South')
  await dialog.getByRole('combobox', { name: 'Internal squads' }).click()
  await page.getByRole('option', { name: 'gold' }).click()
  await dialog.getByLabelText('Most users').fill('50')
  await dialog.getByLabelText('Most traffic promised').fill('2')
  await dialog.getByRole('button', { name: 'New reseller' }).click()
  await expect
    .poll(() => requests(createReseller))
    .toEqual([{ name: 'South', squads: [uuid(21)], maxUsers: 50, maxBytes: 2 * 1024 ** 3, maxDays: null }])
  await page.getByRole('button', { name: 'Change the role of bob' }).click()
  await page.getByRole('dialog', { name: 'Role of bob' }).getByRole('combobox', { name: 'Sees' }).click()
  await page.getByRole('option', { name: 'North' }).click()
  await page.getByRole('dialog', { name: 'Role of bob' }).getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => requests(updateAdmin)).toEqual([{ uuid: uuid(2), reseller: uuid(20) }])
})
