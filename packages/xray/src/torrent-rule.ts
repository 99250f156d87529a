import { isObject, objectAt, textAt, type XrayObject } from './config.ts'

/** The agent puts its own address in place of this one. */
const TORRENT_WEBHOOK = 'causeway:torrents'
const BLOCKED = 'CAUSEWAY_TORRENT'
const EXCEPTED = 'CAUSEWAY_TORRENT_EXCEPTED'

export interface TorrentRule {
  /** Where it stands among the rules of the profile. */
  placement: number
  /** Rules of the profile, by their `ruleTag`, whose matches are reported too. */
  ruleTags: readonly string[]
  exceptUsernames: readonly string[]
  exceptAddresses: readonly string[]
}

/**
 * The config with a rule that drops BitTorrent and reports it. Inbounds have to sniff for it. What is excepted takes the way that
 * it would take without rules: the first outbound.
 */
export function withTorrentRule(
  config: XrayObject,
  { placement, ruleTags, exceptUsernames, exceptAddresses }: TorrentRule,
): XrayObject {
  const routing = objectAt(config, 'routing')
  const given: unknown[] = Array.isArray(routing['rules']) ? routing['rules'] : []
  const outbounds: unknown[] = Array.isArray(config['outbounds']) ? config['outbounds'] : []
  const webhook = { url: TORRENT_WEBHOOK }
  const reported = given.map((rule) =>
    isObject(rule) && ruleTags.includes(textAt(rule, 'ruleTag')) && !('webhook' in rule) ? { ...rule, webhook } : rule,
  )
  const [first] = outbounds
  const way = isObject(first) ? textAt(first, 'tag') : ''
  const excepted = { type: 'field', protocol: ['bittorrent'], outboundTag: way }
  const rules = [
    ...(way !== '' && exceptUsernames.length > 0 ? [{ ...excepted, ruleTag: `${EXCEPTED}_USERS`, user: exceptUsernames }] : []),
    ...(way !== '' && exceptAddresses.length > 0
      ? [{ ...excepted, ruleTag: `${EXCEPTED}_ADDRESSES`, sourceIP: exceptAddresses }]
      : []),
    { type: 'field', ruleTag: BLOCKED, protocol: ['bittorrent'], outboundTag: BLOCKED, webhook },
  ]
  return {
    ...config,
    outbounds: [...outbounds, { tag: BLOCKED, protocol: 'blackhole' }],
    routing: { ...routing, rules: [...reported.slice(0, placement), ...rules, ...reported.slice(placement)] },
  }
}

/** The config with this address in place of the one that stands for it. */
export function withTorrentWebhook<C extends XrayObject>(config: C, url: string): C {
  const routing = objectAt(config, 'routing')
  const { rules } = routing
  if (!Array.isArray(rules)) return config
  const isMarked = (rule: unknown) => isObject(rule) && textAt(objectAt(rule, 'webhook'), 'url') === TORRENT_WEBHOOK
  if (!rules.some(isMarked)) return config
  const named = rules.map((rule: unknown) =>
    isObject(rule) && isMarked(rule) ? { ...rule, webhook: { ...objectAt(rule, 'webhook'), url } } : rule,
  )
  return { ...config, routing: { ...routing, rules: named } }
}
