import type { EventName } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { holdTimeZone } from '../../ground/installation.queries.ts'
import type { RecurringJob } from '../../jobs/kinds.ts'
import { DAY_MS, dateIn, dayIn } from '../../lib/days.ts'
import {
  emitBills,
  emitExpirations,
  emitNotConnected,
  forgetLooks,
  hasEventReaders,
  lockLook,
  noteLook,
  passThresholds,
  type Stretch,
} from './moments.queries.ts'
import { deleteOldEvents } from './outbox.queries.ts'

const BATCH_SIZE = 2000
/** Events kept however young they are, so that a mass action cannot fill the disk. */
const MOST_EVENTS = 1_000_000
/** A server that was away makes up for this much. */
const MADE_UP_MS = DAY_MS
/** In the zone of the installation. */
const BILLS_HOUR = 17

/** Emits the moments that lie a set time before or after something: each once, however often servers stop. */
export async function emitMoments(ctx: Ctx): Promise<void> {
  if (!(await hasEventReaders(ctx.db))) return forgetLooks(ctx.db)
  const { config } = ctx
  if (config.EXPIRATION_NOTIFICATIONS_ENABLED)
    for (const hours of config.EXPIRATION_NOTIFICATIONS)
      await lookOnce(ctx, `expiration ${hours}`, (tx, stretch) => emitExpirations(tx, hours, stretch))
  if (config.NOT_CONNECTED_USERS_NOTIFICATIONS_ENABLED)
    for (const hours of config.NOT_CONNECTED_USERS_NOTIFICATIONS_AFTER_HOURS)
      await lookOnce(ctx, `not connected ${hours}`, (tx, stretch) => emitNotConnected(tx, hours, stretch))
  await reviewBills(ctx)
}

function lookOnce(ctx: Ctx, name: string, emit: (tx: Tx, stretch: Stretch) => Promise<void>): Promise<void> {
  return ctx.db.transaction().execute(async (tx) => {
    const through = ctx.now()
    const last = await lockLook(tx, name, through)
    if (last === undefined || last >= through) return
    await emit(tx, { after: new Date(Math.max(last.getTime(), through.getTime() - MADE_UP_MS)), through })
    await noteLook(tx, name, through)
  })
}

/** Days until the bill, which is negative once it is overdue. */
const BILLS: readonly [EventName, number][] = [
  ['crm.infra_billing_node_payment_in_7_days', 7],
  ['crm.infra_billing_node_payment_in_48hrs', 2],
  ['crm.infra_billing_node_payment_in_24hrs', 1],
  ['crm.infra_billing_node_payment_due_today', 0],
  ['crm.infra_billing_node_payment_overdue_24hrs', -1],
  ['crm.infra_billing_node_payment_overdue_48hrs', -2],
  ['crm.infra_billing_node_payment_overdue_7_days', -7],
]

/** Once a day in the afternoon. */
function reviewBills(ctx: Ctx): Promise<void> {
  return ctx.db.transaction().execute(async (tx) => {
    const [zone, now] = [await holdTimeZone(tx), ctx.now()]
    const last = await lockLook(tx, 'bills', now)
    const today = dayIn(zone, now)
    const isHour = (at: Date) => dateIn(zone, at).hour >= BILLS_HOUR
    if (last === undefined || !isHour(now) || (dayIn(zone, last) === today && isHour(last))) return
    for (const [event, days] of BILLS) await emitBills(tx, event, today, days)
    await noteLook(tx, 'bills', now)
  })
}

export async function reviewThresholds(ctx: Ctx): Promise<void> {
  if (!ctx.config.BANDWIDTH_USAGE_NOTIFICATIONS_ENABLED) return
  const thresholds = ctx.config.BANDWIDTH_USAGE_NOTIFICATIONS_THRESHOLD
  for (let passed = BATCH_SIZE; passed === BATCH_SIZE;) passed = await passThresholds(ctx.db, thresholds, BATCH_SIZE)
}

/** Bounds events by age and number. A reader that has not come so far is told that it was left behind. */
export async function forgetEvents(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - ctx.config.EVENT_RETENTION_DAYS * DAY_MS)
  for (let found = BATCH_SIZE; found === BATCH_SIZE;) found = await deleteOldEvents(ctx.db, before, MOST_EVENTS, BATCH_SIZE)
}

export const domainEventsJobs: RecurringJob[] = [
  { name: 'emitMoments', everyMs: 60_000, run: emitMoments },
  { name: 'reviewThresholds', everyMs: 300_000, run: reviewThresholds },
  { name: 'forgetEvents', everyMs: 3_600_000, run: forgetEvents },
]
