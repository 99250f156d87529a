import type { Db } from '../../src/db/driver/connect.ts'
import { listPluginIds } from '../../src/features/node-plugins/node-plugins.queries.ts'
import { insertTorrentReports } from '../../src/features/node-plugins/torrents.queries.ts'
import { isCutOffImmediate } from '../../src/ground/installation.queries.ts'
import { UNKNOWN } from '../users.ts'

const TORRENT = {
  id: UNKNOWN,
  username: 'nobody',
  ip: '198.51.100.1',
  at: '2026-03-03T10:00:00.000Z',
  isBlocked: true,
  blockSeconds: 60,
  match: {} as never, // no user of this name exists, so that it is not kept
}

/** What undoing, nodes that catch torrents, and users without access ask. */
export async function askOfPlugins(db: Db): Promise<void> {
  await isCutOffImmediate(db)
  await listPluginIds(db)
  await insertTorrentReports(db, 1, [TORRENT])
}
