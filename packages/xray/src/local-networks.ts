import { inboundsOf, isObject, objectAt, textAt, textsAt, userProtocolOf, type XrayObject } from './config.ts'

/**
 * Networks that are the node's own: loopback, private, link-local, shared and unspecified addresses. Written out, since
 * `geoip:private` needs a file that a node may lack, and the core does not start without it.
 */
const LOCAL_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::/128',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]
/** Without these of them a profile is not closed. */
const REQUIRED = LOCAL_NETWORKS.filter((network) => !['0.0.0.0/8', '100.64.0.0/10', '::/128'].includes(network))
const SAME = new Map([['::1', '::1/128']])
/** The rule matches everything that has such an address, where it has no other conditions. */
const NEUTRAL_KEYS = new Set(['type', 'ip', 'outboundTag', 'ruleTag', 'inboundTag', 'network'])

/** Names are compared with addresses only where a first pass over the rules has found nothing. */
export const NAMES_LOOKED_UP = 'IPIfNonMatch'
/** Names are looked up at the first rule about addresses. */
const NAMES_LOOKED_UP_AT_ONCE = 'IPOnDemand'

/** The first rule of profiles: subscribers reach the internet through the node, and nothing of its own networks. */
export function localNetworksRule(outboundTag: string): XrayObject {
  return { type: 'field', ip: LOCAL_NETWORKS, outboundTag }
}

/**
 * Whether subscribers reach none of the node's own networks, neither by address nor by a name that leads there. Rules about
 * certain names or addresses may stand before the rule that closes them: those are exceptions.
 */
export function closesLocalNetworks(config: XrayObject): boolean {
  const rules = rulesOf(config)
  const blocked = new Set<string>()
  const last = rules.findIndex((rule) => {
    if (isClosing(config, rule)) for (const network of listAt(rule, 'ip')) blocked.add(SAME.get(network) ?? network)
    return blocked.has('geoip:private') || REQUIRED.every((network) => blocked.has(network))
  })
  if (last === -1 || rules.slice(0, last).some((rule) => letsThrough(config, rule))) return false
  const strategy = strategyOf(config)
  if (strategy === NAMES_LOOKED_UP_AT_ONCE) return true
  return strategy === NAMES_LOOKED_UP && !rules.some((rule) => letsThrough(config, rule))
}

/**
 * The config with the rule before all others, and names looked up as early as it takes. One that is closed stays as it is.
 * @param computed the same with its snippets in their places
 */
export function withLocalNetworksClosed(config: XrayObject, computed: XrayObject = config): XrayObject {
  if (closesLocalNetworks(computed)) return config
  const outbounds: unknown[] = Array.isArray(config['outbounds']) ? config['outbounds'] : []
  const known = blackholesOf(computed)[0]
  const all: unknown = computed['outbounds']
  const tag = known ?? freeTag((Array.isArray(all) ? all : []).map((outbound: unknown) => textAt(outbound, 'tag')))
  const rules = rulesOf(config)
  // The profile's own ways to programs of the node come first.
  const isOwn = (rule: XrayObject): boolean => listAt(rule, 'inboundTag').length > 0 && !isAboutUsers(config, rule)
  const start = rules.findIndex((rule) => !isOwn(rule))
  const [before, after] = start === -1 ? [rules, []] : [rules.slice(0, start), rules.slice(start)]
  const isStrategyEnough = strategyOf(config) === NAMES_LOOKED_UP_AT_ONCE || !after.some((rule) => letsThrough(config, rule))
  const strategy = !isStrategyEnough
    ? NAMES_LOOKED_UP_AT_ONCE
    : strategyOf(config) === 'AsIs'
      ? NAMES_LOOKED_UP
      : strategyOf(config)
  return {
    ...config,
    ...(known === undefined ? { outbounds: [...outbounds, { protocol: 'blackhole', tag }] } : {}),
    routing: {
      ...objectAt(config, 'routing'),
      domainStrategy: strategy,
      rules: [...before, { ...localNetworksRule(tag), ...onlyUsers(config) }, ...after],
    },
  }
}

/** Inbounds without users that lead to a program of the node go on doing so. */
function onlyUsers(config: XrayObject): { inboundTag?: string[] } {
  const inbounds = inboundsOf(config)
  const users = inbounds.filter((inbound) => userProtocolOf(inbound)).map((inbound) => textAt(inbound, 'tag'))
  return users.length === inbounds.length ? {} : { inboundTag: users }
}

function isClosing(config: XrayObject, rule: XrayObject): boolean {
  const isToBlackhole = blackholesOf(config).includes(textAt(rule, 'outboundTag'))
  if (!isToBlackhole || !Object.keys(rule).every((key) => NEUTRAL_KEYS.has(key))) return false
  const tags = listAt(rule, 'inboundTag')
  const users = inboundsOf(config).filter((inbound) => userProtocolOf(inbound))
  if (tags.length > 0 && !users.every((inbound) => tags.includes(textAt(inbound, 'tag')))) return false
  const networks = listAt(rule, 'network')
  return networks.length === 0 || (networks.includes('tcp') && networks.includes('udp'))
}

/** Whether a subscriber may get through by a name or an address of its choice. */
function letsThrough(config: XrayObject, rule: XrayObject): boolean {
  if (blackholesOf(config).includes(textAt(rule, 'outboundTag'))) return false
  const isLimited = listAt(rule, 'domain').length + listAt(rule, 'domains').length > 0 || isAboutSome(listAt(rule, 'ip'))
  return !isLimited && isAboutUsers(config, rule)
}

/** Whether addresses are certain ones: not all, and not all but some. */
function isAboutSome(networks: string[]): boolean {
  const isWide = (network: string): boolean => network.endsWith('/0') || (network.startsWith('!') && network !== '!geoip:private')
  return networks.length > 0 && !networks.some(isWide)
}

function isAboutUsers(config: XrayObject, rule: XrayObject): boolean {
  const tags = listAt(rule, 'inboundTag')
  if (tags.length === 0) return true
  return inboundsOf(config).some((inbound) => userProtocolOf(inbound) && tags.includes(textAt(inbound, 'tag')))
}

/** Xray takes a list also as one text with commas. */
function listAt(rule: XrayObject, key: string): string[] {
  return textsAt(rule, key).flatMap((text) => text.split(',').map((part) => part.trim()))
}

function rulesOf(config: XrayObject): XrayObject[] {
  const { rules } = objectAt(config, 'routing')
  return Array.isArray(rules) ? rules.filter(isObject) : []
}

/** As the core reads it: whatever the case, and nothing stands for names as they are. */
function strategyOf(config: XrayObject): string {
  const given = textAt(objectAt(config, 'routing'), 'domainStrategy').toLowerCase()
  return [NAMES_LOOKED_UP, NAMES_LOOKED_UP_AT_ONCE].find((strategy) => strategy.toLowerCase() === given) ?? 'AsIs'
}

function blackholesOf(config: XrayObject): string[] {
  const outbounds: unknown = config['outbounds']
  if (!Array.isArray(outbounds)) return []
  const isBlackhole = (outbound: unknown): boolean => ['blackhole', 'block'].includes(textAt(outbound, 'protocol'))
  return outbounds.filter(isBlackhole).flatMap((outbound) => textAt(outbound, 'tag') || [])
}

function freeTag(taken: readonly string[]): string {
  return ['BLOCK', 'BLOCK_LOCAL'].find((tag) => !taken.includes(tag)) ?? 'BLOCK_LOCAL_NETWORKS'
}
