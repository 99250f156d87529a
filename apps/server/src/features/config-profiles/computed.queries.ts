import { sql } from 'kysely'
import { computeProfile, isObject, snippetUses, type Snippets, type XrayObject } from '@causeway/xray'
import type { Db, Tx } from '../../db/driver/connect.ts'

/** Contents of all snippets, or of those of these names. */
export async function readSnippets(db: Db, names?: readonly string[]): Promise<Snippets> {
  if (names?.length === 0) return new Map()
  const all = db.selectFrom('snippets').select(['name', 'snippet'])
  const rows = await (names === undefined ? all : all.where('name', 'in', names)).execute()
  return new Map(rows.map(({ name, snippet }) => [name, snippet]))
}

/** Holds the snippets that a configuration names against changes, until its profile is saved. */
export async function holdSnippets(tx: Tx, config: XrayObject): Promise<void> {
  const names = namesIn(config)
  if (names.length === 0) return
  await tx.selectFrom('snippets').select('id').where('name', 'in', names).orderBy('id').forShare().execute()
}

/** As this node gets it: with the next content of a snippet where it has that before the others. */
export async function configOfNode(db: Db, nodeId: number, config: unknown): Promise<unknown> {
  if (!isObject(config)) return config
  const snippets = new Map(await readSnippets(db, namesIn(config)))
  const { rows } = await sql<{ name: string; snippet: unknown }>`
    select "name", "snippet" from "snippetsAhead" where "nodeId" = ${nodeId}
  `.execute(db)
  for (const { name, snippet } of rows) if (snippets.has(name)) snippets.set(name, snippet)
  return computeProfile(config, snippets)
}

/** As nodes get it: with snippets in their places. */
export async function computedConfig(db: Db, config: unknown): Promise<unknown> {
  return isObject(config) ? computeProfile(config, await readSnippets(db, namesIn(config))) : config
}

function namesIn(config: unknown): string[] {
  return [...new Set(snippetUses(config).map(({ name }) => name))]
}
