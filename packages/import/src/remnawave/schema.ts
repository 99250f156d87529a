// Tables and columns of the 2.1 generation, by which a database is known.

/** By table: columns that every version has, and those that later versions added and that have a place here. */
const tables: Record<string, { needed: string; later?: string; notCarried?: string }> = {
  admin: { needed: 'uuid username password_hash role created_at updated_at' },
  api_tokens: { needed: 'uuid token token_name created_at updated_at' },
  config_profile_inbounds: { needed: 'uuid profile_uuid tag type network security port raw_inbound' },
  config_profile_inbounds_to_nodes: { needed: 'config_profile_inbound_uuid node_uuid' },
  config_profiles: { needed: 'uuid name config created_at updated_at', later: 'view_position' },
  hosts: {
    needed:
      'uuid view_position remark address port path sni host alpn fingerprint is_disabled security_layer xhttp_extra_params config_profile_inbound_uuid config_profile_uuid server_description mux_params sockopt_params is_hidden tag override_sni_from_address',
    later: 'vless_route_id shuffle_host mihomo_x25519 allow_insecure',
  },
  hwid_user_devices: { needed: 'hwid user_uuid platform os_version device_model user_agent created_at updated_at' },
  infra_billing_history: { needed: 'uuid provider_uuid amount billed_at' },
  infra_billing_nodes: { needed: 'uuid node_uuid provider_uuid next_billing_at created_at updated_at' },
  infra_providers: { needed: 'uuid name favicon_link login_url created_at updated_at' },
  internal_squad_inbounds: { needed: 'internal_squad_uuid inbound_uuid' },
  internal_squad_members: { needed: 'internal_squad_uuid user_uuid' },
  internal_squads: { needed: 'uuid name created_at updated_at', later: 'view_position' },
  keygen: { needed: 'uuid priv_key pub_key created_at updated_at ca_cert ca_key client_cert client_key' },
  nodes: {
    needed:
      'uuid name address port is_connected is_connecting is_disabled is_node_online is_xray_running last_status_change last_status_message xray_version is_traffic_tracking_active traffic_reset_day traffic_limit_bytes traffic_used_bytes notify_percent cpu_count cpu_model total_ram created_at updated_at users_online view_position country_code consumption_multiplier xray_uptime active_config_profile_uuid provider_uuid node_version',
  },
  nodes_traffic_usage_history: { needed: 'node_uuid traffic_bytes reset_at id' },
  nodes_usage_history: { needed: 'node_uuid download_bytes upload_bytes total_bytes created_at updated_at' },
  nodes_user_usage_history: { needed: 'node_uuid user_uuid download_bytes upload_bytes total_bytes created_at updated_at' },
  subscription_settings: {
    needed:
      'uuid profile_title support_link profile_update_interval happ_announce happ_routing expired_users_remarks limited_users_remarks disabled_users_remarks created_at updated_at is_profile_webpage_url_enabled serve_json_at_base_subscription add_username_to_base_subscription is_show_custom_remarks custom_response_headers randomize_hosts',
  },
  subscription_templates: { needed: 'uuid template_type template_yaml template_json created_at updated_at' },
  user_traffic_history: { needed: 'user_uuid used_bytes reset_at id' },
  users: {
    needed:
      'uuid short_uuid username status used_traffic_bytes traffic_limit_bytes traffic_limit_strategy sub_last_user_agent sub_last_opened_at expire_at online_at sub_revoked_at last_traffic_reset_at trojan_password vless_uuid ss_password created_at updated_at lifetime_used_traffic_bytes description email telegram_id hwid_device_limit tag first_connected_at last_triggered_threshold last_connected_node_uuid',
    later: 't_id',
    notCarried: 'external_squad_uuid',
  },
}
/** Tables of later versions whose rows come over. */
const laterTables: Record<string, string> = {
  hosts_to_nodes: 'host_uuid node_uuid',
  user_subscription_request_history: 'id user_uuid request_ip user_agent request_at',
}
/** What the source's own tools keep. */
const BESIDE = new Set(['_prisma_migrations'])

const wordsOf = (text = ''): string[] => text.split(' ').filter(Boolean)

export type SourceSchema = ReadonlyMap<string, readonly string[]>

export interface KnownSchema {
  version: string
  /** Columns to read, by table. */
  columns: Map<string, string[]>
  /** Tables that have no place here. */
  unknownTables: string[]
  /** Columns that are known and have no place here. */
  notCarried: { table: string; column: string }[]
}

/** @throws Error that names what was found, when this is no database of a known version */
export function recognizeSchema(found: SourceSchema): KnownSchema {
  const known: KnownSchema = { version: '', columns: new Map(), unknownTables: [], notCarried: [] }
  const [missing, unknown]: [string[], string[]] = [[], []]
  for (const [table, { needed, later, notCarried }] of Object.entries(tables)) {
    const columns = found.get(table)
    if (!columns) {
      missing.push(table)
      continue
    }
    const [must, may, left] = [wordsOf(needed), wordsOf(later), wordsOf(notCarried)]
    missing.push(...must.filter((column) => !columns.includes(column)).map((column) => `${table}.${column}`))
    for (const column of columns) {
      if (left.includes(column)) known.notCarried.push({ table, column })
      else if (!must.includes(column) && !may.includes(column)) unknown.push(`${table}.${column}`)
    }
    known.columns.set(
      table,
      columns.filter((column) => must.includes(column) || may.includes(column)),
    )
  }
  if (missing.length > 0 || unknown.length > 0) throw new Error(refusal(found, missing, unknown))
  for (const [table, columns] of found) {
    const later = laterTables[table]
    if (later !== undefined && wordsOf(later).every((column) => columns.includes(column)))
      known.columns.set(table, wordsOf(later))
    else if (!(table in tables) && !BESIDE.has(table)) known.unknownTables.push(table)
  }
  known.version = versionOf(known)
  return known
}

function versionOf({ columns, notCarried }: KnownSchema): string {
  if (notCarried.length > 0) return '2.2'
  if (columns.has('hosts_to_nodes')) return '2.1.5 to 2.1.19'
  return columns.get('users')?.includes('t_id') ? '2.1.4' : '2.1.0 to 2.1.3'
}

const MOST_NAMED = 12

function refusal(found: SourceSchema, missing: string[], unknown: string[]): string {
  if (!found.has('users') || !found.has('config_profiles'))
    return `This is no database of the 2.x generation: it has ${found.size} tables, and ${listed(missing)} are missing.`
  const parts = [
    ...(missing.length > 0 ? [`${listed(missing)} missing`] : []),
    ...(unknown.length > 0 ? [`${listed(unknown)} unknown`] : []),
  ]
  return `This database belongs to a version that cannot be imported, newer than 2.2 or changed by hand: ${parts.join('; ')}. Nothing was changed.`
}

function listed(names: string[]): string {
  const more = names.length - MOST_NAMED
  return names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
