import { listNames, missingIn } from '../needed-tables.ts'
import type { SourceSchema } from '../remnawave/schema.ts'

// Tables by which a database of this panel is known. Version 2 has its clients inside the settings of inbounds.

const EVERY_VERSION = {
  inbounds: 'id port protocol settings stream_settings tag enable',
  client_traffics: 'email up down',
  settings: 'key value',
}
const SINCE_3 = {
  clients: 'id email sub_id uuid password total_gb expiry_time enable',
  client_inbounds: 'client_id inbound_id',
}
/** Tables that are read. */
export const XUI_TABLES = ['inbounds', 'clients', 'client_inbounds', 'client_traffics', 'settings'] as const
/** Tables of what people made that has no place here. */
const NOT_CARRIED = ['hosts', 'client_hwids', 'nodes', 'outbound_traffics', 'inbound_fallbacks']

export interface XuiSchema {
  version: '2.x' | '3.x'
  /** Tables whose rows have no place here. */
  notCarried: string[]
}

/** @throws Error that names what was found, when this is no database of a known version */
export function recognizeXui(found: SourceSchema): XuiSchema {
  const version = found.has('clients') ? '3.x' : '2.x'
  const missing = missingIn(found, version === '3.x' ? { ...EVERY_VERSION, ...SINCE_3 } : EVERY_VERSION)
  if (missing.length > 0)
    throw new Error(
      `This is no database of a known version of this panel: it has ${found.size} tables, and ${listNames(missing)} are missing. Nothing was changed.`,
    )
  return { version, notCarried: NOT_CARRIED.filter((table) => found.has(table)) }
}
