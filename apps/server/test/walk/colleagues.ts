import * as api from '@causeway/contract'
import type { TestServer } from '../server.ts'
import type { World } from './inhabitants.ts'

// Administrators beside the caller: their things must stay when the caller changes its own.

const FAR_OFF = new Date('2098-01-01')

const ROLES = { Helpers: ['users.read'], Watchers: ['nodes.read'], Unheld: ['hosts.read'] } as const
const RESELLERS = { North: 'bronze', South: 'gold', East: 'silver' } as const
/** Owners are two, so that one of them can go. */
const COLLEAGUES = {
  mia: { builtInRole: null, role: 'Helpers' },
  noa: { builtInRole: 'support', role: null },
  otto: { builtInRole: 'owner', role: null },
} as const
const INVITED = { ola: 'viewer', pia: 'Watchers', rex: 'Unheld' } as const

type Colleagues = Pick<World, 'resellers' | 'roles' | 'admins' | 'invitations' | 'links'>

export async function welcomeColleagues(server: TestServer, squads: World['squads']): Promise<Colleagues> {
  const { db } = server.ctx
  const made: Colleagues = {
    resellers: { North: '', South: '', East: '' },
    roles: { Helpers: '', Watchers: '', Unheld: '' },
    admins: { mia: '', noa: '', otto: '' },
    invitations: { ola: '', pia: '', rex: '' },
    links: { ola: '', pia: '', rex: '' },
  }
  const { resellers, roles, admins, invitations, links } = made
  for (const name of Object.keys(RESELLERS) as (keyof typeof RESELLERS)[]) {
    const bounds = { maxUsers: 5, maxBytes: 10 ** 12, maxDays: null }
    resellers[name] = (await server.call(api.createReseller, { name, squads: [squads[RESELLERS[name]]], ...bounds })).uuid
  }
  for (const name of Object.keys(ROLES) as (keyof typeof ROLES)[])
    roles[name] = (await server.call(api.createRole, { name, permissions: [...ROLES[name]] })).ref
  for (const note of Object.keys(INVITED) as (keyof typeof INVITED)[]) {
    const wanted = INVITED[note]
    const { uuid, path } = await server.call(api.inviteAdmin, { note, role: wanted === 'viewer' ? wanted : roles[wanted] })
    invitations[note] = uuid
    links[note] = path.split('/').at(-1) ?? ''
  }
  for (const username of Object.keys(COLLEAGUES) as (keyof typeof COLLEAGUES)[]) {
    const { builtInRole, role } = COLLEAGUES[username]
    const held = role && (await db.selectFrom('roles').select('id').where('name', '=', role).executeTakeFirstOrThrow())
    const admin = await db
      .insertInto('admins')
      .values({ username, passwordHash: `of ${username}`, builtInRole, roleId: held?.id ?? null })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    admins[username] = admin.uuid
    await settleIn(server, username, admin.id)
  }
  const tokens = db.updateTable('apiTokens').set({ madeBy: admins.otto })
  await tokens.where('tokenName', '=', 'cli').execute()
  return made
}

/** What signs a colleague in, one of each kind. */
async function settleIn({ ctx: { db, secrets } }: TestServer, username: string, adminId: number): Promise<void> {
  await db
    .insertInto('sessions')
    .values({ adminId, userAgent: `of ${username}`, expiresAt: FAR_OFF })
    .execute()
  const secret = secrets.wrap('authenticator', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXQ')
  await db
    .insertInto('authenticators')
    .values({ adminId, secret, confirmedAt: new Date('2026-01-01') })
    .execute()
  await db
    .insertInto('recoveryCodes')
    .values({ adminId, codeHash: `of ${username}` })
    .execute()
  const identity = { provider: 'github', subject: `of ${username}`, label: `of ${username}` }
  await db
    .insertInto('adminIdentities')
    .values({ ...identity, adminId })
    .execute()
  const passkey = { id: `of ${username}`, name: `of ${username}`, publicKey: Buffer.from(username), counter: 1 }
  await db
    .insertInto('passkeys')
    .values({ ...passkey, adminId })
    .execute()
  const challenge = { challengeHash: `of ${username}`, purpose: 'secondStep' as const, expiresAt: FAR_OFF }
  await db
    .insertInto('passkeyChallenges')
    .values({ ...challenge, adminId })
    .execute()
}
