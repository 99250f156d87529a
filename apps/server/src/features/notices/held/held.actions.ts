import type { Ctx } from '../../../ctx.ts'
import type { Db } from '../../../db/driver/connect.ts'
import { readTimeZone } from '../../../ground/installation.queries.ts'
import { listHeldRows } from './held.queries.ts'
import { heldBack, type Held, type HeldRow } from './held.rules.ts'

/** Answers what is held back of some groups. */
export type HeldOf = (isMeant: (row: HeldRow) => boolean) => Held | null

/** Notices held back at present, for ways and rules that are shown. */
export async function readHeld({ now }: Ctx, db: Db): Promise<HeldOf> {
  const rows = await listHeldRows(db, now())
  const zone = rows.length === 0 ? '' : await readTimeZone(db)
  return (isMeant) => heldBack(rows.filter(isMeant), zone, now())
}
