import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { secretPurpose } from './sending.actions.ts'
import {
  deleteWebhookRow,
  insertWebhook,
  listEnvironmentWebhooks,
  lockEnvironment,
  resumeWebhook,
  setSecrets,
  updateWebhookRow,
} from './webhooks.queries.ts'

/** Makes the webhooks that the environment names, in the names of its generation, and removes those it names no more. */
export function adoptEnvironment(ctx: Ctx): Promise<void> {
  const { WEBHOOK_ENABLED, WEBHOOK_URL, WEBHOOK_SECRET_HEADER: secret } = ctx.config
  const urls = WEBHOOK_ENABLED && secret !== null ? [...new Set(WEBHOOK_URL)] : []
  return ctx.db.transaction().execute(async (tx) => {
    await lockEnvironment(tx)
    const held = await listEnvironmentWebhooks(tx)
    for (const { id } of held.filter(({ url }) => !urls.includes(url))) await deleteWebhookRow(tx, id)
    for (const url of urls) {
      const known = held.find((hook) => hook.url === url)
      if (known) await adopt(ctx, tx, known, secret ?? '')
      else await insertWebhook(tx, newHook(ctx, url, secret ?? ''), ctx.now())
    }
  })
}

function newHook(ctx: Ctx, url: string, secret: string) {
  const expiryNames = ctx.config.environmentExpiryNames
  const wrapped = ctx.secrets.wrap(secretPurpose, secret)
  return { name: new URL(url).host.slice(0, 60), url, events: null, expiryNames, secret: wrapped, isFromEnvironment: true }
}

async function adopt(
  ctx: Ctx,
  tx: Tx,
  hook: Awaited<ReturnType<typeof listEnvironmentWebhooks>>[number],
  secret: string,
): Promise<void> {
  const now = ctx.now()
  const expiryNames = ctx.config.environmentExpiryNames
  if (hook.expiryNames !== expiryNames) await updateWebhookRow(tx, hook.uuid, { expiryNames }, now)
  if (ctx.secrets.unwrap(secretPurpose, hook.secret) !== secret) {
    const wrapped = ctx.secrets.wrap(secretPurpose, secret)
    await setSecrets(tx, hook.id, { secret: wrapped, previousSecret: null, previousSecretEndsAt: null }, now)
  }
  // A server that starts anew has no other way to say that the receiver is back.
  await resumeWebhook(tx, hook.id, now)
}
