import { randomInt } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { systemCaller, type Caller } from '../../ctx.ts'
import { write, type WriteCtx } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { admitAll, deleteFactors, findAdmin, listAdmins, replacePassword, revokeSessions } from './auth.queries.ts'

// Restores lost access from the server's own terminal. Each step is in the history.

type Opened = WriteCtx
const atTerminal: Caller = { ...systemCaller, name: 'causeway admin' }

/** Without letters that are read for one another. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'
const PASSWORD_LETTERS = 20

export function listAccounts({ db, now }: Opened) {
  return listAdmins(db, now())
}

/** Sets a new random password and ends the account's sessions. Returns the password. */
export async function resetPassword(ctx: Opened, username: string): Promise<string> {
  const admin = await namedAdmin(ctx, username)
  const password = newPassword()
  const passwordHash = await hash(password)
  await write(ctx, atTerminal, async (tx, record) => {
    const rows = await watchRows(tx, 'admin', [admin.id])
    await replacePassword(tx, { id: admin.id, checkedHash: admin.passwordHash, passwordHash, now: ctx.now() })
    const total = await revokeSessions(tx, admin.uuid, { allBut: undefined }, ctx.now())
    record({ action: 'resetPassword', target: admin.uuid, rows, details: { total } })
  })
  return password
}

/** Forgets authenticator, passkeys and recovery codes of the account and ends its sessions. */
export async function resetSecondFactor(ctx: Opened, username: string): Promise<void> {
  const admin = await namedAdmin(ctx, username)
  await write(ctx, atTerminal, async (tx, record) => {
    await deleteFactors(tx, admin.id)
    const total = await revokeSessions(tx, admin.uuid, { allBut: undefined }, ctx.now())
    record({ action: 'resetSecondFactor', target: admin.uuid, name: admin.username, details: { total } })
  })
}

/** Forgets counted attempts to sign in, and admits all networks again. */
export async function unlockSignIn(ctx: Opened): Promise<void> {
  await write(ctx, atTerminal, async (tx, record) => {
    await admitAll(tx, ctx.now())
    record({ action: 'unlockSignIn', target: 'sign-in' })
  })
}

async function namedAdmin({ db }: Opened, username: string) {
  const admin = await findAdmin(db, { username })
  if (admin) return admin
  throw new Error(`There is no administrator named ${username}. See causeway admin list.`)
}

/** Of about 115 bits, with the three kinds of characters that the rule for passwords wants. */
function newPassword(): string {
  for (;;) {
    const text = Array.from({ length: PASSWORD_LETTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    if (/[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text)) return text
  }
}
