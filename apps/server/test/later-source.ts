import { host, node, squad, user, type SourceDatabase } from './remnawave-source.ts'

// A filled database of 2.1 as the later versions of its panel migrate it, and what such a version has beside.

export const externalSquad = '0000000b-0000-4000-8000-000000000001'
export const xrayTemplate = '0000000c-0000-4000-8000-000000000001'
export const plugin = '0000000d-0000-4000-8000-000000000001'

export const rules = {
  version: '1',
  rules: [
    {
      name: 'Happ',
      enabled: true,
      operator: 'AND',
      conditions: [{ headerName: 'user-agent', operator: 'REGEX', value: '^Happ/', caseSensitive: false }],
      responseType: 'XRAY_JSON',
    },
    { name: 'Of tomorrow', enabled: true, operator: 'AND', conditions: [], responseType: 'TELEPATHY' },
    { name: 'All others', enabled: true, operator: 'AND', conditions: [], responseType: 'XRAY_BASE64' },
  ],
}

/** The layout of 2.8. */
export async function migrateTo28({ run }: Pick<SourceDatabase, 'run'>): Promise<void> {
  await run(`
    create table user_traffic as select t_id, used_traffic_bytes, lifetime_used_traffic_bytes, online_at, last_connected_node_uuid,
      first_connected_at from users;
    alter table users drop used_traffic_bytes, drop lifetime_used_traffic_bytes, drop online_at, drop last_connected_node_uuid,
      drop first_connected_at, drop sub_last_user_agent, drop sub_last_opened_at, add external_squad_uuid uuid;
    alter table nodes add id bigserial, add tags text[] not null default '{}', add active_plugin_uuid uuid, drop is_node_online,
      drop is_xray_running, drop xray_version, drop node_version, drop xray_uptime, drop users_online, drop cpu_count, drop cpu_model,
      drop total_ram;
    alter table nodes_user_usage_history add node_id bigint, add user_id bigint;
    update nodes_user_usage_history h set node_id = coalesce((select id from nodes n where n.uuid = h.node_uuid), 98),
      user_id = coalesce((select t_id from users u where u.uuid = h.user_uuid), 97);
    alter table nodes_user_usage_history drop node_uuid, drop user_uuid, drop upload_bytes, drop download_bytes;
    alter table internal_squad_members add user_id bigint;
    update internal_squad_members m set user_id = coalesce((select t_id from users u where u.uuid = m.user_uuid), 97);
    alter table internal_squad_members drop user_uuid;
    alter table hwid_user_devices add user_id bigint, add request_ip text;
    update hwid_user_devices d set user_id = (select t_id from users u where u.uuid = d.user_uuid);
    alter table hwid_user_devices drop user_uuid;
    drop table user_traffic_history;
    alter table hosts add xray_json_template_uuid uuid, add keep_sni_blank boolean not null default false,
      add exclude_from_subscription_types text[] not null default '{}', add final_mask jsonb;
    create table internal_squad_host_exclusions (host_uuid uuid not null, squad_uuid uuid not null);
    alter table subscription_settings add custom_remarks jsonb, add response_rules jsonb, add hwid_settings jsonb;
    update subscription_settings set custom_remarks = jsonb_build_object('expiredUsers', expired_users_remarks, 'limitedUsers',
      limited_users_remarks, 'disabledUsers', disabled_users_remarks, 'emptyHosts', '["No hosts"]'::jsonb, 'ofTomorrow', '["?"]'::jsonb),
      hwid_settings = '{"enabled":true,"fallbackDeviceLimit":3,"maxDevicesAnnounce":null}';
    alter table subscription_settings drop expired_users_remarks, drop limited_users_remarks, drop disabled_users_remarks,
      drop add_username_to_base_subscription;
    alter table subscription_templates add view_position serial, add name text not null default 'Default';
    alter table config_profiles add view_position serial;
    alter table internal_squads add view_position serial;
    create table external_squads (uuid uuid not null, view_position serial, name text not null, subscription_settings jsonb,
      host_overrides jsonb, response_headers jsonb, hwid_settings jsonb, custom_remarks jsonb, subpage_config_uuid uuid,
      created_at timestamp(3) not null default now(), updated_at timestamp(3) not null default now());
    create table external_squads_templates (external_squad_uuid uuid not null, template_uuid uuid not null, template_type text not null);
    create table config_profile_snippets (name text not null, snippet jsonb not null, created_at timestamp(3) not null default now());
    create table subscription_page_config (uuid uuid not null, view_position serial, name text not null, config jsonb not null,
      created_at timestamp(3) not null default now(), updated_at timestamp(3) not null default now());
    create table node_plugin (uuid uuid not null, view_position serial, name text not null, plugin_config jsonb not null,
      created_at timestamp(3) not null default now(), updated_at timestamp(3) not null default now());
    create table user_meta (user_id bigint not null, metadata jsonb not null);
    create table node_meta (node_id bigint not null, metadata jsonb not null);
    create table remnawave_settings (id int not null, branding_settings jsonb);
    create table passkeys (id text not null)`)
  await fillLater(run)
}

async function fillLater(run: SourceDatabase['run']): Promise<void> {
  await run(`insert into remnawave_settings values (1, '{}')`)
  await run(
    `insert into subscription_templates (uuid, template_type, template_json, name) values ($1, 'XRAY_JSON', '{"log":{}}', 'Gold')`,
    [xrayTemplate],
  )
  await run(`update subscription_settings set response_rules = $1`, [JSON.stringify(rules)])
  await run(
    `insert into external_squads (uuid, name, subscription_settings, response_headers, hwid_settings) values
      ($1, 'Gold', '{"profileTitle":"Gold service"}', '{"X-Squad":"gold"}', '{"enabled":"perhaps"}')`,
    [externalSquad],
  )
  await run(`insert into external_squads_templates values ($1, $2, 'XRAY_JSON')`, [externalSquad, xrayTemplate])
  await run(`update users set external_squad_uuid = $1 where uuid = $2`, [externalSquad, user(2)])
  await run(`insert into config_profile_snippets (name, snippet) values ('Warp', '[{"tag":"warp","protocol":"freedom"}]')`)
  await run(`insert into node_plugin (uuid, name, plugin_config) values ($1, 'Filter', $2)`, [
    plugin,
    JSON.stringify({ ingressFilter: { enabled: true, blockedIps: ['192.0.2.0/24'] } }),
  ])
  await run(`update nodes set tags = '{EU,"FAST:1"}', active_plugin_uuid = $1 where uuid = $2`, [plugin, node(1)])
  await run(`update hosts set xray_json_template_uuid = $1, exclude_from_subscription_types = '{MIHOMO}' where uuid = $2`, [
    xrayTemplate,
    host(1),
  ])
  await run(`insert into internal_squad_host_exclusions values ($1, $2)`, [host(1), squad(2)])
  await run(`insert into user_meta select t_id, '{"order":7}' from users where uuid = $1`, [user(1)])
  await run(`insert into node_meta select id, '{"rack":"B"}' from nodes where uuid = $1`, [node(2)])
}

/** The layout of 3.4, from that of 2.8. */
export async function migrateTo34({ run }: Pick<SourceDatabase, 'run'>): Promise<void> {
  await run(`
    alter table users rename t_id to id;
    alter table users drop uuid;
    alter table user_traffic rename t_id to id;
    alter table api_tokens rename token_name to name;
    alter table api_tokens drop token, add expire_at timestamp(3) not null default '2030-01-01', add scopes text[] not null default '{*}';
    update api_tokens set scopes = '{users:read}' where name = 'shop';
    alter table nodes add proxy_url text, add note text, add node_consumption_multiplier bigint not null default 1000000000,
      add ips jsonb not null default '[]', add integration_uuids uuid[] not null default '{}';
    update nodes set note = 'In the cellar', ips = '[{"ip":"192.0.2.7","status":"INBOUND"}]', proxy_url = 'socks5://proxy'
      where name = 'Oslo';
    drop table nodes_traffic_usage_history;
    alter table hosts add tags text[] not null default '{}';
    update hosts set tags = array[tag] where tag is not null;
    alter table hosts drop tag, add pinned_peer_cert_sha256 text, add verify_peer_cert_by_name text,
      add mihomo_ip_version text, add mapper jsonb not null default '{}', add internal_squads_mode text not null default 'EXCLUDE';
    alter table internal_squad_host_exclusions rename to internal_squad_host_links;
    update hosts set internal_squads_mode = 'ALLOW_ONLY', mapper = '{"base64":[{"op":"set","value":"x","to":"fp"}]}'
      where remark like 'Oslo {{%';
    update subscription_settings set custom_response_headers = '{"x-old":"1","Profile-Title":"rwEncodeBase64:Old service",
      "support-url":"https://old.example","profile-update-interval":"6","announce":"rwEncodeBase64:Hello"}';
    alter table subscription_settings drop profile_title, drop support_link, drop profile_update_interval,
      drop is_profile_webpage_url_enabled, drop happ_announce, drop happ_routing;
    alter table external_squads rename response_headers to response_headers_add;
    alter table external_squads add response_headers_remove text[] not null default '{announce}';
    alter table infra_billing_nodes add name text, alter node_uuid drop not null;
    insert into infra_billing_nodes (name, provider_uuid, next_billing_at) select 'Domain', uuid, '2026-12-01' from infra_providers;
    create table shared_lists (name text not null, config jsonb not null, created_at timestamp(3) not null default now(),
      updated_at timestamp(3) not null default now());
    insert into shared_lists (name, config) values ('bots', '{"type":"ipList","items":["192.0.2.9"]}'),
      ('networks', '{"type":"asList","items":[64500]}');
    create table user_subscription_request_history (id bigserial, user_id bigint not null, request_ip text, user_agent text,
      srr_rule_name text, srr_response_type text not null default 'UNKNOWN', request_at timestamp(3) not null default now());
    insert into user_subscription_request_history (user_id, user_agent, srr_rule_name, srr_response_type, request_at)
      values (10, 'Happ/3.1', 'Happ', 'XRAY_JSON', '2024-05-01')`)
}
