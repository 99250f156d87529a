// Tables and columns of the 2.x and 3.x generations, by which a database is known.

interface Known {
  /** Columns that every version has; where names changed, one of several: `uuid|id`. */
  needed: string
  /** Columns of some versions. */
  some?: string
  /** Columns without a place here. */
  left?: string
  /** Not in every version. */
  isOptional?: true
}

const totals = 'used_traffic_bytes lifetime_used_traffic_bytes online_at first_connected_at last_connected_node_uuid'
const tables: Record<string, Known> = {
  admin: { needed: 'uuid username password_hash role created_at updated_at' },
  api_tokens: { needed: 'uuid token|scopes token_name|name created_at updated_at', some: 'expire_at' },
  config_profile_inbounds: { needed: 'uuid profile_uuid tag type network security port raw_inbound' },
  config_profile_inbounds_to_nodes: { needed: 'config_profile_inbound_uuid node_uuid' },
  config_profiles: { needed: 'uuid name config created_at updated_at', some: 'view_position tags' },
  config_profile_snippets: { needed: 'name snippet created_at', some: 'updated_at', isOptional: true },
  external_squads: {
    needed: 'uuid name created_at updated_at',
    some: 'view_position tags subscription_settings host_overrides response_headers response_headers_add response_headers_remove hwid_settings custom_remarks subpage_config_uuid',
    isOptional: true,
  },
  external_squads_templates: { needed: 'external_squad_uuid template_uuid template_type', isOptional: true },
  hosts: {
    needed:
      'uuid view_position remark address port path sni host alpn fingerprint is_disabled security_layer xhttp_extra_params config_profile_inbound_uuid config_profile_uuid server_description mux_params sockopt_params is_hidden tag|tags override_sni_from_address',
    some: 'vless_route_id shuffle_host mihomo_x25519 allow_insecure xray_json_template_uuid keep_sni_blank exclude_from_subscription_types final_mask pinned_peer_cert_sha256 verify_peer_cert_by_name mihomo_ip_version mapper internal_squads_mode',
  },
  hosts_to_nodes: { needed: 'host_uuid node_uuid', isOptional: true },
  hwid_user_devices: {
    needed: 'hwid user_uuid|user_id platform os_version device_model user_agent created_at updated_at',
    left: 'request_ip',
  },
  infra_billing_history: { needed: 'uuid provider_uuid amount billed_at' },
  infra_billing_nodes: { needed: 'uuid node_uuid provider_uuid next_billing_at created_at updated_at', some: 'name' },
  infra_providers: { needed: 'uuid name favicon_link login_url created_at updated_at' },
  internal_squad_host_exclusions: { needed: 'host_uuid squad_uuid', isOptional: true },
  internal_squad_host_links: { needed: 'host_uuid squad_uuid', isOptional: true },
  internal_squad_inbounds: { needed: 'internal_squad_uuid inbound_uuid' },
  internal_squad_members: { needed: 'internal_squad_uuid user_uuid|user_id' },
  internal_squads: { needed: 'uuid name created_at updated_at', some: 'view_position tags' },
  keygen: { needed: 'uuid priv_key pub_key created_at updated_at ca_cert ca_key client_cert client_key' },
  node_meta: { needed: 'node_id metadata', isOptional: true },
  node_plugin: { needed: 'uuid name plugin_config created_at updated_at', some: 'view_position tags', isOptional: true },
  nodes: {
    needed:
      'uuid name address port is_connected is_connecting is_disabled last_status_change last_status_message is_traffic_tracking_active traffic_reset_day traffic_limit_bytes traffic_used_bytes notify_percent created_at updated_at view_position country_code consumption_multiplier active_config_profile_uuid provider_uuid',
    some: 'id is_node_online is_xray_running xray_version cpu_count cpu_model total_ram users_online xray_uptime node_version tags note ips active_plugin_uuid proxy_url node_consumption_multiplier integration_uuids',
  },
  nodes_traffic_usage_history: { needed: 'node_uuid traffic_bytes reset_at id', isOptional: true },
  nodes_usage_history: { needed: 'node_uuid download_bytes upload_bytes total_bytes created_at updated_at' },
  nodes_user_usage_history: {
    needed: 'node_uuid|node_id user_uuid|user_id total_bytes created_at updated_at',
    some: 'download_bytes upload_bytes',
  },
  shared_lists: { needed: 'name config created_at updated_at', isOptional: true },
  subscription_page_config: { needed: 'uuid name config created_at updated_at', some: 'view_position tags', isOptional: true },
  subscription_settings: {
    needed:
      'uuid serve_json_at_base_subscription is_show_custom_remarks custom_response_headers randomize_hosts expired_users_remarks|custom_remarks created_at updated_at',
    some: 'profile_title support_link profile_update_interval is_profile_webpage_url_enabled happ_announce happ_routing limited_users_remarks disabled_users_remarks add_username_to_base_subscription response_rules hwid_settings',
  },
  subscription_templates: {
    needed: 'uuid template_type template_yaml template_json created_at updated_at',
    some: 'name view_position tags',
  },
  user_meta: { needed: 'user_id metadata', isOptional: true },
  user_subscription_request_history: {
    needed: 'id user_uuid|user_id request_ip user_agent request_at',
    some: 'srr_rule_name srr_response_type',
    isOptional: true,
  },
  user_traffic: { needed: `t_id|id ${totals}`, isOptional: true },
  user_traffic_history: { needed: 'user_uuid used_bytes reset_at id', isOptional: true },
  users: {
    needed:
      'uuid|id short_uuid username status traffic_limit_bytes traffic_limit_strategy expire_at sub_revoked_at last_traffic_reset_at trojan_password vless_uuid ss_password created_at updated_at description email telegram_id hwid_device_limit tag last_triggered_threshold',
    some: `t_id sub_last_user_agent sub_last_opened_at external_squad_uuid ${totals}`,
  },
}
/** Tables of the source's own tools. */
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
  for (const [table, { needed, some, left, isOptional = false }] of Object.entries(tables)) {
    const columns = found.get(table)
    if (!columns) {
      if (!isOptional) missing.push(table)
      continue
    }
    const choices = wordsOf(needed).map((words) => words.split('|'))
    const [read, notRead] = [new Set([...choices.flat(), ...wordsOf(some)]), new Set(wordsOf(left))]
    for (const names of choices) if (!names.some((name) => columns.includes(name))) missing.push(`${table}.${names.join(' or ')}`)
    unknown.push(...columns.filter((column) => !read.has(column) && !notRead.has(column)).map((column) => `${table}.${column}`))
    known.notCarried.push(...columns.filter((column) => notRead.has(column)).map((column) => ({ table, column })))
    known.columns.set(
      table,
      columns.filter((column) => read.has(column)),
    )
  }
  // Used bytes stand with the users, or in a table of their own.
  if (found.has('users') && !found.has('user_traffic'))
    missing.push(
      ...wordsOf(totals)
        .filter((column) => !found.get('users')?.includes(column))
        .map((column) => `users.${column}`),
    )
  if (missing.length > 0 || unknown.length > 0) throw new Error(refusal(found, missing, unknown))
  known.unknownTables = [...found.keys()].filter((table) => !(table in tables) && !BESIDE.has(table))
  known.version = versionOf(known)
  return known
}

function versionOf({ columns }: KnownSchema): string {
  const has = (table: string, column?: string) =>
    column === undefined ? columns.has(table) : (columns.get(table)?.includes(column) ?? false)
  if (!has('users', 'uuid')) {
    if (has('internal_squad_host_links')) return '3.4'
    return has('hosts', 'mapper') ? '3.3' : '3.0 to 3.2'
  }
  if (has('user_traffic')) {
    if (has('user_meta')) return '2.7 and 2.8'
    return has('subscription_page_config') ? '2.4 to 2.6' : '2.3'
  }
  if (has('users', 'external_squad_uuid')) return '2.2'
  if (has('hosts_to_nodes')) return '2.1.5 to 2.1.19'
  return has('users', 't_id') ? '2.1.4' : '2.1.0 to 2.1.3'
}

const MOST_NAMED = 12

function refusal(found: SourceSchema, missing: string[], unknown: string[]): string {
  if (!found.has('users') || !found.has('config_profiles'))
    return `This is no database of the 2.x or 3.x generation: it has ${found.size} ${found.size === 1 ? 'table' : 'tables'}, and ${listed(missing)} are missing. A user of the database sees only tables that it may read.`
  const parts = [
    ...(missing.length > 0 ? [`${listed(missing)} missing`] : []),
    ...(unknown.length > 0 ? [`${listed(unknown)} unknown`] : []),
  ]
  return `This database belongs to a version that cannot be imported, newer than 3.4 or changed by hand: ${parts.join('; ')}. Nothing was changed.`
}

function listed(names: string[]): string {
  const more = names.length - MOST_NAMED
  return names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
