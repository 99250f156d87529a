import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { later, newOrder } from './generations.ts'
import { chosenUsers } from './internal-squads.ts'
import {
  headerName,
  hwidSettings,
  remarks,
  responseHeaders,
  subscriptionSettingsFields,
  type HwidSettings,
} from './subscription-settings.ts'
import { templateType } from './subscription-templates.ts'
import { userStatus } from './users.ts'
import { wireInstant, wireInt, wireList, wireName, wireText, wireUuid } from './wire.ts'

// Settings of the members of an external squad, in place of those of the installation. A user is in one or in none.

const someRemarks = remarks.refine((list) => list.length > 0, 'must have at least 1 entry')

/** Each member that is present replaces the one of the installation. Since 3.0 programs know the first three. */
export const squadSettings = subscriptionSettingsFields
  .pick({
    serveJsonAtBaseSubscription: true,
    isShowCustomRemarks: true,
    randomizeHosts: true,
    profileTitle: true,
    supportLink: true,
    profileUpdateInterval: true,
    isProfileWebpageUrlEnabled: true,
    happAnnounce: true,
    happRouting: true,
  })
  .partial()
export type SquadSettings = z.output<typeof squadSettings>

export const squadHostOverrides = z.object({
  serverDescription: wireText(30).nullable().optional(),
  vlessRouteId: wireInt.min(0, 'must be at least 0').max(65_535, 'must be at most 65535').nullable().optional(),
})
export type SquadHostOverrides = z.output<typeof squadHostOverrides>

/** Replaces the settings of the limit of devices as a whole. */
export const squadHwidSettings = hwidSettings
export type SquadHwidSettings = HwidSettings

/** Replaces the remarks as a whole. */
export const squadRemarks = z.object({
  expiredUsers: someRemarks,
  limitedUsers: someRemarks,
  disabledUsers: someRemarks,
  emptyHosts: someRemarks,
  emptyInternalSquads: someRemarks.optional().describe('up to 2.4; else as emptyHosts'),
  HWIDMaxDevicesExceeded: someRemarks.optional(),
  HWIDNotSupported: someRemarks.optional(),
})
export type SquadRemarks = z.output<typeof squadRemarks>

const squadTemplate = z.object({ templateUuid: wireUuid, templateType: z.enum([...templateType.options, 'XRAY_BASE64']) })

export const externalSquad = z.object({
  uuid: wireUuid,
  name: z.string(),
  info: z.object({ membersCount: z.number() }),
  templates: z.array(squadTemplate),
  subscriptionSettings: squadSettings.nullable(),
  hostOverrides: squadHostOverrides.nullable(),
  responseHeaders: z.record(z.string(), z.string()).nullable().describe('up to 2.8: those that are added'),
  responseHeadersAdd: z.record(z.string(), z.string()),
  responseHeadersRemove: z.array(z.string()),
  hwidSettings: squadHwidSettings.nullable(),
  customRemarks: squadRemarks.nullable(),
  subpageConfigUuid: wireUuid.nullable(),
  viewPosition: wireInt,
  tags: later('3.4', z.array(z.string())),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type ExternalSquad = z.output<typeof externalSquad>

/** The form of an answer: that of a client app, the page of a browser, or none where a response rule refuses. */
const answerKind = z.enum(['links', 'xray-json', 'mihomo', 'stash', 'clash', 'outline', 'sing-box', 'page', 'refused'])

const common = { since: '2.2', tag: 'External squads' } as const
const byUuid = z.object({ uuid: wireUuid })
const eventSent = z.object({ eventSent: z.boolean() }).extend({ jobId: z.string().optional() })
const all = z.object({ total: z.number(), externalSquads: z.array(externalSquad) })

export const listExternalSquads = endpoint({
  ...common,
  name: 'listExternalSquads',
  title: 'Get External Squads',
  access: 'squads.read',
  method: 'GET',
  path: '/api/external-squads',
  response: all,
})
export const getExternalSquad = endpoint({
  ...common,
  name: 'getExternalSquad',
  title: 'Get External Squad',
  access: 'squads.read',
  method: 'GET',
  path: '/api/external-squads/:uuid',
  params: byUuid,
  response: externalSquad,
})
export const createExternalSquad = endpoint({
  ...common,
  name: 'createExternalSquad',
  creates: true,
  title: 'Create External Squad',
  access: 'squads.write',
  method: 'POST',
  path: '/api/external-squads',
  body: z.object({ name: wireName }),
  response: externalSquad,
  status: 201,
})
const squadEdit = z.object({
  name: wireName.optional(),
  templates: wireList(squadTemplate, 100).optional(),
  subscriptionSettings: squadSettings.nullable().optional(),
  hostOverrides: squadHostOverrides.nullable().optional(),
  responseHeaders: responseHeaders.nullable().optional(),
  responseHeadersAdd: responseHeaders.optional(),
  responseHeadersRemove: wireList(headerName, 100).optional(),
  hwidSettings: squadHwidSettings.nullable().optional(),
  customRemarks: squadRemarks.nullable().optional(),
  subpageConfigUuid: wireUuid.nullable().optional(),
})
export type ExternalSquadEdit = z.output<typeof squadEdit>

export const updateExternalSquad = endpoint({
  ...common,
  name: 'updateExternalSquad',
  title: 'Update External Squad',
  access: 'squads.write',
  method: 'PATCH',
  path: '/api/external-squads',
  body: squadEdit.extend({ uuid: wireUuid }),
  response: externalSquad,
})
export const deleteExternalSquad = endpoint({
  ...common,
  name: 'deleteExternalSquad',
  title: 'Delete External Squad',
  access: 'squads.write',
  method: 'DELETE',
  path: '/api/external-squads/:uuid',
  params: byUuid,
  response: z.object({ isDeleted: z.boolean() }),
})
/** Without a body it adds every user, as of internal squads. Users leave the external squad that they were in. */
export const addUsersToExternalSquad = endpoint({
  ...common,
  name: 'addUsersToExternalSquad',
  userKeys: { userIds: 'userIds' },
  title: 'Add Users To External Squad',
  access: 'squads.write',
  method: 'POST',
  path: '/api/external-squads/:uuid/bulk-actions/add-users',
  params: byUuid,
  body: chosenUsers,
  response: eventSent,
})
export const removeUsersFromExternalSquad = endpoint({
  ...common,
  name: 'removeUsersFromExternalSquad',
  userKeys: { userIds: 'userIds' },
  title: 'Delete Users From External Squad',
  access: 'squads.write',
  method: 'DELETE',
  path: '/api/external-squads/:uuid/bulk-actions/remove-users',
  params: byUuid,
  body: chosenUsers,
  response: eventSent,
})
export const reorderExternalSquads = endpoint({
  ...common,
  since: '2.3',
  name: 'reorderExternalSquads',
  title: 'Reorder External Squads',
  access: 'squads.write',
  method: 'POST',
  path: '/api/external-squads/actions/reorder',
  body: newOrder,
  response: all,
})

const deviceLimit = z.number().nullable().describe('null: devices are not limited')

/** Effects of a change of a squad on subscriptions. */
export const externalSquadPlan = z.object({
  users: z.number().describe('with a subscription that it concerns: members, or users that become members'),
  active: z.number(),
  leaving: z
    .array(z.object({ uuid: wireUuid, name: z.string(), users: z.number() }))
    .describe('squads that users leave for this one'),
  isSample: z.boolean().describe('there was no user to compare the subscription of, so a sample user stands for one'),
  apps: z.number().describe('client apps that were compared'),
  changes: z
    .array(
      z.object({
        app: z.string(),
        platform: z.string(),
        before: answerKind,
        after: answerKind,
        headers: z.array(z.string()).describe('names of headers that differ'),
        isBodyChanged: z.boolean(),
      }),
    )
    .describe('client apps that get another answer'),
  statuses: z.array(userStatus).describe('of users without access: those who see other remarks'),
  devices: z
    .object({
      before: deviceLimit,
      after: deviceLimit,
      full: z.number().describe('active users with as many devices as they may then have, or more: a further one is refused'),
    })
    .nullable()
    .describe('null: the limit stays'),
  page: z
    .object({ before: z.string().nullable(), after: z.string().nullable() })
    .nullable()
    .describe('names of page configurations, null for the default; null as a whole: the page stays'),
})
export type ExternalSquadPlan = z.output<typeof externalSquadPlan>

/** Compares by the code that serves, and writes nothing. Own addition. */
export const planExternalSquad = endpoint({
  tag: common.tag,
  name: 'planExternalSquad',
  title: 'Plan External Squad',
  access: 'squads.read',
  method: 'POST',
  path: '/api/x/external-squads/:uuid/plan',
  params: byUuid,
  body: z.object({
    change: z.enum(['save', 'delete', 'addAll', 'removeAll']),
    edit: squadEdit.optional().describe('what a save sends'),
  }),
  response: externalSquadPlan,
})
