import * as api from '@causeway/contract'
import { runJobs } from './jobs.ts'
import type { TestServer } from './server.ts'

/** Uuids of what the changes are made to. */
type World = Record<
  'ann' | 'bob' | 'node' | 'plugin' | 'spare' | 'squad' | 'profile' | 'inbound' | 'host1' | 'host2' | 'external' | 'page',
  string
>

/** Changes by routes of later generations, for the walk that takes each of them back. */
export function laterChanges(at: () => { server: TestServer; world: World }): Record<string, () => Promise<unknown>> {
  return {
    bulkExtendUsers: async () => {
      await at().server.call(api.bulkExtendUsers, { uuids: [at().world.ann, at().world.bob], extendDays: 5 })
      await runJobs(at().server.ctx)
    },
    bulkExtendAllUsers: async () => {
      await at().server.call(api.bulkExtendAllUsers, { extendDays: 5 })
      await runJobs(at().server.ctx)
    },
    extendUser: () => at().server.call(api.extendUser, { uuid: at().world.ann, days: 5 }),
    setUserMetadata: () => at().server.call(api.setUserMetadata, { uuid: at().world.ann, metadata: { b: 1, a: 2.5 } }),
    setNodeMetadata: () => at().server.call(api.setNodeMetadata, { uuid: at().world.node, metadata: { b: 1, a: 2.5 } }),
    createNodePlugin: () => at().server.call(api.createNodePlugin, { name: 'Gate' }),
    cloneNodePlugin: () => at().server.call(api.cloneNodePlugin, { cloneFromUuid: at().world.plugin }),
    updateNodePlugin: () =>
      at().server.call(api.updateNodePlugin, {
        uuid: at().world.plugin,
        name: 'Rampart',
        pluginConfig: { ingressFilter: { enabled: true, blockedIps: ['ext:ads'] } },
      }),
    deleteNodePlugin: () => at().server.call(api.deleteNodePlugin, { uuid: at().world.plugin }),
    setNodePluginTags: () => at().server.call(api.setNodePluginTags, { uuid: at().world.plugin, tags: ['EU', 'A:1'] }),
    reorderNodePlugins: () =>
      at().server.call(api.reorderNodePlugins, { items: [{ uuid: at().world.plugin, viewPosition: 77 }] }),
    createSharedList: () =>
      at().server.call(api.createSharedList, { name: 'bots', config: { type: 'ipList', items: ['192.0.2.1'] } }),
    updateSharedList: () => at().server.call(api.updateSharedList, { name: 'ads', config: { type: 'ipList', items: [] } }),
    deleteSharedList: () => at().server.call(api.deleteSharedList, { name: 'ads' }),
    deleteSharedListByName: () => at().server.call(api.deleteSharedListByName, { name: 'ads' }),
    addManyUsersToInternalSquad: () =>
      at().server.call(api.addManyUsersToInternalSquad, { uuid: at().world.spare, userUuids: [at().world.ann, at().world.bob] }),
    removeManyUsersFromInternalSquad: () =>
      at().server.call(api.removeManyUsersFromInternalSquad, { uuid: at().world.squad, userUuids: [at().world.ann] }),
    setInternalSquadTags: () => at().server.call(api.setInternalSquadTags, { uuid: at().world.squad, tags: ['EU', 'A:1'] }),
    setConfigProfileTags: () => at().server.call(api.setConfigProfileTags, { uuid: at().world.profile, tags: ['EU', 'A:1'] }),
    setTemplateTags: async () => {
      const { uuid } = await at().server.call(api.getSubscriptionTemplate, { templateType: 'STASH' })
      await at().server.call(api.setTemplateTags, { uuid, tags: ['EU', 'A:1'] })
    },
    reorderInternalSquads: () =>
      at().server.call(api.reorderInternalSquads, { items: [{ uuid: at().world.squad, viewPosition: 77 }] }),
    reorderConfigProfiles: () =>
      at().server.call(api.reorderConfigProfiles, { items: [{ uuid: at().world.profile, viewPosition: 77 }] }),
    reorderSubscriptionTemplates: async () => {
      const { templates } = await at().server.call(api.listSubscriptionTemplates, {})
      await at().server.call(api.reorderSubscriptionTemplates, { items: [{ uuid: templates[0]?.uuid ?? '', viewPosition: 77 }] })
    },
    patchSubscriptionTemplate: async () => {
      const { uuid } = await at().server.call(api.getSubscriptionTemplate, { templateType: 'STASH' })
      await at().server.call(api.patchSubscriptionTemplate, { uuid, encodedTemplateYaml: 'cHJveGllczogW10=' })
    },
    createExternalSquad: () => at().server.call(api.createExternalSquad, { name: 'Guests' }),
    updateExternalSquad: async () => {
      const { uuid: templateUuid } = await at().server.call(api.getSubscriptionTemplate, { templateType: 'SINGBOX' })
      await at().server.call(api.updateExternalSquad, {
        uuid: at().world.external,
        name: 'Renamed',
        templates: [{ templateUuid, templateType: 'SINGBOX' }],
        subscriptionSettings: { randomizeHosts: true },
        hostOverrides: { vlessRouteId: 7 },
        responseHeadersAdd: { b: 'c' },
        responseHeadersRemove: ['d'],
        subpageConfigUuid: null,
      })
    },
    deleteExternalSquad: () => at().server.call(api.deleteExternalSquad, { uuid: at().world.external }),
    setExternalSquadTags: () => at().server.call(api.setExternalSquadTags, { uuid: at().world.external, tags: ['EU', 'A:1'] }),
    reorderExternalSquads: () =>
      at().server.call(api.reorderExternalSquads, { items: [{ uuid: at().world.external, viewPosition: 77 }] }),
    addUsersToExternalSquad: async () => {
      await at().server.call(api.addUsersToExternalSquad, { uuid: at().world.external })
      await runJobs(at().server.ctx)
    },
    removeUsersFromExternalSquad: () =>
      at().server.call(api.removeUsersFromExternalSquad, { uuid: at().world.external, userUuids: [at().world.ann] }),
    createPageConfig: () => at().server.call(api.createPageConfig, { name: 'Office' }),
    clonePageConfig: () => at().server.call(api.clonePageConfig, { cloneFromUuid: at().world.page }),
    updatePageConfig: () => at().server.call(api.updatePageConfig, { uuid: at().world.page, name: 'Kin', config: pageConfig }),
    setPageConfigTags: () => at().server.call(api.setPageConfigTags, { uuid: at().world.page, tags: ['EU', 'A:1'] }),
    deletePageConfig: () => at().server.call(api.deletePageConfig, { uuid: at().world.page }),
    reorderPageConfigs: () => at().server.call(api.reorderPageConfigs, { items: [{ uuid: at().world.page, viewPosition: 77 }] }),
    createSubscriptionTemplate: () => at().server.call(api.createSubscriptionTemplate, { name: 'Games', templateType: 'MIHOMO' }),
    makeTemplateDefault: async () => at().server.call(api.makeTemplateDefault, { uuid: await spareTemplate(at().server) }),
    deleteSubscriptionTemplate: async () =>
      at().server.call(api.deleteSubscriptionTemplate, { uuid: await spareTemplate(at().server) }),
    cloneHost: () => at().server.call(api.cloneHost, { cloneFromUuid: at().world.host1 }),
    bulkUpdateHosts: () =>
      at().server.call(api.bulkUpdateHosts, { uuids: [at().world.host1, at().world.host2], port: 77, nodes: [at().world.node] }),
    resetNodeTraffic: () => at().server.call(api.resetNodeTraffic, { uuid: at().world.node }),
    bulkNodesAction: () => at().server.call(api.bulkNodesAction, { uuids: [at().world.node], action: 'DISABLE' }),
    bulkNodesProfile: () =>
      at().server.call(api.bulkNodesProfile, {
        uuids: [at().world.node],
        configProfile: { activeConfigProfileUuid: at().world.profile, activeInbounds: [at().world.inbound] },
      }),
    bulkUpdateNodes: () => at().server.call(api.bulkUpdateNodes, { uuids: [at().world.node], fields: { countryCode: 'NL' } }),
  }
}

async function spareTemplate(server: TestServer): Promise<string> {
  const { templates } = await server.call(api.listSubscriptionTemplates, {})
  return templates.find(({ name }) => name === 'Spare')?.uuid ?? ''
}

const pageConfig = {
  version: '1',
  locales: ['en'],
  brandingSettings: { title: 'T', logoUrl: '', supportUrl: '' },
  uiConfig: { subscriptionInfoBlockType: 'hidden', installationGuidesBlockType: 'cards' },
  baseTranslations: {},
  svgLibrary: {},
  platforms: {},
}
