import { computeProfile, isObject } from '@causeway/xray'
import type { Db } from '../../db/driver/connect.ts'
import { readSnippets } from '../config-profiles/computed.queries.ts'

/** Profiles as nodes get them: with snippets in their places. */
export async function listProfileConfigs(db: Db): Promise<{ name: string; config: unknown }[]> {
  const profiles = await db.selectFrom('configProfiles').select(['name', 'config']).orderBy('name').execute()
  const snippets = await readSnippets(db)
  return profiles.map(({ name, config }) => ({ name, config: isObject(config) ? computeProfile(config, snippets) : config }))
}
