import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { templateType } from './subscription-templates.ts'

/** Which editor asks: that of subscription templates, or that of config profiles. */
export const catalogueKind = z.enum(['SUBSCRIPTION', 'XRAY_CORE'])
export type CatalogueKind = z.output<typeof catalogueKind>

/** Profiles are all of one type. */
export const catalogueType = z.enum([...templateType.options, 'XRAY_CORE'])
export type CatalogueType = z.output<typeof catalogueType>

export const catalogueEntry = z.object({
  name: z.string(),
  author: z.string(),
  type: catalogueType,
  url: z.string().describe('where its text is; shipped: for what comes with this server'),
  isOfficial: z.boolean().describe('comes with this server'),
})
export type CatalogueEntry = z.output<typeof catalogueEntry>

const tag = 'Template catalogue'

export const listTemplateCatalogue = endpoint({
  name: 'listTemplateCatalogue',
  title: 'List Template Catalogue',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/x/template-catalogue/:kind',
  params: z.object({ kind: catalogueKind }),
  response: z.object({
    entries: z.array(catalogueEntry),
    outside: z
      .enum(['off', 'loaded', 'failed'])
      .describe('whether the configured public catalogue could be read; off without one'),
  }),
})

export const readTemplateCatalogue = endpoint({
  name: 'readTemplateCatalogue',
  title: 'Read Template of Catalogue',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/x/template-catalogue/:kind/text',
  params: z.object({ kind: catalogueKind }),
  query: z.object({ url: z.string().max(2000).describe('of an entry of this catalogue, and of no other address') }),
  response: z.object({ text: z.string() }),
})
