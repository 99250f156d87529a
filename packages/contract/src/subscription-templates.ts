import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { saveReason } from './revisions.ts'
import { later, newOrder } from './generations.ts'
import { wireInt, wireObject, wireUuid } from './wire.ts'

export const templateType = z.enum(['STASH', 'SINGBOX', 'SINGBOX_LEGACY', 'MIHOMO', 'XRAY_JSON', 'CLASH'])
export type TemplateType = z.output<typeof templateType>

/** Content is in `encodedTemplateYaml` (base64) for STASH, MIHOMO and CLASH, in `templateJson` for the others. */
export const subscriptionTemplate = z.object({
  uuid: wireUuid,
  templateType,
  templateJson: z.unknown().nullable(),
  encodedTemplateYaml: z.string().nullable(),
  name: later('2.2', z.string()),
  viewPosition: later('2.3', wireInt),
  tags: later('3.4', z.array(z.string())),
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
  params: z.object({ templateType: z.union([templateType, wireUuid]).describe('since 2.2 also a uuid') }),
  response: subscriptionTemplate,
})
export const updateSubscriptionTemplate = endpoint({
  name: 'updateSubscriptionTemplate',
  title: 'Update Subscription Template',
  tag,
  access: 'settings.write',
  method: 'PUT',
  path: '/api/subscription-templates',
  body: z.object({
    templateType,
    templateJson: wireObject.optional(),
    encodedTemplateYaml: z.string().optional(),
    /** Own addition. */
    reason: saveReason,
  }),
  response: subscriptionTemplate,
})

const templates = z.object({ total: z.number(), templates: z.array(subscriptionTemplate) })

export const listSubscriptionTemplates = endpoint({
  name: 'listSubscriptionTemplates',
  title: 'Get Subscription Templates',
  since: '2.2',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/subscription-templates',
  response: templates,
})
export const patchSubscriptionTemplate = endpoint({
  name: 'patchSubscriptionTemplate',
  title: 'Update Subscription Template',
  since: '2.2',
  tag,
  access: 'settings.write',
  method: 'PATCH',
  path: '/api/subscription-templates',
  body: z.object({
    uuid: wireUuid,
    name: z.literal('Default', 'must be Default: each type has one template, of this name').optional(),
    templateJson: wireObject.optional(),
    encodedTemplateYaml: z.string().optional(),
  }),
  response: subscriptionTemplate,
})
export const reorderSubscriptionTemplates = endpoint({
  name: 'reorderSubscriptionTemplates',
  title: 'Reorder Subscription Templates',
  since: '2.3',
  tag,
  access: 'settings.write',
  method: 'POST',
  path: '/api/subscription-templates/actions/reorder',
  body: newOrder,
  response: templates,
})
