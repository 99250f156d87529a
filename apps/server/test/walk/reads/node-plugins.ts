import { byText, type Reads } from '../read.ts'

// Plugins of nodes, the lists that they use, and what nodes have caught.

const ADS = ['198.51.100.0/24']

export const nodePluginReads: Reads = {
  listNodePlugins: (held) => [
    {
      input: {},
      sees: ({ total, nodePlugins }) => [total, nodePlugins.map(({ uuid, nodes }) => [uuid, nodes?.map(({ name }) => name)])],
      is: [3, held.rows('nodePlugins').map(({ uuid, name }) => [uuid, name === 'wall' ? ['beta'] : []])],
    },
  ],
  getNodePlugin: (held) =>
    held.rows('nodePlugins').map(({ uuid, name, config }) => ({
      input: { uuid: String(uuid) },
      sees: (plugin) => [plugin.name, plugin.pluginConfig],
      is: [name, config],
    })),
  listSharedLists: (held) => [
    {
      input: {},
      sees: ({ sharedLists }) => sharedLists.map(({ name, type, itemsCount }) => [name, type, itemsCount]),
      is: held
        .rows('sharedLists')
        .map(({ name }) => [name, 'ipList', 1])
        .toSorted(([one], [other]) => byText(String(one), String(other))),
    },
  ],
  getSharedList: () => [{ input: { name: 'ads' }, sees: ({ config }) => config, is: { type: 'ipList', items: ADS } }],
  getSharedListByName: () => [{ input: { name: 'bots' }, sees: ({ config }) => config, is: { type: 'ipList', items: ADS } }],
  listTorrentReports: (held) => [
    {
      input: {},
      sees: ({ total, records }) => [total, records.map(({ id, report }) => [id, report.actionReport.ip])],
      is: [
        3,
        held
          .rows('torrentReports')
          .toSorted((one, other) => Number(other['id']) - Number(one['id']))
          .map(({ id, ip }) => [id, ip]),
      ],
    },
  ],
  getTorrentStats: (held) => [
    {
      input: {},
      sees: ({ stats, topUsers, topNodes }) => [stats.totalReports, stats.distinctUsers, topUsers.length, topNodes.length],
      is: [held.rows('torrentReports').length, 3, 3, 3],
    },
  ],
}
