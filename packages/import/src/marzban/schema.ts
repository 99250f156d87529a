import { listNames, missingIn } from '../needed-tables.ts'
import type { SourceSchema } from '../remnawave/schema.ts'

// Tables by which a database of Marzban, or of PasarGuard, which grew out of it, is known.

const EVERY = {
  users: 'id username status used_traffic data_limit data_limit_reset_strategy expire sub_revoked_at created_at note',
  hosts: 'remark address port inbound_tag',
  inbounds: 'id tag',
  jwt: 'secret_key',
  admins: 'id username',
}
const MARZBAN = {
  proxies: 'id user_id type settings',
  exclude_inbounds_association: 'proxy_id inbound_tag',
}
const PASARGUARD = {
  core_configs: 'id name config',
  groups: 'id name',
  users_groups_association: '',
  inbounds_groups_association: '',
}
const PASARGUARD_COLUMNS = { users: 'proxy_settings' }
/** Tables that are read. */
export const MARZBAN_TABLES = [
  'users',
  'proxies',
  'exclude_inbounds_association',
  'hosts',
  'inbounds',
  'jwt',
  'admins',
  'user_usage_logs',
  'next_plans',
  'core_configs',
  'groups',
  'users_groups_association',
  'inbounds_groups_association',
  'settings',
] as const
/** Tables of what people made that has no place here. */
const NOT_CARRIED = ['nodes', 'user_templates', 'notification_reminders', 'user_hwids', 'client_templates']

export interface MarzbanSchema {
  panel: 'marzban' | 'pasarguard'
  /** Tables whose rows have no place here. */
  notCarried: string[]
}

/** @throws Error that names what was found, when this is no database of a known version */
export function recognizeMarzban(found: SourceSchema): MarzbanSchema {
  const panel = found.has('core_configs') || found.has('groups') ? 'pasarguard' : 'marzban'
  const missing = [
    ...missingIn(found, EVERY),
    ...(panel === 'marzban' ? missingIn(found, MARZBAN) : missingIn(found, PASARGUARD)),
    ...(panel === 'pasarguard' && found.has('users') ? missingIn(found, PASARGUARD_COLUMNS) : []),
  ]
  if (missing.length > 0)
    throw new Error(
      `This is no database of a known version of this panel: it has ${found.size} tables, and ${listNames(missing)} are missing. Nothing was changed.`,
    )
  return { panel, notCarried: NOT_CARRIED.filter((table) => found.has(table)) }
}
