-- The database of a panel of the 2.1 generation, as its catalogue names it. Without its keys, so that tests can break them.
create table admin (
  uuid uuid not null default gen_random_uuid(),
  username text not null,
  password_hash text not null,
  role text not null,
  created_at timestamp(3) not null default now(),
  updated_at timestamp(3) not null default now()
);
create table api_tokens (
  uuid uuid not null default gen_random_uuid(),
  token text not null,
  token_name text not null,
  created_at timestamp(3) not null default now(),
  updated_at timestamp(3) not null default now()
);
create table config_profile_inbounds (
  uuid uuid not null default gen_random_uuid(),
  profile_uuid uuid not null,
  tag text not null,
  type text not null,
  network text,
  security text,
  port integer,
  raw_inbound jsonb
);
create table config_profile_inbounds_to_nodes (
  config_profile_inbound_uuid uuid not null,
  node_uuid uuid not null
);
create table config_profiles (
  uuid uuid not null default gen_random_uuid(),
  name text not null,
  config jsonb not null,
  created_at timestamp(3) not null default now(),
  updated_at timestamp(3) not null default now()
);
create table hosts (
  uuid uuid not null default gen_random_uuid(),
  view_position serial not null,
  remark text not null,
  address text not null,
  port integer not null,
  path text,
  sni text,
  host text,
  alpn text,
  fingerprint text,
  is_disabled boolean not null default false,
  security_layer text not null default 'DEFAULT'::text,
  xhttp_extra_params jsonb,
  config_profile_inbound_uuid uuid,
  config_profile_uuid uuid,
  server_description text,
  mux_params jsonb,
  sockopt_params jsonb,
  is_hidden boolean not null default false,
  tag text,
  override_sni_from_address boolean not null default false,
  vless_route_id integer
);
create table hwid_user_devices (
  hwid text not null,
  user_uuid uuid not null,
  platform text,
  os_version text,
  device_model text,
  user_agent text,
  created_at timestamp(3) not null default now(),
  updated_at timestamp(3) not null default now()
);
create table infra_billing_history (
  uuid uuid not null default gen_random_uuid(),
  provider_uuid uuid not null,
  amount double precision not null,
  billed_at timestamp(3) not null
);
create table infra_billing_nodes (
  uuid uuid not null default gen_random_uuid(),
  node_uuid uuid not null,
  provider_uuid uuid not null,
  next_billing_at timestamp(3) not null,
  created_at timestamp(3) not null default now(),
  updated_at timestamp(3) not null default now()
);
create table infra_providers (
  uuid uuid not null default gen_random_uuid(),
  name text not null,
  favicon_link text,
  login_url text,
  created_at timestamp(3) not null default now(),
  updated_at timestamp(3) not null default now()
);
create table internal_squad_inbounds (
  internal_squad_uuid uuid not null,
  inbound_uuid uuid not null
);
create table internal_squad_members (
  internal_squad_uuid uuid not null,
  user_uuid uuid not null
);
create table internal_squads (
  uuid uuid not null default gen_random_uuid(),
  name text not null,
  created_at timestamp(3) not null default now(),
  updated_at timestamp(3) not null default now()
);
create table keygen (
  uuid uuid not null default gen_random_uuid(),
  priv_key text not null,
  pub_key text not null,
  created_at timestamp(3) not null default now(),
  updated_at timestamp(3) not null default now(),
  ca_cert text,
  ca_key text,
  client_cert text,
  client_key text
);
create table nodes (
  uuid uuid not null default gen_random_uuid(),
  name text not null,
  address text not null,
  port integer,
  is_connected boolean not null default false,
  is_connecting boolean not null default false,
  is_disabled boolean not null default false,
  is_node_online boolean not null default false,
  is_xray_running boolean not null default false,
  last_status_change timestamp(3),
  last_status_message text,
  xray_version text,
  is_traffic_tracking_active boolean not null default false,
  traffic_reset_day integer default 1,
  traffic_limit_bytes bigint default 0,
  traffic_used_bytes bigint default 0,
  notify_percent integer default 0,
  cpu_count integer,
  cpu_model text,
  total_ram text,
  created_at timestamp(3) not null default now(),
  updated_at timestamp(3) not null default now(),
  users_online integer default 0,
  view_position serial not null,
  country_code text not null default 'XX'::text,
  consumption_multiplier bigint not null default 1000000000,
  xray_uptime text not null default '0'::text,
  active_config_profile_uuid uuid,
  provider_uuid uuid,
  node_version text
);
create table nodes_traffic_usage_history (
  node_uuid uuid not null,
  traffic_bytes bigint not null,
  reset_at timestamp(3) not null default now(),
  id bigserial not null
);
create table nodes_usage_history (
  node_uuid uuid not null,
  download_bytes bigint not null,
  upload_bytes bigint not null,
  total_bytes bigint not null,
  created_at timestamp(3) not null default date_trunc('hour'::text, now()),
  updated_at timestamp(3) not null default now()
);
create table nodes_user_usage_history (
  node_uuid uuid not null,
  user_uuid uuid not null,
  download_bytes bigint not null,
  upload_bytes bigint not null,
  total_bytes bigint not null,
  created_at date not null default CURRENT_DATE,
  updated_at timestamp(3) not null default now()
);
create table subscription_settings (
  uuid uuid not null default gen_random_uuid(),
  profile_title text not null,
  support_link text not null,
  profile_update_interval integer not null,
  happ_announce text,
  happ_routing text,
  expired_users_remarks jsonb not null,
  limited_users_remarks jsonb not null,
  disabled_users_remarks jsonb not null,
  created_at timestamp(3) not null default now(),
  updated_at timestamp(3) not null default now(),
  is_profile_webpage_url_enabled boolean not null default true,
  serve_json_at_base_subscription boolean not null default false,
  add_username_to_base_subscription boolean not null default false,
  is_show_custom_remarks boolean not null default true,
  custom_response_headers jsonb,
  randomize_hosts boolean not null default false
);
create table subscription_templates (
  uuid uuid not null default gen_random_uuid(),
  template_type text not null,
  template_yaml text,
  template_json jsonb,
  created_at timestamp(3) not null default now(),
  updated_at timestamp(3) not null default now()
);
create table user_traffic_history (
  user_uuid uuid not null,
  used_bytes bigint not null,
  reset_at timestamp(3) not null default now(),
  id bigserial not null
);
create table users (
  uuid uuid not null default gen_random_uuid(),
  short_uuid text not null,
  username text not null,
  status text not null default 'ACTIVE'::text,
  used_traffic_bytes bigint not null default 0,
  traffic_limit_bytes bigint not null default 0,
  traffic_limit_strategy text not null default 'NO_RESET'::text,
  sub_last_user_agent text,
  sub_last_opened_at timestamp(3),
  expire_at timestamp(3) not null,
  online_at timestamp(3),
  sub_revoked_at timestamp(3),
  last_traffic_reset_at timestamp(3),
  trojan_password text not null,
  vless_uuid uuid not null,
  ss_password text not null,
  created_at timestamp(3) not null default now(),
  updated_at timestamp(3) not null default now(),
  lifetime_used_traffic_bytes bigint not null default 0,
  description text,
  email text,
  telegram_id bigint,
  hwid_device_limit integer,
  tag text,
  first_connected_at timestamp(3),
  last_triggered_threshold integer not null default 0,
  last_connected_node_uuid uuid,
  t_id bigserial not null
);
