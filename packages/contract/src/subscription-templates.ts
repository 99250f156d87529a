import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { saveReason } from './revisions.ts'
import { later, newOrder } from './generations.ts'
import { wireInt, wireObject, wireText, wireUuid } from './wire.ts'

export const templateType = z.enum(['STASH', 'SINGBOX', 'SINGBOX_LEGACY', 'MIHOMO', 'XRAY_JSON', 'CLASH'])
export type TemplateType = z.output<typeof templateType>

/** Of the template that each type comes with. */
export const DEFAULT_TEMPLATE_NAME = 'Default'
const templateName = wireText(255)
  .min(2, 'must have at least 2 characters')
  .regex(
    /^[A-Za-z0-9_-](?:[A-Za-z0-9_ -]*[A-Za-z0-9_-])?$/,
    'may contain only letters, digits, underscores, dashes, and spaces between them',
  )

/** Content is in `encodedTemplateYaml` (base64) for STASH, MIHOMO and CLASH, in `templateJson` for the others. */
export const subscriptionTemplate = z.object({
  uuid: wireUuid,
  templateType,
  templateJson: z.unknown().nullable(),
  encodedTemplateYaml: z.string().nullable(),
  name: later('2.2', z.string()),
  /** Own addition. Each type has one default, which the routes by type address. */
  isDefault: later('2.2', z.boolean()),
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
    name: templateName.optional(),
    templateJson: wireObject.optional(),
    encodedTemplateYaml: z.string().optional(),
    /** Own addition. */
    reason: saveReason,
  }),
  response: subscriptionTemplate,
})
export const createSubscriptionTemplate = endpoint({
  name: 'createSubscriptionTemplate',
  creates: true,
  title: 'Create Subscription Template',
  since: '2.2',
  tag,
  access: 'settings.write',
  method: 'POST',
  path: '/api/subscription-templates',
  body: z.object({
    name: templateName,
    templateType: z.enum([...templateType.options, 'XRAY_BASE64']),
    copyOf: wireUuid.optional().describe('own addition: a template of the same type whose content the new one starts with'),
  }),
  response: subscriptionTemplate,
  status: 201,
})
export const deleteSubscriptionTemplate = endpoint({
  name: 'deleteSubscriptionTemplate',
  title: 'Delete Subscription Template',
  since: '2.2',
  tag,
  access: 'settings.write',
  method: 'DELETE',
  path: '/api/subscription-templates/:uuid',
  params: z.object({ uuid: wireUuid }),
  response: z.object({ isDeleted: z.boolean() }),
})
/** Own addition: the routes by type, and users without a choice of their own, follow at once. */
export const makeTemplateDefault = endpoint({
  name: 'makeTemplateDefault',
  title: 'Make Subscription Template Default',
  tag,
  access: 'settings.write',
  method: 'POST',
  path: '/api/x/subscription-templates/:uuid/default',
  params: z.object({ uuid: wireUuid }),
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
