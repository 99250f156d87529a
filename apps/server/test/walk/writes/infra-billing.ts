import type { Writes } from '../declared.ts'
import { ADDED, DELETED, NOW, added } from '../rows.ts'

const IN_2077 = '2077-01-01T00:00:00.000Z'
const links = { faviconLink: 'https://new.example/icon', loginUrl: 'https://new.example/login' }

export const infraBillingWrites = {
  createInfraProvider: () => ({
    input: { name: 'Dune', ...links },
    changes: { infraProviders: { Dune: added(links) }, auditLog: { 'createInfraProvider Dune': ADDED } },
  }),
  updateInfraProvider: ({ providers }) => ({
    input: { uuid: providers.acme, name: 'Apex', ...links },
    changes: {
      infraProviders: { acme: { name: 'Apex', ...links, updatedAt: NOW } },
      auditLog: { 'updateInfraProvider acme': ADDED },
    },
  }),
  deleteInfraProvider: ({ providers }) => ({
    input: { uuid: providers.acme },
    changes: {
      infraProviders: { acme: DELETED },
      infraBillingNodes: { 'acme alpha': DELETED, 'acme beta': DELETED },
      infraBillingRecords: { 'acme 10': DELETED, 'acme 20.5': DELETED },
      nodes: { alpha: { providerId: null }, beta: { providerId: null } },
      auditLog: { 'deleteInfraProvider acme': ADDED },
    },
  }),
  createInfraBillingNode: ({ providers, nodes }) => ({
    input: { providerUuid: providers.core, nodeUuid: nodes.alpha, nextBillingAt: IN_2077 },
    changes: {
      infraBillingNodes: { 'core alpha': added({ nextBillingAt: IN_2077, nextBillingOn: '2077-01-01', billingDay: 1 }) },
      auditLog: { 'createInfraBillingNode core alpha': ADDED },
    },
  }),
  updateInfraBillingNode: ({ bills }) => ({
    input: { uuid: bills['acme beta'] ?? '', nextBillingAt: IN_2077 },
    changes: {
      infraBillingNodes: { 'acme beta': { nextBillingAt: IN_2077, nextBillingOn: '2077-01-01', updatedAt: NOW } },
      auditLog: { 'updateInfraBillingNode acme beta': ADDED },
    },
  }),
  deleteInfraBillingNode: ({ bills }) => ({
    input: { uuid: bills['acme beta'] ?? '' },
    changes: { infraBillingNodes: { 'acme beta': DELETED }, auditLog: { 'deleteInfraBillingNode acme beta': ADDED } },
  }),
  createInfraBillingRecord: ({ providers }) => ({
    input: { providerUuid: providers.bolt, amount: 12.34, billedAt: IN_2077 },
    changes: {
      infraBillingRecords: { 'bolt 12.34': added({ billedAt: IN_2077, billedOn: '2077-01-01' }) },
      auditLog: { 'createInfraBillingRecord bolt 12.34': ADDED },
    },
  }),
  deleteInfraBillingRecord: ({ payments }) => ({
    input: { uuid: payments['acme 10'] ?? '' },
    changes: { infraBillingRecords: { 'acme 10': DELETED }, auditLog: { 'deleteInfraBillingRecord acme 10': ADDED } },
  }),
} satisfies Writes
