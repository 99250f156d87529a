import type { TemplateType } from '@causeway/contract'
import { defaultTemplates } from './default-templates/default-templates.ts'
import type { SubscriptionFormat } from './client-format.ts'
import { placeholder } from './placeholders.ts'
import type { ProxyEntry } from './proxy-entry.ts'
import { renderSubscription } from './render.ts'
import { compileTemplate, compileTemplates, type CompiledTemplates } from './templates.ts'

/** The servers that a template is tried with. */
export interface TrialServers {
  count: number
  nameLength: number
}

/** A subscription by any template may have this many characters. Real ones have some tens of thousands. */
const MOST_CHARACTERS = 1_000_000
/** With many servers even the shipped template makes more; another may make this many times as much. */
const MOST_TIMES = 4
/** Hosts are added after a template was saved. */
const LEAST_SERVERS = 50

const FORMATS: Record<TemplateType, SubscriptionFormat> = {
  MIHOMO: { kind: 'mihomo' },
  STASH: { kind: 'stash' },
  CLASH: { kind: 'clash' },
  XRAY_JSON: { kind: 'xray-json' },
  SINGBOX: { kind: 'sing-box', version: [1, 12, 0] },
  SINGBOX_LEGACY: { kind: 'sing-box', version: null },
}

/** A sentence about a template that makes subscriptions too large; undefined for any other. */
export function sizeProblem(
  type: TemplateType,
  template: CompiledTemplates[TemplateType],
  { count, nameLength }: TrialServers,
): string | undefined {
  const servers = { count: Math.max(count, LEAST_SERVERS), nameLength: Math.max(nameLength, 1) }
  const size = renderedSize(type, template, servers)
  if (size <= MOST_CHARACTERS) return undefined
  const most = Math.max(MOST_CHARACTERS, MOST_TIMES * renderedSize(type, compileTemplate(type, defaultTemplates[type]), servers))
  if (size <= most) return undefined
  const advice =
    type === 'XRAY_JSON' ? 'Shorten it: it is repeated for each server.' : 'Use fewer groups, or add servers to fewer of them.'
  return `With ${servers.count} servers a subscription would have ${size} characters, and ${most} are the most. ${advice}`
}

/** The characters of a subscription by this template. Each further server adds the same, so that two of them are enough to know. */
export function renderedSize(
  type: TemplateType,
  template: CompiledTemplates[TemplateType],
  { count, nameLength }: TrialServers,
): number {
  const templates: CompiledTemplates = Object.assign(compileTemplates({}), { [type]: template })
  const sizeOf = (names: string[]) => {
    const entries = names.map((name) => trialEntry(name.padStart(nameLength, 's')))
    return renderSubscription(FORMATS[type], entries, { templates, isHapp: false, random: () => 0 }).body.length
  }
  const [one, two] = [sizeOf(['1']), sizeOf(['1', '2'])]
  return one + (count - 1) * (two - one)
}

/** A server that every format can express. */
function trialEntry(remark: string): ProxyEntry {
  return { ...placeholder(remark), protocol: 'trojan', network: 'tcp', security: 'tls', address: 'server.example.com', port: 443 }
}
