import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireObject, wireUuid } from './wire.ts'

export const templateType = z.enum(['STASH', 'SINGBOX', 'SINGBOX_LEGACY', 'MIHOMO', 'XRAY_JSON', 'CLASH'])
export type TemplateType = z.output<typeof templateType>

/** Content is in `encodedTemplateYaml` (base64) for STASH, MIHOMO and CLASH, in `templateJson` for the others. */
export const subscriptionTemplate = z.object({
  uuid: wireUuid,
  templateType,
  templateJson: z.unknown().nullable(),
  encodedTemplateYaml: z.string().nullable(),
})
export type SubscriptionTemplate = z.output<typeof subscriptionTemplate>

const tag = 'Subscription templates'

export const getSubscriptionTemplate = endpoint({
  name: 'getSubscriptionTemplate',
  title: 'Get Subscription Template',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/subscription-templates/:templateType',
  params: z.object({ templateType }),
  response: subscriptionTemplate,
})
export const updateSubscriptionTemplate = endpoint({
  name: 'updateSubscriptionTemplate',
  title: 'Update Subscription Template',
  tag,
  access: 'settings.write',
  method: 'PUT',
  path: '/api/subscription-templates',
  body: z.object({ templateType, templateJson: wireObject.optional(), encodedTemplateYaml: z.string().optional() }),
  response: subscriptionTemplate,
})
