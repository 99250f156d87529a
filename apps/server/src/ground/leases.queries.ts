import { sql } from 'kysely'
import { builtOnce } from '../db/driver/built-once.ts'
import type { Db, Tx } from '../db/driver/connect.ts'

// Which server looks after which node. Times are the database's, so that servers with wrong clocks agree.

export interface Lease {
  nodeId: number
  owner: string
  /** Grows with every change of owner and never comes back. */
  generation: number
}

/** The node has another owner by now; whatever this one was doing is void. */
export class LeaseLostError extends Error {
  constructor(lease: Lease) {
    super(`Node ${lease.nodeId} is looked after by another server now.`)
  }
}

/**
 * Locks the lease and the node's state until the transaction ends. Every write of the fleet about a node begins with
 * this statement. So all of them, and administrators' changes, lock the node's state first.
 * @throws LeaseLostError
 */
export async function holdLease(tx: Tx, lease: Lease): Promise<void> {
  const [held] = await holdOwn(tx, lease.nodeId, lease.owner, lease.generation)
  if (!held) throw new LeaseLostError(lease)
  await holdState(tx, lease.nodeId)
}

const holdOwn = builtOnce((tx, nodeId: number, owner: string, generation: number) =>
  tx
    .selectFrom('nodeLeases')
    .select('nodeId')
    .where('nodeId', '=', nodeId)
    .where('owner', '=', owner)
    .where('generation', '=', generation)
    .forShare(),
)

const holdState = builtOnce((tx, nodeId: number) =>
  tx.selectFrom('nodeStates').select('nodeId').where('nodeId', '=', nodeId).forNoKeyUpdate(),
)

/** Renews what this server has and says that it lives. Rows in use by its own bookings are left for the next round. */
export async function renewLeases(db: Db, owner: string, leaseMs: number): Promise<void> {
  await sql`
    insert into "fleetServers" ("owner", "expiresAt") values (${owner}, now() + ${leaseMs} * interval '1 millisecond')
    on conflict ("owner") do update set "expiresAt" = excluded."expiresAt"
  `.execute(db)
  await sql`
    update "nodeLeases" set "expiresAt" = now() + ${leaseMs} * interval '1 millisecond'
    where "nodeId" in (select "nodeId" from "nodeLeases" where "owner" = ${owner} for no key update skip locked)
  `.execute(db)
}

/** No lease lasts this long. One that does was given by a clock that has been set back since, perhaps to a dead process. */
const LONGEST = sql`now() + interval '5 minutes'`

/** A node that no server looked after for so long is told to have been unwatched; another server takes over sooner. */
const UNWATCHED = sql`interval '1 minute'`

/** Nodes that need looking after: none while another panel may do so; enabled, or disabled while their core may still run. */
const needsOwner = sql`(not (select "isHeld" from "moveIn") and (not n."isDisabled" or s."stopRequestedAt" is not null or s."isNodeOnline" or s."isConnected" or s."isConnecting"))`

/** Takes free nodes up to this server's fair share, and names those it has beyond it. */
export async function takeLeases(db: Db, owner: string, leaseMs: number): Promise<{ surplus: number[] }> {
  const { rows } = await sql<{ share: number; mine: number[] }>`
    select
      ceil((select count(*) from "nodes" n join "nodeStates" s on s."nodeId" = n."id" where ${needsOwner})::numeric
        / greatest(1, (select count(*) from "fleetServers" where "expiresAt" > now() and "expiresAt" < ${LONGEST})))::int as "share",
      (select coalesce(array_agg("nodeId" order by "nodeId"), '{}') from "nodeLeases" where "owner" = ${owner}) as "mine"
  `.execute(db)
  const { share, mine } = rows[0] ?? { share: 0, mine: [] }
  const room = share - mine.length
  if (room > 0) await takeFree(db, owner, room, leaseMs)
  return { surplus: room < 0 ? mine.slice(share) : [] }
}

async function takeFree(db: Db, owner: string, limit: number, leaseMs: number): Promise<void> {
  await sql`
    insert into "nodeLeases" ("nodeId", "owner", "generation", "expiresAt")
    select n."id", ${owner}, 1, now() + ${leaseMs} * interval '1 millisecond'
    from "nodes" n join "nodeStates" s on s."nodeId" = n."id"
    where ${needsOwner} and not exists (select from "nodeLeases" l where l."nodeId" = n."id")
    order by n."id" limit ${limit}
    on conflict ("nodeId") do nothing
  `.execute(db)
  await sql`
    with free as (
      select l."nodeId", l."expiresAt", s."lastStatusMessage" as "reason", "nodePhase"(s) as "phase"
      from "nodeLeases" l join "nodes" n on n."id" = l."nodeId" join "nodeStates" s on s."nodeId" = n."id"
      where (l."expiresAt" < now() or l."expiresAt" > ${LONGEST}) and ${needsOwner} order by l."nodeId" limit ${limit} for no key update of l skip locked
    ), gap as (
      insert into "nodePhases" ("nodeId", "beganAt", "phase", "reason")
      select free."nodeId", line.* from free cross join lateral (values
        (free."expiresAt", 'unwatched', null), (now(), free."phase", free."reason")) line
      where free."expiresAt" < now() - ${UNWATCHED} and exists (select from "nodePhases" where "nodeId" = free."nodeId")
      on conflict do nothing
    )
    update "nodeLeases" set "owner" = ${owner}, "generation" = "generation" + 1,
      "expiresAt" = now() + ${leaseMs} * interval '1 millisecond'
    where "nodeId" in (select "nodeId" from free)
  `.execute(db)
}

export async function listLeases(db: Db, owner: string): Promise<Lease[]> {
  return db.selectFrom('nodeLeases').select(['nodeId', 'owner', 'generation']).where('owner', '=', owner).execute()
}

/** Takes the lease of a node from its holder for a few seconds of work that ends with the node's deletion. */
export async function seizeLease(db: Db, nodeId: number, owner: string, leaseMs: number): Promise<Lease> {
  const { rows } = await sql<Lease>`
    insert into "nodeLeases" ("nodeId", "owner", "generation", "expiresAt")
    values (${nodeId}, ${owner}, 1, now() + ${leaseMs} * interval '1 millisecond')
    on conflict ("nodeId") do update set "owner" = excluded."owner", "generation" = "nodeLeases"."generation" + 1,
      "expiresAt" = excluded."expiresAt"
    returning "nodeId", "owner", "generation"
  `.execute(db)
  const [lease] = rows
  if (!lease) throw new Error(`Node ${nodeId} could not be leased.`)
  return lease
}

/** Gives nodes back at once, so that another server need not wait for the lease to run out. */
export async function releaseLeases(db: Db, leases: readonly Lease[]): Promise<void> {
  for (const { nodeId, owner, generation } of leases) {
    await db
      .updateTable('nodeLeases')
      .set({ owner: '', expiresAt: sql<Date>`now() - interval '1 second'` })
      .where('nodeId', '=', nodeId)
      .where('owner', '=', owner)
      .where('generation', '=', generation)
      .execute()
  }
}

/** Takes this server out of those that share the nodes, and any that died long ago. */
export async function forgetServer(db: Db, owner: string): Promise<void> {
  await sql`delete from "fleetServers" where "owner" = ${owner} or "expiresAt" < now() - interval '1 hour'`.execute(db)
}
