import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { hostFields } from './hosts.ts'
import { subscriptionSettingsFields } from './subscription-settings.ts'
import { templateType } from './subscription-templates.ts'
import { clientType } from './subscriptions.ts'
import { userStatus } from './users.ts'
import { wireList, wireObject, wireText, wireUuid } from './wire.ts'

const MAX_HOSTS = 100

/** Reasons why a subscription leaves out a host. */
export const leftOutReason = z
  .enum(['status', 'device', 'noSquad', 'disabled', 'hidden', 'noInbound', 'unusable', 'format', 'onlyFirst'])
  .describe(
    'status: remarks stand in place of hosts; device: refused; noSquad: of no squad of the user; noInbound: leads nowhere; ' +
      'unusable: an inbound that takes no users; format: this app has no words for it; onlyFirst: this app takes one',
  )
export type LeftOutReason = z.output<typeof leftOutReason>

const templateDraft = z.object({
  uuid: wireUuid.optional().describe('the template it is of; absent: the default of its type'),
  templateType,
  templateJson: wireObject.optional(),
  encodedTemplateYaml: z.string().optional(),
})

/** The answer that a client app would receive, made by the same code. Stores nothing, counts no request, touches no device. */
export const previewSubscription = endpoint({
  name: 'previewSubscription',
  title: 'Preview Subscription',
  tag: 'Subscriptions',
  access: 'subscriptions.read',
  method: 'POST',
  path: '/api/x/subscriptions/preview',
  bodyMegabytes: 4,
  body: z.object({
    userUuid: wireUuid.optional().describe('absent: a sample user, who is in every squad'),
    externalSquadUuid: wireUuid.nullable().optional().describe('as if the user were in this external squad, or in none'),
    status: userStatus.optional().describe('as if the user had this status'),
    userAgent: wireText(1000).describe('how the app names itself'),
    clientType: clientType.optional().describe('the format that the address names, if it does'),
    hwid: wireText(1000).optional().describe('how the app names its device'),
    wantsPage: z.boolean().optional().describe('as if a browser asked'),
    acceptLanguage: wireText(200).optional(),
    settings: subscriptionSettingsFields.partial().optional().describe('settings that are not saved'),
    templates: wireList(templateDraft, templateType.options.length).optional().describe('templates that are not saved'),
    hosts: wireList(hostFields.partial().extend({ uuid: wireUuid.optional() }), MAX_HOSTS)
      .optional()
      .describe('hosts that are not saved: changes of those named, new ones behind all others'),
  }),
  response: z.object({
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    bytes: z.number(),
    format: z.enum(['links', 'xray-json', 'mihomo', 'stash', 'clash', 'outline', 'sing-box', 'page', 'nothing']),
    device: z
      .enum(['unlimited', 'known', 'new', 'unnamed', 'tooMany'])
      .describe('how the device stands: the last two are refused and get an empty subscription'),
    rule: z
      .object({ name: z.string().nullable().describe('null: none matches'), type: z.string() })
      .nullable()
      .optional()
      .describe('of the response rules, which one chose the answer; null: none are stored, or the address names the format'),
    servers: z.array(
      z.object({
        hostUuid: wireUuid.nullable().describe('null: a text in place of hosts, or a host that is not saved'),
        remark: z.string(),
        address: z.string(),
        port: z.number(),
        protocol: z.string(),
        network: z.string(),
        security: z.string(),
      }),
    ),
    leftOut: z.array(z.object({ hostUuid: wireUuid.nullable(), remark: z.string(), reason: leftOutReason })),
  }),
})
