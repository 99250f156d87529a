import { errors, eventName, type EventName } from '@causeway/contract'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { bodyOf } from './body.rules.ts'
import { findDeliveryDetails, listDeliveries } from './deliveries.queries.ts'
import { sampleBody, sampleEvent } from './samples.rules.ts'
import { headersOf, secretsOf, sendEvent } from './sending.actions.ts'
import {
  editWebhook,
  makeWebhook,
  removeWebhook,
  resendDelivery,
  resendFailed,
  rotateSecret,
  withoutPast,
} from './webhooks.actions.ts'
import { findSendingByUuid, findWebhook, listWebhooks } from './webhooks.queries.ts'

const PAGE_SIZE = 50
const TEST_EVENT: EventName = 'service.panel_started'

export function webhooksRoutes(ctx: Ctx): Route[] {
  return [
    on(api.listDomainEvents, async () => ({ events: eventName.options.map((event) => eventKind(ctx, event)) })),
    on(api.listWebhooks, async () => ({ webhooks: (await listWebhooks(ctx.db)).map((hook) => withoutPast(ctx, hook)) })),
    on(api.getWebhook, async ({ uuid }) => withoutPast(ctx, (await findWebhook(ctx.db, uuid)) ?? fail(errors.webhookNotFound))),
    on(api.createWebhook, (hook, caller) => makeWebhook(ctx, caller, hook)),
    on(api.updateWebhook, (edit, caller) => editWebhook(ctx, caller, edit)),
    on(api.deleteWebhook, ({ uuid }, caller) => removeWebhook(ctx, caller, uuid)),
    on(api.rotateWebhookSecret, (rotation, caller) => rotateSecret(ctx, caller, rotation)),
    on(api.testWebhook, ({ uuid }) => sendTest(ctx, uuid)),
    on(api.resendFailedDeliveries, ({ uuid }, caller) => resendFailed(ctx, caller, uuid)),
    on(api.listWebhookDeliveries, ({ start = 0, size = PAGE_SIZE, ...view }) => listDeliveries(ctx.db, { ...view, start, size })),
    on(api.getWebhookDelivery, ({ uuid }) => showDelivery(ctx, uuid)),
    on(api.resendWebhookDelivery, ({ uuid }, caller) => resendDelivery(ctx, caller, uuid)),
  ]
}

function eventKind({ config }: Ctx, event: EventName) {
  const isDue =
    (event !== 'user.expiration' || config.EXPIRATION_NOTIFICATIONS_ENABLED) &&
    (event !== 'user.not_connected' || config.NOT_CONNECTED_USERS_NOTIFICATIONS_ENABLED) &&
    (event !== 'user.bandwidth_usage_threshold_reached' || config.BANDWIDTH_USAGE_NOTIFICATIONS_ENABLED)
  return { event, body: sampleBody(event), isDue }
}

/** Sends a sample, also to a webhook that is paused, and gives what came of it. Nothing is kept. */
async function sendTest(ctx: Ctx, uuid: string) {
  const hook = (await findSendingByUuid(ctx.db, uuid)) ?? fail(errors.webhookNotFound)
  const event = { ...sampleEvent(TEST_EVENT), at: ctx.now(), data: JSON.stringify({ panelVersion: ctx.config.version }) }
  const { isNewSecret: _, ...outcome } = await sendEvent(ctx, hook, event, 1)
  return { ...outcome, body: bodyOf(event, hook.expiryNames) }
}

async function showDelivery(ctx: Ctx, uuid: string) {
  const delivery = (await findDeliveryDetails(ctx.db, uuid)) ?? fail(errors.webhookDeliveryNotFound)
  const { eventUuid, storedEvent, at, data, facts } = delivery
  const event = { uuid: eventUuid, event: storedEvent, at, data, facts: facts as { meta?: Record<string, number> } } // as it was published
  const body = bodyOf(event, delivery.expiryNames)
  return { ...delivery, body, headers: headersOf(event, body, secretsOf(ctx, delivery), Math.max(delivery.attempts, 1)) }
}
