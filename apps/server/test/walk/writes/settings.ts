import type { Writes } from '../declared.ts'
import { ADDED, DELETED, NOW, added } from '../rows.ts'

const settings = {
  profileTitle: 'Title',
  supportLink: 'https://support.example',
  profileUpdateInterval: 7,
  isProfileWebpageUrlEnabled: false,
  serveJsonAtBaseSubscription: true,
  addUsernameToBaseSubscription: true,
  isShowCustomRemarks: false,
  happAnnounce: 'announced',
  happRouting: 'happ://routing',
  expiredUsersRemarks: ['over'],
  limitedUsersRemarks: ['used up'],
  disabledUsersRemarks: ['off'],
  customResponseHeaders: { 'x-a': 'b' },
  randomizeHosts: true,
  responseRules: { version: '1' as const, rules: [] },
  emptyHostsRemarks: ['no hosts'],
  emptySquadsRemarks: ['no squads'],
  hwidExceededRemarks: ['too many'],
  hwidMissingRemarks: ['no id'],
  hwidSettings: { enabled: true, fallbackDeviceLimit: 3, maxDevicesAnnounce: 'three' },
}
const IN_2077 = '2077-01-01T00:00:00.000Z'

export const settingsWrites = {
  updateSubscriptionSettings: ({ settings: uuid }) => ({
    input: { uuid, ...settings, reason: 'why' },
    changes: {
      subscriptionSettings: { 'the only one': { ...settings, updatedAt: NOW } },
      revisions: {
        'responseRules the only one 1': added({
          at: NOW,
          actorKind: 'admin',
          actorName: 'admin',
          reason: 'why',
          content: '{\n  "version": "1",\n  "rules": []\n}',
        }),
      },
      auditLog: { 'updateSubscriptionSettings the only one': ADDED },
    },
  }),
  updateSubscriptionTemplate: () => ({
    input: { templateType: 'SINGBOX', templateJson: { log: { level: 'error' } } },
    changes: {
      subscriptionTemplates: { SINGBOX: { templateJson: { log: { level: 'error' } }, updatedAt: NOW } },
      revisions: {
        'template SINGBOX 3': added({
          at: NOW,
          actorKind: 'admin',
          actorName: 'admin',
          content: '{\n  "log": {\n    "level": "error"\n  }\n}',
        }),
      },
      auditLog: { 'updateSubscriptionTemplate SINGBOX': ADDED },
    },
  }),
  patchSubscriptionTemplate: ({ templates }) => ({
    input: { uuid: templates['SINGBOX'] ?? '', templateJson: { log: { level: 'error' } } },
    changes: {
      subscriptionTemplates: { SINGBOX: { templateJson: { log: { level: 'error' } }, updatedAt: NOW } },
      revisions: {
        'template SINGBOX 3': added({
          at: NOW,
          actorKind: 'admin',
          actorName: 'admin',
          content: '{\n  "log": {\n    "level": "error"\n  }\n}',
        }),
      },
      auditLog: { 'updateSubscriptionTemplate SINGBOX': ADDED },
    },
  }),
  patchPanelSettings: () => ({ input: { passwordSettings: { enabled: true } }, changes: {} }),
  setTemplateTags: ({ templates }) => ({
    input: { uuid: templates['SINGBOX'] ?? '', tags: ['EU'] },
    changes: { subscriptionTemplates: { SINGBOX: { tags: ['EU'] } }, auditLog: { 'updateSubscriptionTemplate SINGBOX': ADDED } },
  }),
  createSubscriptionTemplate: ({ templates }) => ({
    input: { name: 'Games', templateType: 'SINGBOX', copyOf: templates['SINGBOX'] ?? '' },
    changes: {
      subscriptionTemplates: {
        'SINGBOX Games': added({
          templateType: 'SINGBOX',
          name: 'Games',
          templateJson: { log: { level: 'warn' } },
          tags: [],
          viewPosition: 8,
        }),
      },
      revisions: {
        'template SINGBOX Games 1': added({
          at: NOW,
          actorKind: 'admin',
          actorName: 'admin',
          content: '{\n  "log": {\n    "level": "warn"\n  }\n}',
        }),
      },
      auditLog: { 'createSubscriptionTemplate SINGBOX Games': ADDED },
    },
  }),
  makeTemplateDefault: ({ spareTemplate: uuid }) => ({
    input: { uuid },
    changes: {
      subscriptionTemplates: {
        'MIHOMO spare': { isDefault: true, updatedAt: NOW },
        MIHOMO: { isDefault: false, updatedAt: NOW },
      },
      auditLog: { 'makeTemplateDefault MIHOMO spare': ADDED },
    },
  }),
  deleteSubscriptionTemplate: ({ spareTemplate: uuid }) => ({
    input: { uuid },
    changes: {
      subscriptionTemplates: { 'MIHOMO spare': DELETED },
      externalSquadTemplates: { 'vip MIHOMO': DELETED },
      auditLog: { 'deleteSubscriptionTemplate MIHOMO spare': ADDED },
    },
  }),
  reorderSubscriptionTemplates: ({ templates }) => ({
    input: {
      items: [
        { uuid: templates['SINGBOX'] ?? '', viewPosition: 101 },
        { uuid: templates['MIHOMO'] ?? '', viewPosition: 102 },
      ],
    },
    changes: {
      subscriptionTemplates: { SINGBOX: { viewPosition: 101 }, MIHOMO: { viewPosition: 102 } },
      auditLog: { 'reorderSubscriptionTemplates 2 templates': ADDED },
    },
  }),
  setUserMetadata: ({ users }) => ({
    input: { uuid: users.dan, metadata: { plan: 'gold' } },
    changes: { userMetadata: { dan: { metadata: { plan: 'gold' } } }, auditLog: { 'setUserMetadata dan': ADDED } },
  }),
  setNodeMetadata: ({ nodes }) => ({
    input: { uuid: nodes.alpha, metadata: { rack: 7 } },
    changes: { nodeMetadata: { alpha: added({ metadata: { rack: 7 } }) }, auditLog: { 'setNodeMetadata alpha': ADDED } },
  }),
  publishSubscriptionPage: () => ({
    input: { config: { ios: [], android: [], pc: [] }, basedOn: '2026-03-01T10:00:00.000Z' },
    changes: {
      subscriptionPages: {
        'the only one': { config: { ios: [], android: [], pc: [] }, publishedAt: NOW },
      },
      auditLog: { 'publishSubscriptionPage the only one': ADDED },
    },
  }),
  fetchSubscriptionPage: () => ({ input: { url: null }, changes: {} }),
  updateInstallation: () => ({
    input: { timeZone: 'Asia/Tokyo' },
    changes: {
      installation: { 'the only one': { timeZone: 'Asia/Tokyo', updatedAt: NOW } },
      auditLog: { 'updateInstallation the only one': ADDED },
    },
  }),
  createView: () => ({
    input: { page: 'users', name: 'mine', search: { sort: '-expireAt' } },
    changes: {
      savedViews: { mine: added({ page: 'users', search: { sort: '-expireAt' } }) },
      auditLog: { 'createView mine': ADDED },
    },
  }),
  updateView: ({ views }) => ({
    input: { uuid: views.all, name: 'everyone', search: { sort: 'username' } },
    changes: {
      savedViews: { all: { name: 'everyone', search: { sort: 'username' }, updatedAt: NOW } },
      auditLog: { 'updateView all': ADDED },
    },
  }),
  deleteView: ({ views }) => ({
    input: { uuid: views.all },
    changes: { savedViews: { all: DELETED }, auditLog: { 'deleteView all': ADDED } },
  }),
  createApiToken: () => ({
    input: { tokenName: 'fourth' },
    changes: { apiTokens: { fourth: added({ madeBy: 'admin' }) }, auditLog: { 'createApiToken fourth': ADDED } },
  }),
  createLimitedApiToken: () => ({
    input: { tokenName: 'fourth', expiresAt: IN_2077, permissions: ['users.read'], isShownOnce: true },
    changes: {
      apiTokens: { fourth: added({ expiresAt: IN_2077, permissions: ['users.read'], isShownOnce: true, madeBy: 'admin' }) },
      auditLog: { 'createApiToken fourth': ADDED },
    },
  }),
  updateApiToken: ({ tokens }) => ({
    input: { uuid: tokens.cli, tokenName: 'other', expiresAt: IN_2077, permissions: ['users.read', 'hosts.read'] },
    changes: {
      apiTokens: { cli: { tokenName: 'other', expiresAt: IN_2077, permissions: ['users.read', 'hosts.read'], updatedAt: NOW } },
      auditLog: { 'updateApiToken cli': ADDED },
    },
  }),
  deleteApiToken: ({ tokens }) => ({
    input: { uuid: tokens.cli },
    changes: { apiTokens: { cli: DELETED }, apiTokenUses: { cli: DELETED }, auditLog: { 'deleteApiToken cli': ADDED } },
  }),
} satisfies Writes
