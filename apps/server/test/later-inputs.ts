import { UNKNOWN } from './users.ts'

/** What calls about plugins of nodes are sent. */
export const pluginInputs = (at: () => { plugin: string; node: string }) => ({
  getNodePlugin: () => ({ uuid: at().plugin }),
  createNodePlugin: () => ({ name: 'new plugin' }),
  updateNodePlugin: () => ({ uuid: at().plugin, pluginConfig: {} }),
  cloneNodePlugin: () => ({ cloneFromUuid: at().plugin }),
  reorderNodePlugins: () => ({ items: [{ uuid: at().plugin, viewPosition: 1 }] }),
  syncNodePlugin: () => ({ uuid: at().plugin }),
  setNodePluginTags: () => ({ uuid: at().plugin, tags: [] }),
  deleteNodePlugin: () => ({ uuid: UNKNOWN }),
  executeNodePlugin: () => ({
    command: { command: 'recreateTables' },
    targetNodes: { target: 'specificNodes', nodeUuids: [at().node] },
  }),
  previewNodePlugin: () => ({ pluginConfig: {} }),
  getSharedList: () => ({ name: 'mark-list' }),
  getSharedListByName: () => ({ name: 'mark-list' }),
  createSharedList: () => ({ name: 'new-list', config: { type: 'ipList', items: [] } }),
  updateSharedList: () => ({ name: 'mark-list', config: { type: 'ipList', items: [] } }),
  syncSharedList: () => ({ name: 'mark-list' }),
  deleteSharedList: () => ({ name: 'no-list' }),
  deleteSharedListByName: () => ({ name: 'no-list' }),
})

/** The same about external squads. */
export const externalSquadInputs = (squad: () => string) => ({
  createExternalSquad: () => ({ name: 'new external' }),
  getExternalSquad: () => ({ uuid: squad() }),
  updateExternalSquad: () => ({ uuid: squad(), hostOverrides: { vlessRouteId: 1 } }),
  deleteExternalSquad: () => ({ uuid: UNKNOWN }),
  planExternalSquad: () => ({ uuid: squad(), change: 'delete' }),
  addUsersToExternalSquad: () => ({ uuid: squad(), userUuids: [UNKNOWN] }),
  removeUsersFromExternalSquad: () => ({ uuid: squad(), userUuids: [UNKNOWN] }),
  reorderExternalSquads: () => ({ items: [{ uuid: squad(), viewPosition: 1 }] }),
  listExternalSquadTags: () => ({}),
  setExternalSquadTags: () => ({ uuid: squad(), tags: [] }),
})
