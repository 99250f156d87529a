import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { later, newOrder } from './generations.ts'
import { wireInt, wireName, wireUuid } from './wire.ts'

// Pages of subscribers in the form that separate page programs of later generations read. The default is made of the installation's
// own page until it is changed here; members of an external squad may get another one.

/** Of the page that every installation has. */
export const DEFAULT_PAGE_CONFIG = '00000000-0000-0000-0000-000000000000'

const common = { since: '2.4', tag: 'Subscription page configs' } as const
const byUuid = z.object({ uuid: wireUuid })
const pageConfigEntry = z.object({
  uuid: wireUuid,
  viewPosition: wireInt,
  name: z.string(),
  config: z.unknown(),
  tags: later('3.4', z.array(z.string())),
})
export type PageConfigEntry = z.output<typeof pageConfigEntry>
const all = z.object({ total: z.number(), configs: z.array(pageConfigEntry) })

export const listPageConfigs = endpoint({
  ...common,
  name: 'listPageConfigs',
  title: 'Get Subscription Page Configs',
  access: 'settings.read',
  method: 'GET',
  path: '/api/subscription-page-configs',
  response: all,
})
export const getPageConfig = endpoint({
  ...common,
  name: 'getPageConfig',
  title: 'Get Subscription Page Config',
  access: 'settings.read',
  method: 'GET',
  path: '/api/subscription-page-configs/:uuid',
  params: byUuid,
  response: pageConfigEntry,
})
export const createPageConfig = endpoint({
  ...common,
  name: 'createPageConfig',
  creates: true,
  title: 'Create Subscription Page Config',
  access: 'settings.write',
  method: 'POST',
  path: '/api/subscription-page-configs',
  body: z.object({ name: wireName }),
  response: pageConfigEntry,
  status: 201,
})
export const updatePageConfig = endpoint({
  ...common,
  name: 'updatePageConfig',
  title: 'Update Subscription Page Config',
  access: 'settings.write',
  method: 'PATCH',
  path: '/api/subscription-page-configs',
  bodyMegabytes: 2,
  body: z.object({
    uuid: wireUuid,
    name: wireName.optional(),
    config: z.unknown().optional().describe('null for the default: the page of the builder again (own addition)'),
  }),
  response: pageConfigEntry,
})
export const deletePageConfig = endpoint({
  ...common,
  name: 'deletePageConfig',
  title: 'Delete Subscription Page Config',
  access: 'settings.write',
  method: 'DELETE',
  path: '/api/subscription-page-configs/:uuid',
  params: byUuid,
  response: z.object({ isDeleted: z.boolean() }),
})
export const clonePageConfig = endpoint({
  ...common,
  name: 'clonePageConfig',
  creates: true,
  title: 'Clone Subscription Page Config',
  access: 'settings.write',
  method: 'POST',
  path: '/api/subscription-page-configs/actions/clone',
  body: z.object({ cloneFromUuid: wireUuid }),
  response: pageConfigEntry,
})
export const reorderPageConfigs = endpoint({
  ...common,
  name: 'reorderPageConfigs',
  title: 'Reorder Subscription Page Configs',
  access: 'settings.write',
  method: 'POST',
  path: '/api/subscription-page-configs/actions/reorder',
  body: newOrder,
  response: all,
})
/** Which page a subscriber gets, and whether a browser gets one at all: what the page program asks for each visitor. */
export const getSubpageConfig = endpoint({
  ...common,
  name: 'getSubpageConfig',
  title: 'Get Subpage Config',
  readsBody: true,
  access: 'subscriptions.read',
  method: 'GET',
  path: '/api/subscriptions/subpage-config/:shortUuid',
  params: z.object({ shortUuid: z.string() }),
  body: z.object({ requestHeaders: z.record(z.string(), z.string()).optional() }),
  response: z.object({ subpageConfigUuid: wireUuid.nullable(), webpageAllowed: z.boolean() }),
})
