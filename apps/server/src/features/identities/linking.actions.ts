import { errors, type Input, type linkIdentity, type OAuth2Provider } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { ownAdmin } from '../auth/account.actions.ts'
import { refuseLastWayIn } from '../auth/auth.actions.ts'
import { lockAccount, revokeSessions } from '../auth/auth.queries.ts'
import { deleteIdentity, findIdentity, insertIdentity, listIdentities } from './identities.queries.ts'
import { openProviders, startLink, vouchForLink } from './oauth2.actions.ts'

// Accounts at sign-in providers that a person links to the own account.

export async function ownIdentities(ctx: Ctx, caller: Caller) {
  const admin = await ownAdmin(ctx, caller)
  return { identities: await listIdentities(ctx.db, admin.id), providers: openProviders(ctx) }
}

export async function beginLink(ctx: Ctx, caller: Caller, provider: OAuth2Provider) {
  return { authorizationUrl: await startLink(ctx, caller, provider) }
}

/** Links the account that the provider vouches for. It is another way in: all other sessions end. */
export async function link(ctx: Ctx, caller: Caller, answer: Input<typeof linkIdentity>) {
  const admin = await ownAdmin(ctx, caller)
  const { provider, subject, label } = await vouchForLink(ctx, caller, answer)
  return write(ctx, caller, async (tx, record) => {
    await lockAccount(tx, admin.id)
    await insertIdentity(tx, { provider, subject, label, adminId: admin.id, createdAt: ctx.now() })
    const { adminId, ...identity } = (await findIdentity(tx, { provider, subject })) ?? fail(errors.identityRefused)
    if (adminId !== admin.id) fail(errors.identityElsewhere)
    const endedSessions = await revokeSessions(tx, admin.uuid, { allBut: caller.sessionUuid }, ctx.now())
    record({ action: 'linkIdentity', target: admin.uuid, name: label, details: { method: provider, total: endedSessions } })
    return { ...identity, endedSessions }
  })
}

export async function unlink(ctx: Ctx, caller: Caller, uuid: string) {
  const admin = await ownAdmin(ctx, caller)
  return write(ctx, caller, async (tx, record) => {
    await lockAccount(tx, admin.id)
    const { label, provider } = (await deleteIdentity(tx, admin.id, uuid)) ?? fail(errors.identityNotFound)
    await refuseLastWayIn(ctx, tx, admin)
    const endedSessions = await revokeSessions(tx, admin.uuid, { allBut: caller.sessionUuid }, ctx.now())
    record({ action: 'unlinkIdentity', target: admin.uuid, name: label, details: { method: provider, total: endedSessions } })
    return { endedSessions }
  })
}
