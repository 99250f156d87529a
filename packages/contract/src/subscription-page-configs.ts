import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { later } from './generations.ts'
import { wireInt, wireUuid } from './wire.ts'

// The page of subscribers in the form that separate page programs of later generations read. There is one, made of the
// installation's own page.

/** Of the page that every installation has. */
export const DEFAULT_PAGE_CONFIG = '00000000-0000-0000-0000-000000000000'

const tag = 'Subscription page configs'
const pageConfigEntry = z.object({
  uuid: wireUuid,
  viewPosition: wireInt,
  name: z.string(),
  config: z.unknown(),
  tags: later('3.4', z.array(z.string())),
})

export const listPageConfigs = endpoint({
  name: 'listPageConfigs',
  title: 'Get Subscription Page Configs',
  since: '2.4',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/subscription-page-configs',
  response: z.object({ total: z.number(), configs: z.array(pageConfigEntry) }),
})
export const getPageConfig = endpoint({
  name: 'getPageConfig',
  title: 'Get Subscription Page Config',
  since: '2.4',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/subscription-page-configs/:uuid',
  params: z.object({ uuid: wireUuid }),
  response: pageConfigEntry,
})
/** Which page a subscriber gets, and whether a browser gets one at all: what the page program asks for each visitor. */
export const getSubpageConfig = endpoint({
  name: 'getSubpageConfig',
  title: 'Get Subpage Config',
  since: '2.4',
  readsBody: true,
  tag,
  access: 'subscriptions.read',
  method: 'GET',
  path: '/api/subscriptions/subpage-config/:shortUuid',
  params: z.object({ shortUuid: z.string() }),
  body: z.object({ requestHeaders: z.record(z.string(), z.string()).optional() }),
  response: z.object({ subpageConfigUuid: wireUuid.nullable(), webpageAllowed: z.boolean() }),
})
