import { errors, MOST_WEBHOOKS, ROTATION_OVERLAP_HOURS, type Input } from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { receiverProblem } from '../../lib/outgoing.ts'
import { randomText } from '../../lib/text/random-text.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { resendDeliveries, findDelivery } from './deliveries.queries.ts'
import { secretPurpose } from './sending.actions.ts'
import {
  countWebhooks,
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  lockWebhook,
  resumeWebhook,
  setSecrets,
  updateWebhookRow,
} from './webhooks.queries.ts'

const SECRET_LENGTH = 64
const HOUR_MS = 3_600_000

/** The secret is told here alone. @throws tooManyWebhooks */
export function makeWebhook(
  ctx: Ctx,
  caller: Caller,
  { secret = randomText(SECRET_LENGTH), ...given }: Input<typeof api.createWebhook>,
) {
  const fields = { name: given.name, url: given.url, events: given.events ?? null, expiryNames: given.expiryNames ?? 'new' }
  refuseAddress(ctx, fields.url)
  return write(ctx, caller, async (tx, record) => {
    if ((await countWebhooks(tx)) >= MOST_WEBHOOKS) fail(errors.tooManyWebhooks)
    const { id, uuid } = await insertWebhook(tx, { ...fields, secret: ctx.secrets.wrap(secretPurpose, secret) }, ctx.now())
    record({ action: 'createWebhook', target: uuid, rows: madeRows('webhook', [id]) })
    return { webhook: await findShownWebhook(ctx, tx, uuid), secret }
  })
}

/** Going on after a pause begins where it ended. @throws webhookNotFound, webhookOfEnvironment */
export function editWebhook(ctx: Ctx, caller: Caller, { uuid, ...edit }: Input<typeof api.updateWebhook>) {
  if (edit.url !== undefined) refuseAddress(ctx, edit.url)
  return write(ctx, caller, async (tx, record) => {
    const hook = (await lockWebhook(tx, uuid)) ?? fail(errors.webhookNotFound)
    const isDefinition = [edit.name, edit.url, edit.events, edit.expiryNames].some((value) => value !== undefined)
    if (hook.isFromEnvironment && isDefinition) fail(errors.webhookOfEnvironment)
    const rows = await watchRows(tx, 'webhook', [hook.id])
    await updateWebhookRow(tx, uuid, edit, ctx.now())
    if (edit.isPaused === false || (edit.url !== undefined && edit.url !== hook.url)) await resumeWebhook(tx, hook.id, ctx.now())
    record({ action: 'updateWebhook', target: uuid, rows })
    return findShownWebhook(ctx, tx, uuid)
  })
}

/** @throws webhookNotFound, webhookOfEnvironment */
export function removeWebhook(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const hook = (await lockWebhook(tx, uuid)) ?? fail(errors.webhookNotFound)
    if (hook.isFromEnvironment) fail(errors.webhookOfEnvironment)
    const rows = await watchRows(tx, 'webhook', [hook.id])
    await deleteWebhookRow(tx, hook.id)
    record({ action: 'deleteWebhook', target: uuid, rows })
    return { isDeleted: true }
  })
}

/** Both signatures are sent until the overlap ends; without one the old secret ends at once. @throws webhookNotFound, webhookOfEnvironment */
export function rotateSecret(
  ctx: Ctx,
  caller: Caller,
  {
    uuid,
    overlapHours = ROTATION_OVERLAP_HOURS.usual,
    secret = randomText(SECRET_LENGTH),
  }: Input<typeof api.rotateWebhookSecret>,
) {
  return write(ctx, caller, async (tx, record) => {
    const hook = (await lockWebhook(tx, uuid)) ?? fail(errors.webhookNotFound)
    if (hook.isFromEnvironment) fail(errors.webhookOfEnvironment)
    const rows = await watchRows(tx, 'webhook', [hook.id])
    const now = ctx.now()
    const isOverlap = overlapHours > 0
    const secrets = {
      secret: ctx.secrets.wrap(secretPurpose, secret),
      previousSecret: isOverlap ? hook.secret : null,
      previousSecretEndsAt: isOverlap ? new Date(now.getTime() + overlapHours * HOUR_MS) : null,
    }
    await setSecrets(tx, hook.id, secrets, now)
    record({ action: 'rotateWebhookSecret', target: uuid, rows })
    return { webhook: await findShownWebhook(ctx, tx, uuid), secret }
  })
}

/** @throws webhookNotFound */
export function resendFailed(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const hook = (await lockWebhook(tx, uuid)) ?? fail(errors.webhookNotFound)
    const deliveries = await resendDeliveries(tx, { webhookId: hook.id }, ctx.now())
    if (deliveries > 0) await resumeWebhook(tx, hook.id, ctx.now())
    record({ action: 'resendFailedDeliveries', target: uuid, details: { total: deliveries } })
    return { deliveries }
  })
}

/** @throws webhookDeliveryNotFound */
export function resendDelivery(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    if ((await resendDeliveries(tx, { uuid }, ctx.now())) === 0) fail(errors.webhookDeliveryNotFound)
    record({ action: 'resendWebhookDelivery', target: uuid })
    return (await findDelivery(tx, uuid)) ?? fail(errors.webhookDeliveryNotFound)
  })
}

/** An overlap that is over is none. */
async function findShownWebhook(ctx: Ctx, tx: Tx, uuid: string) {
  const hook = (await findWebhook(tx, uuid)) ?? fail(errors.webhookNotFound)
  return withoutPast(ctx, hook)
}

export function withoutPast<T extends { overlapEndsAt: Date | null }>(ctx: Ctx, hook: T): T {
  return hook.overlapEndsAt !== null && hook.overlapEndsAt <= ctx.now() ? { ...hook, overlapEndsAt: null } : hook
}

function refuseAddress({ config }: Ctx, address: string): void {
  const problem = receiverProblem(address, config.OUTGOING_PRIVATE_HOSTS)
  if (problem) refuseField('url', problem)
}
