import { isObject, objectAt, textAt, type XrayObject } from '@causeway/xray'
import { isAtLeast, type Version } from '../client-format.ts'

// sing-box drops a replaced field two versions later and refuses a whole configuration for one field of another
// version. So one template does not suit all clients. The configuration is converted to the form of the client's
// version, whichever version it is written for.

/** From this version on DNS servers have a type, and outbounds resolve names by a server of their own. */
const typedDnsVersion: Version = [1, 12, 0]

/** A template in the form of every client version, made once per change. */
export interface VersionedForms<Form> {
  addressedDns: Form
  typedDns: Form
}

/** The template in both forms, whichever it is written in. */
export function versionsOf(template: XrayObject): VersionedForms<XrayObject> {
  // Fields replaced by rule actions are gone in 1.13, which also wants typed servers; both exist since 1.11.
  return { addressedDns: toAddressedDns(template), typedDns: toTypedDns(toActions(template)) }
}

/** The form that a client reads; one that says no version reads the older. */
export function formFor<Form>(forms: VersionedForms<Form>, version: Version | null): Form {
  return version && isAtLeast(version, typedDnsVersion) ? forms.typedDns : forms.addressedDns
}

/** Rules that lead to a special outbound become actions, and so does what inbounds say of sniffing. */
function toActions(template: XrayObject): XrayObject {
  const outbounds = listOf(template['outbounds'])
  const special = new Map(
    outbounds.flatMap((outbound) => {
      const type = textAt(outbound, 'type')
      const action = type === 'block' ? 'reject' : type === 'dns' ? 'hijack-dns' : ''
      return action ? [[textAt(outbound, 'tag'), action] as const] : []
    }),
  )
  const inbounds = listOf(template['inbounds'])
  const isSniffing = inbounds.some((inbound) => isObject(inbound) && inbound['sniff'] === true)
  if (special.size === 0 && !isSniffing) return template
  const route = objectAt(template, 'route')
  const rules = listOf(route['rules']).map((rule) => {
    const action = special.get(textAt(rule, 'outbound'))
    return isObject(rule) && action ? { ...without(rule, ['outbound']), action } : rule
  })
  return {
    ...template,
    inbounds: inbounds.map((inbound) => (isObject(inbound) ? without(inbound, sniffingFields) : inbound)),
    outbounds: outbounds.filter((outbound) => !special.has(textAt(outbound, 'tag'))),
    route: { ...route, rules: isSniffing ? [{ action: 'sniff' }, ...rules] : rules },
  }
}

const sniffingFields = ['sniff', 'sniff_override_destination', 'sniff_timeout']

/** `tls://1.1.1.1` becomes a server of the type `tls`; the rule for names of outbounds becomes their default resolver. */
function toTypedDns(template: XrayObject): XrayObject {
  const dns = objectAt(template, 'dns')
  const servers = listOf(dns['servers'])
  if (!servers.some((server) => typeof textOf(server, 'address') === 'string')) return template
  const directs = new Set(
    listOf(template['outbounds']).flatMap((outbound) => (isBareDirect(outbound) ? [textAt(outbound, 'tag')] : [])),
  )
  const resolver = listOf(dns['rules']).find(isOutboundRule)
  const route = objectAt(template, 'route')
  const named = textAt(resolver, 'server') || textAt(servers.find(isPlainServer), 'tag')
  const strategy = textAt(
    servers.find((server) => textAt(server, 'tag') === named),
    'strategy',
  )
  return {
    ...template,
    dns: {
      ...without(dns, ['fakeip', 'independent_cache']),
      servers: servers.flatMap((server) => typedServer(server, objectAt(dns, 'fakeip'), directs)),
      rules: listOf(dns['rules']).filter((rule) => !isOutboundRule(rule)),
    },
    ...(named && route['default_domain_resolver'] === undefined
      ? { route: { ...route, default_domain_resolver: { server: named, ...(strategy ? { strategy } : {}) } } }
      : {}),
  }
}

function typedServer(server: unknown, fakeip: XrayObject, directs: ReadonlySet<string>): unknown[] {
  if (!isObject(server) || typeof server['address'] !== 'string') return [server]
  const { address, address_resolver: resolver, address_strategy: strategy, strategy: _strategy, detour, ...rest } = server
  const others = {
    ...rest,
    ...(typeof resolver === 'string' ? { domain_resolver: { server: resolver, ...(strategy ? { strategy } : {}) } } : {}),
    // Newer versions refuse a detour that is none.
    ...(typeof detour === 'string' && !directs.has(detour) ? { detour } : {}),
  }
  if (address === 'fakeip') return [{ type: 'fakeip', ...rest, ...without(fakeip, ['enabled']) }]
  if (address === 'local') return [{ type: 'local', ...others }]
  if (address.startsWith('rcode://')) return []
  const match = /^(?:([a-z0-9]+):\/\/)?(\[[^\]]*\]|[^/:]*|[0-9a-f:]*)(?::(\d+))?(\/.*)?$/i.exec(address)
  const [, type = 'udp', host = '', port, path] = match ?? []
  if (type === 'dhcp') return [{ type, ...others, ...(host && host !== 'auto' ? { interface: host } : {}) }]
  return [
    {
      type,
      ...others,
      server: host.replace(/^\[|\]$/g, ''),
      ...(port ? { server_port: Number(port) } : {}),
      ...(path && path !== '/dns-query' ? { path } : {}),
    },
  ]
}

/** The way back, for clients of the version between: typed servers become addresses. */
function toAddressedDns(template: XrayObject): XrayObject {
  const dns = objectAt(template, 'dns')
  const servers = listOf(dns['servers'])
  if (!servers.some((server) => typeof textOf(server, 'type') === 'string')) return template
  const fakeip = servers.find((server) => textAt(server, 'type') === 'fakeip')
  const { default_domain_resolver: resolver, ...route } = objectAt(template, 'route')
  const named = typeof resolver === 'string' ? resolver : textAt(resolver, 'server')
  const strategy = textAt(resolver, 'strategy')
  return {
    ...template,
    dns: {
      ...dns,
      servers: servers.map((server) => addressedServer(server, textAt(server, 'tag') === named ? strategy : '')),
      rules: [...(named ? [{ outbound: 'any', server: named }] : []), ...listOf(dns['rules'])],
      ...(isObject(fakeip) ? { fakeip: { enabled: true, ...without(fakeip, ['type', 'tag']) }, independent_cache: true } : {}),
    },
    route,
  }
}

function addressedServer(server: unknown, strategy: string): unknown {
  if (!isObject(server) || typeof server['type'] !== 'string') return server
  const { type, tag, server: _host, server_port: port, path, domain_resolver: resolver, ...rest } = server
  if (type === 'fakeip') return { tag, address: 'fakeip' }
  const named = typeof resolver === 'string' ? resolver : textAt(resolver, 'server')
  const ownPath = type === 'https' || type === 'h3' ? '/dns-query' : ''
  const ending = `${typeof port === 'number' ? `:${port}` : ''}${typeof path === 'string' ? path : ownPath}`
  const name = textAt(server, 'server')
  const shown = name.includes(':') ? `[${name}]` : name
  return {
    tag,
    address: type === 'local' ? 'local' : type === 'dhcp' ? 'dhcp://auto' : `${type}://${shown}${ending}`,
    ...(named ? { address_resolver: named } : {}),
    ...(strategy ? { strategy } : {}),
    ...rest,
  }
}

function isOutboundRule(rule: unknown): boolean {
  return isObject(rule) && rule['outbound'] !== undefined
}

function isPlainServer(server: unknown): boolean {
  return !/^(?:fakeip|rcode:)/.test(textAt(server, 'address'))
}

function isBareDirect(outbound: unknown): boolean {
  return isObject(outbound) && outbound['type'] === 'direct' && Object.keys(outbound).length <= 2
}

function textOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined
}

function without(object: XrayObject, keys: readonly string[]): XrayObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
