import { expect } from 'vitest'
import type { Writes } from '../declared.ts'
import { ADDED, DELETED, NOW, added, every } from '../rows.ts'

/** As they are stored. */
const parts = {
  subscriptionSettings: { profileTitle: 'Gold', randomizeHosts: true },
  hostOverrides: { serverDescription: 'for members', vlessRouteId: 7 },
  responseHeadersAdd: { 'x-squad': '{{USERNAME}}' },
  responseHeadersRemove: ['support-url'],
  hwidSettings: { enabled: true, fallbackDeviceLimit: 2, maxDevicesAnnounce: 'too many' },
  customRemarks: { expiredUsers: ['over'], limitedUsers: ['used up'], disabledUsers: ['off'], emptyHosts: ['nothing'] },
}
const page = { version: '1', locales: ['en'], brandingSettings: { title: 'T', logoUrl: '', supportUrl: '' } } as const
const config = {
  ...page,
  uiConfig: { subscriptionInfoBlockType: 'hidden', installationGuidesBlockType: 'cards' },
  baseTranslations: {},
  svgLibrary: {},
  platforms: {},
}
/** That of the product, whose content its own tests hold. */
const expectedPage: unknown = expect.objectContaining({ version: '1', svgLibrary: expect.any(Object) })
const ended = (total: number) => added({ status: 'done', done: total, total })

export const externalSquadWrites = {
  createExternalSquad: () => ({
    input: { name: 'staff' },
    changes: {
      externalSquads: { staff: added({ responseHeadersAdd: {}, responseHeadersRemove: [], viewPosition: 4, tags: [] }) },
      auditLog: { 'createExternalSquad staff': ADDED },
    },
  }),
  updateExternalSquad: ({ externalSquads, templates, pageConfigs }) => ({
    input: {
      uuid: externalSquads.trial,
      name: 'guests',
      ...parts,
      templates: [{ templateType: 'SINGBOX', templateUuid: templates['SINGBOX'] ?? '' }],
      subpageConfigUuid: pageConfigs.family,
    },
    changes: {
      externalSquads: { trial: { name: 'guests', ...parts, subpageConfigUuid: 'family', updatedAt: NOW } },
      externalSquadTemplates: { 'trial MIHOMO': DELETED, 'trial SINGBOX': added({ templateUuid: 'SINGBOX' }) },
      auditLog: { 'updateExternalSquad trial': ADDED },
    },
  }),
  setExternalSquadTags: ({ externalSquads }) => ({
    input: { uuid: externalSquads.vip, tags: ['EU'] },
    changes: { externalSquads: { vip: { tags: ['EU'] } }, auditLog: { 'updateExternalSquad vip': ADDED } },
  }),
  deleteExternalSquad: ({ externalSquads }) => ({
    input: { uuid: externalSquads.vip },
    changes: {
      externalSquads: { vip: DELETED },
      externalSquadTemplates: { 'vip MIHOMO': DELETED },
      users: { ann: { externalSquadUuid: null }, cat: { externalSquadUuid: null } },
      auditLog: { 'deleteExternalSquad vip': ADDED },
    },
  }),
  addUsersToExternalSquad: ({ externalSquads }) => ({
    input: { uuid: externalSquads.trial },
    changes: {
      users: every({ externalSquadUuid: 'trial', updatedAt: NOW }, ['ann', 'ben', 'cat', 'dan', 'dora', 'emil', 'eve', 'fay']),
      jobs: { addAllToExternalSquad: ended(9) },
      auditLog: {
        'addUsersToExternalSquad trial': added({ details: { jobId: 'addAllToExternalSquad', users: 9 } }),
        'addAllToExternalSquad 9 users': added({ details: { jobId: 'addAllToExternalSquad' } }),
      },
    },
  }),
  // Without a list every member leaves.
  removeUsersFromExternalSquad: ({ externalSquads }) => ({
    input: { uuid: externalSquads.vip },
    changes: {
      users: { ann: { externalSquadUuid: null, updatedAt: NOW }, cat: { externalSquadUuid: null, updatedAt: NOW } },
      jobs: { removeAllFromExternalSquad: ended(2) },
      auditLog: {
        'removeUsersFromExternalSquad vip': added({ details: { jobId: 'removeAllFromExternalSquad', users: 2 } }),
        'removeAllFromExternalSquad 2 users': added({ details: { jobId: 'removeAllFromExternalSquad' } }),
      },
    },
  }),
  reorderExternalSquads: ({ externalSquads }) => ({
    input: { items: [{ uuid: externalSquads.vip, viewPosition: 9 }] },
    changes: { externalSquads: { vip: { viewPosition: 9 } }, auditLog: { 'reorderExternalSquads 1 squads': ADDED } },
  }),
  createPageConfig: () => ({
    input: { name: 'office' },
    changes: {
      subscriptionPageConfigs: { office: added({ config: expectedPage, viewPosition: 4, tags: [] }) },
      auditLog: { 'createPageConfig office': ADDED },
    },
  }),
  clonePageConfig: ({ pageConfigs }) => ({
    input: { cloneFromUuid: pageConfigs.family },
    changes: {
      subscriptionPageConfigs: { 'family 2': added({ config: expectedPage, viewPosition: 4, tags: [] }) },
      auditLog: { 'clonePageConfig family 2': ADDED },
    },
  }),
  updatePageConfig: ({ pageConfigs }) => ({
    input: { uuid: pageConfigs.family, name: 'kin', config },
    changes: {
      subscriptionPageConfigs: { family: { name: 'kin', config, updatedAt: NOW } },
      auditLog: { 'updatePageConfig family': ADDED },
    },
  }),
  setPageConfigTags: ({ pageConfigs }) => ({
    input: { uuid: pageConfigs.family, tags: ['EU'] },
    changes: { subscriptionPageConfigs: { family: { tags: ['EU'] } }, auditLog: { 'updatePageConfig family': ADDED } },
  }),
  deletePageConfig: ({ pageConfigs }) => ({
    input: { uuid: pageConfigs.family },
    changes: {
      subscriptionPageConfigs: { family: DELETED },
      externalSquads: { vip: { subpageConfigUuid: null } },
      auditLog: { 'deletePageConfig family': ADDED },
    },
  }),
  reorderPageConfigs: ({ pageConfigs }) => ({
    input: { items: [{ uuid: pageConfigs.club, viewPosition: 9 }] },
    changes: {
      subscriptionPageConfigs: { club: { viewPosition: 9 } },
      auditLog: { 'reorderPageConfigs 1 configurations': ADDED },
    },
  }),
} satisfies Writes
