import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../ctx.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { lockSquadsByUuid, replaceUserSquads } from '../../ground/members.queries.ts'
import { listNamesOfScope } from '../../ground/scope/scope.queries.ts'
import { everyone, type Scope } from '../../lib/scope.ts'
import { lockUsers } from '../../ground/user-writes.queries.ts'
import type { AuditEntry } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { updateBatch } from '../bulk-users/batches.actions.ts'
import { newCredentials } from '../users/users.actions.ts'
import { listUsersByNames } from '../users/users.queries.ts'
import { planImport, type NewUser, type PlannedLine, type ReadLine, type World } from './import.rules.ts'
import { insertImported, listExternalSquadNames, listSquadNames } from './user-import.queries.ts'

/** The state that an import is judged by. */
export async function worldOf(db: Db, scope: Scope, lines: readonly ReadLine[]): Promise<World> {
  const names = lines.flatMap(({ cells }) => cells.username ?? [])
  const [found, squads] = [await listUsersByNames(db, names), await listSquadNames(db)]
  const external = scope === everyone ? await listExternalSquadNames(db) : []
  const own = scope === everyone ? undefined : await listNamesOfScope(db, scope, 'username', names)
  const isOwn = ({ username }: { username: string }) => own?.has(username) ?? true
  const isSeen = ({ uuid }: { uuid: string }) => scope === everyone || scope.squadUuids.includes(uuid)
  return {
    users: new Map(found.filter(isOwn).map((user) => [user.username.toLowerCase(), user])),
    squads: new Map(squads.filter(isSeen).map(({ name, uuid }) => [name.toLowerCase(), uuid])),
    isOfReseller: scope !== everyone,
    externalSquads: new Map(external.flatMap(({ name, uuid }) => [[name.toLowerCase(), uuid] as const, [uuid, uuid] as const])),
  }
}

export interface Imported {
  /** Names of the users whose nodes have to be told. */
  concerned: string[]
  /** Lines that were planned and are refused now. */
  refused: number[]
}

/** Whose import it is, and where its changes are recorded. */
interface Importing {
  scope: Scope
  record: (entry: AuditEntry) => unknown
}

/** Does some lines. They are judged again: users and squads may have changed since the import was asked for. */
export async function importBatch(ctx: Ctx, tx: Tx, lines: readonly ReadLine[], { scope, record }: Importing): Promise<Imported> {
  const planned = planImport(lines, await worldOf(tx, scope, lines))
  const refused = planned.flatMap(({ told }) => (told.outcome === 'refuse' ? [told.line] : []))
  const created = await createPlanned(ctx, tx, planned, { scope, record })
  const edited = await editPlanned(ctx, tx, planned, { scope, record })
  return { concerned: [...created.concerned, ...edited], refused: [...refused, ...created.refused] }
}

async function createPlanned(ctx: Ctx, tx: Tx, planned: readonly PlannedLine[], { record }: Importing): Promise<Imported> {
  const made: number[] = []
  const [concerned, refused]: [string[], number[]] = [[], []]
  for (const { told, create } of planned) {
    if (!create) continue
    const { activeInternalSquads = [], ...fields } = create
    const squads = activeInternalSquads.length > 0 ? await lockSquadsByUuid(tx, activeInternalSquads) : []
    const row = toRow(ctx, fields)
    const id = await insertImported(
      tx,
      row,
      squads.map((squad) => squad.id),
    )
    if (id === undefined) refused.push(told.line)
    else {
      made.push(id)
      if (row.status !== 'DISABLED') concerned.push(told.username)
    }
  }
  if (made.length > 0) {
    const rows = madeRows('wholeUser', made)
    await record({ action: 'createImportedUsers', target: `${made.length} users`, rows })
  }
  return { concerned, refused }
}

function toRow(ctx: Ctx, fields: Omit<NewUser, 'activeInternalSquads'>) {
  const now = ctx.now()
  const { username, expireAt, email, telegramId, tag, description } = fields
  return {
    username,
    uuid: randomUUID(),
    ...newCredentials(ctx),
    status: fields.status ?? 'ACTIVE',
    expireAt: new Date(expireAt),
    trafficLimitBytes: fields.trafficLimitBytes ?? 0,
    trafficLimitStrategy: fields.trafficLimitStrategy ?? 'NO_RESET',
    hwidDeviceLimit: fields.hwidDeviceLimit ?? null,
    email: email ?? null,
    telegramId: telegramId || null,
    tag: tag ?? null,
    externalSquadUuid: fields.externalSquadUuid ?? null,
    description: description ?? null,
    createdAt: now,
    updatedAt: now,
  }
}

async function editPlanned(ctx: Ctx, tx: Tx, planned: readonly PlannedLine[], { record }: Importing): Promise<string[]> {
  const edits = planned.flatMap(({ told, edit }) => (edit ? [{ name: told.username, edit }] : []))
  if (edits.length === 0) return []
  const found = await listUsersByNames(
    tx,
    edits.map(({ name }) => name),
  )
  const ids = new Map(found.map((user) => [user.username, Number(user.id)]))
  const all = [...ids.values()]
  await lockUsers(tx, all, { withUsage: true })
  const rows = await watchRows(tx, 'userTraffic', all)
  const members = await watchRows(tx, 'members', all)
  const concerned: string[] = []
  for (const { name, edit } of edits) {
    const id = ids.get(name)
    if (id === undefined) continue
    const { activeInternalSquads: squads, uuid: _uuid, username: _username, ...fields } = edit
    concerned.push(...(await updateBatch(ctx, tx, [id], fields)))
    if (!squads) continue
    const locked = squads.length > 0 ? await lockSquadsByUuid(tx, squads) : []
    await replaceUserSquads(
      tx,
      id,
      locked.map((squad) => squad.id),
    )
    concerned.push(name)
  }
  const target = `${all.length} users`
  await record({ action: 'updateImportedUsers', target, rows })
  if (edits.some(({ edit }) => edit.activeInternalSquads)) await record({ action: 'updateImportedUsers', target, rows: members })
  return concerned
}
