import type * as api from '@causeway/contract'
import type { World } from '../inhabitants.ts'
import type { Writes } from '../declared.ts'
import { ADDED, DELETED, added } from '../rows.ts'

/** Every field but the inbound, none of them as it is by itself. */
const fields = {
  remark: 'four',
  address: 'four.example.com',
  port: 444,
  path: '/four',
  sni: 'sni.example.com',
  host: 'host.example.com',
  alpn: 'h2',
  fingerprint: 'firefox',
  isDisabled: true,
  securityLayer: 'TLS',
  xHttpExtraParams: { x: 1 },
  muxParams: { m: 2 },
  sockoptParams: { s: 3 },
  serverDescription: 'the fourth',
  tag: 'NEW',
  tags: ['NEW', 'SECOND'] as string[],
  isHidden: true,
  overrideSniFromAddress: true,
  vlessRouteId: 4,
  shuffleHost: true,
  mihomoX25519: true,
  allowInsecure: true,
  keepSniBlank: true,
  excludeFromSubscriptionTypes: ['CLASH'] as api.ExcludedType[],
  finalMask: { f: 4 },
  pinnedPeerCertSha256: 'ab'.repeat(32),
  verifyPeerCertByName: 'cert.example',
  mihomoIpVersion: 'dual',
  mapper: { mihomo: [{ op: 'set', value: 1, to: 'five' }] } as api.HostMapper,
} as const
const { remark, ...named } = fields
const inboundOf = ({ profiles, inbounds }: World) => ({
  configProfileUuid: profiles.Side,
  configProfileInboundUuid: inbounds['S_SS'] ?? '',
})
const moved = { configProfileId: 'Side', configProfileInboundId: 'S_SS' }

export const hostWrites = {
  createHost: (world) => ({
    input: { ...fields, inbound: inboundOf(world), nodes: [world.nodes.beta, world.nodes.gamma] },
    changes: {
      hosts: { four: added({ ...named, ...moved, excludedInternalSquads: [], viewPosition: 4 }) },
      hostNodes: { 'four beta': ADDED, 'four gamma': ADDED },
      auditLog: { 'createHost four': ADDED },
    },
  }),
  cloneHost: ({ hosts }) => ({
    input: { cloneFromUuid: hosts.two },
    changes: {
      hosts: {
        'Clone of two': added({
          address: 'two.example.com',
          port: 8443,
          configProfileId: 'Side',
          configProfileInboundId: 'S_VLESS',
          isDisabled: true,
          securityLayer: 'DEFAULT',
          tag: 'ASIA',
          tags: ['ASIA'],
          excludedInternalSquads: [],
          excludeFromSubscriptionTypes: [],
          mapper: {},
          viewPosition: 4,
        }),
      },
      hostNodes: { 'Clone of two beta': ADDED },
      auditLog: { 'createHost Clone of two': ADDED },
    },
  }),
  updateHost: (world) => ({
    input: { uuid: world.hosts.one, ...fields, inbound: inboundOf(world), nodes: [world.nodes.alpha, world.nodes.beta] },
    changes: {
      hosts: { one: { ...named, ...moved, remark } },
      hostNodes: { 'one beta': ADDED, 'one delta': DELETED },
      auditLog: { 'updateHost one': ADDED },
    },
  }),
  deleteHost: ({ hosts }) => ({
    input: { uuid: hosts.two },
    changes: { hosts: { two: DELETED }, hostNodes: { 'two beta': DELETED }, auditLog: { 'deleteHost two': ADDED } },
  }),
  reorderHosts: ({ hosts }) => ({
    input: {
      hosts: [
        { uuid: hosts.two, viewPosition: 1 },
        { uuid: hosts.one, viewPosition: 2 },
      ],
    },
    changes: { hosts: { one: { viewPosition: 2 }, two: { viewPosition: 1 } }, auditLog: { 'reorderHosts 2 hosts': ADDED } },
  }),
  bulkEnableHosts: ({ hosts }) => ({
    before: ({ ctx: { db } }) => db.updateTable('hosts').set({ isDisabled: true }).execute(),
    input: { uuids: [hosts.one, hosts.two] },
    changes: {
      hosts: { one: { isDisabled: false }, two: { isDisabled: false } },
      auditLog: { 'bulkEnableHosts 2 hosts': ADDED },
    },
  }),
  bulkDisableHosts: ({ hosts }) => ({
    input: { uuids: [hosts.one, hosts.two] },
    changes: {
      hosts: { one: { isDisabled: true }, two: { isDisabled: true } },
      auditLog: { 'bulkDisableHosts 2 hosts': ADDED },
    },
  }),
  bulkDeleteHosts: ({ hosts }) => ({
    input: { uuids: [hosts.one, hosts.two] },
    changes: {
      hosts: { one: DELETED, two: DELETED },
      hostNodes: { 'one alpha': DELETED, 'one delta': DELETED, 'two beta': DELETED },
      auditLog: { 'bulkDeleteHosts 2 hosts': ADDED },
    },
  }),
  bulkSetHostsPort: ({ hosts }) => ({
    input: { uuids: [hosts.one, hosts.two], port: 9443 },
    changes: {
      hosts: { one: { port: 9443 }, two: { port: 9443 } },
      auditLog: { 'bulkSetHostsPort 2 hosts': ADDED },
    },
  }),
  bulkSetHostsInbound: (world) => ({
    input: { uuids: [world.hosts.one, world.hosts.two], ...inboundOf(world) },
    changes: {
      hosts: { one: moved, two: { configProfileInboundId: 'S_SS' } },
      auditLog: { 'bulkSetHostsInbound 2 hosts': ADDED },
    },
  }),
  bulkUpdateHosts: ({ hosts }) => ({
    input: { uuids: [hosts.one, hosts.two], port: 777, isHidden: true },
    changes: {
      hosts: { one: { port: 777, isHidden: true }, two: { port: 777, isHidden: true } },
      auditLog: { 'bulkUpdateHosts 2 hosts': ADDED },
    },
  }),
} satisfies Writes
