import { listTemplateCatalogue, readTemplateCatalogue, type CatalogueKind } from '@causeway/contract'
import { apiQuery } from '../../api/api-query.ts'

// Failures are told in the dialog, in the words of the specification.

export const catalogueQuery = (kind: CatalogueKind) => apiQuery(listTemplateCatalogue, { kind }, { quiet: true })

/** Read anew each time: those that come with the server make new secrets. */
export const catalogueTextQuery = (kind: CatalogueKind, url: string) =>
  apiQuery(readTemplateCatalogue, { kind, url }, { quiet: true, staleTime: 0 })
