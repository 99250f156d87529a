import type { TemplateType } from '@causeway/contract'
import { clashTemplate } from '../default-templates/clash.ts'
import { singBoxLegacyTemplate, singBoxTemplate } from '../default-templates/sing-box.ts'
import { stashTemplate } from '../default-templates/stash.ts'
import { xrayJsonTemplate } from '../default-templates/xray-json.ts'
import { AD_DOMAINS, COUNTRIES } from './domains.ts'

/** The purpose of a shipped template, beside sending everything through the proxies. */
const VARIANTS = {
  plain: { name: 'Everything through the proxies', suffixes: [], geo: undefined, areAdsBlocked: false },
  iran: { ...COUNTRIES.iran, areAdsBlocked: false },
  russia: { ...COUNTRIES.russia, areAdsBlocked: false },
  china: { ...COUNTRIES.china, areAdsBlocked: false },
  'no-ads': { name: 'Without advertisements', suffixes: [], geo: undefined, areAdsBlocked: true },
} as const

interface Wish {
  /** Domains that are reached directly. */
  suffixes: readonly string[]
  /** The country whose addresses are reached directly, by the app's own list. */
  geo: string | undefined
  areAdsBlocked: boolean
}

export interface ShippedTemplate {
  type: TemplateType
  variant: keyof typeof VARIANTS
  name: string
  text: string
}

const WRITERS: Record<TemplateType, (wish: Wish) => string> = {
  MIHOMO: (wish) => ruled(clashTemplate, wish),
  CLASH: (wish) => ruled(clashTemplate, wish),
  STASH: (wish) => ruled(stashTemplate, wish),
  XRAY_JSON: xrayJson,
  SINGBOX: (wish) => singBox(singBoxTemplate, { action: 'reject' }, wish),
  SINGBOX_LEGACY: (wish) => singBox(singBoxLegacyTemplate, { outbound: 'block' }, wish),
}

/** Starting points without any outside request, several per type. A new panel starts with the plain ones. */
export function shippedTemplates(): ShippedTemplate[] {
  const types = Object.keys(WRITERS) as TemplateType[] // the keys of a record over exactly these types
  const variants = Object.keys(VARIANTS) as (keyof typeof VARIANTS)[] // its own keys
  return types.flatMap((type) =>
    variants.map((variant) => ({ type, variant, name: VARIANTS[variant].name, text: WRITERS[type](VARIANTS[variant]) })),
  )
}

/** Refusals stand first, so that no other rule lets through what they refuse; the rest goes before the last rule, the proxies. */
function ruled(template: string, { suffixes, geo, areAdsBlocked }: Wish): string {
  const refused = areAdsBlocked ? AD_DOMAINS.map((domain) => `DOMAIN-SUFFIX,${domain},REJECT`) : []
  const direct = [
    ...suffixes.map((suffix) => `DOMAIN-SUFFIX,${suffix},DIRECT`),
    ...(geo === undefined ? [] : [`GEOIP,${geo.toUpperCase()},DIRECT`]),
  ]
  const lines = (rules: string[]) => rules.map((rule) => `  - ${rule}\n`).join('')
  return template.replace('rules:\n', `rules:\n${lines(refused)}`).replace('  - MATCH,', `${lines(direct)}  - MATCH,`)
}

function xrayJson({ suffixes, geo, areAdsBlocked }: Wish): string {
  const domains = (names: readonly string[]) => names.map((name) => `domain:${name}`)
  const rules = [
    ...(areAdsBlocked ? [{ type: 'field', domain: domains(AD_DOMAINS), outboundTag: 'block' }] : []),
    ...(suffixes.length > 0 ? [{ type: 'field', domain: domains(suffixes), outboundTag: 'direct' }] : []),
    ...(geo === undefined ? [] : [{ type: 'field', ip: [`geoip:${geo}`], outboundTag: 'direct' }]),
    ...xrayJsonTemplate.routing.rules,
  ]
  return written({ ...xrayJsonTemplate, routing: { ...xrayJsonTemplate.routing, rules } })
}

/** By domains alone: lists of addresses would have to be fetched, and sing-box does not start without a list it cannot get. */
function singBox(
  template: typeof singBoxTemplate | typeof singBoxLegacyTemplate,
  refusal: object,
  { suffixes, areAdsBlocked }: Wish,
): string {
  const dotted = suffixes.map((suffix) => `.${suffix}`)
  const rules = [
    ...template.route.rules,
    ...(areAdsBlocked ? [{ domain_suffix: [...AD_DOMAINS], ...refusal }] : []),
    ...(dotted.length > 0 ? [{ domain_suffix: dotted, outbound: 'direct' }] : []),
  ]
  return written({ ...template, route: { ...template.route, rules } })
}

function written(config: object): string {
  return JSON.stringify(config, null, 2)
}
