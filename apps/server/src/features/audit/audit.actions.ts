import type { Tx } from '../../db/connect.ts'
import { isCollision } from '../../db/failures.ts'
import type { Caller, Ctx } from '../../ctx.ts'

export interface AuditEntry {
  /** The domain verb, for example 'updateUser'. */
  action: string
  /** What was changed: a uuid, or a sentence for bulk changes. */
  target: string
  before?: unknown
  after?: unknown
}

type Change<T> = (tx: Tx, record: (entry: AuditEntry) => void) => Promise<T>

const MAX_ATTEMPTS = 4

/**
 * The one way to change something: opens the transaction, runs the change and adds the audit rows it records (who, from
 * where, what, before, after) in the same transaction. Secrets are never part of before and after. A change that collides
 * with another one is undone and run again, so it must do nothing but what its transaction can undo.
 */
export async function write<T>(ctx: Ctx, caller: Caller, change: Change<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeOnce(ctx, caller, change)
    } catch (error) {
      if (!isCollision(error) || attempt === MAX_ATTEMPTS) throw error
      ctx.log.info({ err: error, attempt }, 'two changes waited for each other; this one is made again')
    }
  }
}

function writeOnce<T>(ctx: Ctx, caller: Caller, change: Change<T>): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    const entries: AuditEntry[] = []
    const result = await change(tx, (entry) => entries.push(entry))
    if (entries.length > 0) {
      await tx
        .insertInto('auditLog')
        .values(
          entries.map(({ action, target, before, after }) => ({
            at: ctx.now(),
            actorKind: caller.kind,
            actorUuid: caller.uuid,
            actorName: caller.name,
            address: caller.address,
            action,
            target,
            before: before === undefined ? null : JSON.stringify(before),
            after: after === undefined ? null : JSON.stringify(after),
          })),
        )
        .execute()
    }
    return result
  })
}
