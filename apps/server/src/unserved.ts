/** Endpoints of the frozen wire that are not built yet. This list only shrinks; the server refuses to start when it is wrong. */
export const unserved: readonly string[] = [
  'createInfraBillingNode',
  'createInfraBillingRecord',
  'createInfraProvider',
  'deleteInfraBillingNode',
  'deleteInfraBillingRecord',
  'deleteInfraProvider',
  'getInfraProvider',
  'listInfraBillingHistory',
  'listInfraBillingNodes',
  'listInfraProviders',
  'updateInfraBillingNode',
  'updateInfraProvider',
]
