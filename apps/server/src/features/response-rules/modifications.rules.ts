import {
  fillTemplate,
  placeholder,
  templateTypeOf,
  withHeaderChanges,
  type CompiledTemplates,
  type PreparedHost,
  type ProxyEntry,
  type SubscriptionFormat,
  type TemplateValues,
} from '@causeway/subscription'
import type { TemplateType } from '@causeway/contract'
import type { TemplateLibrary } from '../../lib/template-compiler.ts'
import type { CompiledRule } from '../../ground/response-rules/response-rules.rules.ts'
import { templateNamed } from '../subscription-templates/subscription-templates.rules.ts'
import { modificationsOf } from './ruling.rules.ts'

// Applies the modifications of a rule to an answer. Without a rule nothing changes.

/** The rule's headers stand before all others, which replace them; at the end they win. */
export function withRuleHeaders(headers: Record<string, string>, rule: CompiledRule | null, values: TemplateValues) {
  const own = headersOf(rule, values)
  return modificationsOf(rule).applyHeadersToEnd === true ? { ...headers, ...own } : { ...own, ...headers }
}

export function headersOf(rule: CompiledRule | null, values: TemplateValues): Record<string, string> {
  const { headers = [] } = modificationsOf(rule)
  return withHeaderChanges({}, { add: Object.fromEntries(headers.map(({ key, value }) => [key, value])) }, values)
}

/** Hosts without those that the rule leaves out by tag. */
export function hostsUnder(rule: CompiledRule | null, hosts: readonly PreparedHost[]): readonly PreparedHost[] {
  const { excludeHostsByTags = [] } = modificationsOf(rule)
  if (excludeHostsByTags.length === 0) return hosts
  const excluded = new Set(excludeHostsByTags)
  return hosts.filter(({ source }) => !source.tags.some((tag) => excluded.has(tag)))
}

/** Texts in place of all hosts; null where the rule has none. */
export function textsUnder(rule: CompiledRule | null, values: TemplateValues): ProxyEntry[] | null {
  const { respondWithRemarks = [] } = modificationsOf(rule)
  return respondWithRemarks.length === 0 ? null : respondWithRemarks.map((text) => placeholder(fillTemplate(text, values)))
}

/** Whether a rule answers without looking at the device: texts lead nowhere. */
export function passesDevices(rule: CompiledRule | null): boolean {
  const { disableHwidCheck, respondWithRemarks = [] } = modificationsOf(rule)
  return disableHwidCheck === true || respondWithRemarks.length > 0
}

interface Templates {
  /** The default of each type, or the one of the external squad. */
  templates: CompiledTemplates
  library: TemplateLibrary
  named: readonly { uuid: string; templateType: TemplateType; name: string }[]
}

/** The templates with the one that the rule names in the place of its type's. */
export function templatesUnder(rule: CompiledRule | null, parts: Templates, format: SubscriptionFormat): CompiledTemplates {
  const { subscriptionTemplate: name } = modificationsOf(rule)
  const type = templateTypeOf(format)
  if (name === undefined || type === null) return parts.templates
  const named = templateNamed(parts.named, type, name)
  return Object.assign({}, parts.templates, named && parts.library.get(named.uuid))
}
