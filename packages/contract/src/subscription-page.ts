import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PAGE_LANGUAGES, PAGE_PLATFORMS, pageConfig } from './page-config.ts'
import { wireInstant, wireUrl } from './wire.ts'

/** Contents of the page behind a subscriber's link in a browser. */
const subscriptionPage = z.object({
  config: pageConfig,
  isPublished: z.boolean().describe('false: the page that comes with the product'),
  publishedAt: wireInstant.nullable(),
})
export type SubscriptionPage = z.output<typeof subscriptionPage>

const tag = 'Subscription page'

export const getSubscriptionPage = endpoint({
  name: 'getSubscriptionPage',
  title: 'Get Subscription Page',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/x/subscription-page',
  response: subscriptionPage,
})
export const publishSubscriptionPage = endpoint({
  name: 'publishSubscriptionPage',
  title: 'Publish Subscription Page',
  tag,
  access: 'settings.write',
  method: 'PUT',
  path: '/api/x/subscription-page',
  body: z.object({
    config: z.unknown(),
    basedOn: wireInstant.nullable().describe('publishedAt of what was edited; another one since is not overwritten'),
  }),
  response: subscriptionPage,
})
export const previewSubscriptionPage = endpoint({
  name: 'previewSubscriptionPage',
  title: 'Preview Subscription Page',
  tag,
  access: 'settings.read',
  method: 'POST',
  path: '/api/x/subscription-page/preview',
  body: z.object({ config: z.unknown(), language: z.enum(PAGE_LANGUAGES), platform: z.enum(PAGE_PLATFORMS) }),
  response: z.object({ html: z.string(), bytes: z.number() }),
})
export const fetchSubscriptionPage = endpoint({
  name: 'fetchSubscriptionPage',
  title: 'Load Subscription Page',
  tag,
  // A caller that may only read causes no outgoing request.
  access: 'settings.write',
  method: 'POST',
  path: '/api/x/subscription-page/fetch',
  body: z.object({ url: wireUrl.nullable().describe('null: the page that comes with the product') }),
  response: z.object({ config: z.unknown() }),
})
