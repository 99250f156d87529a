import { takesHiddenHosts, type CompiledTemplates } from '@causeway/subscription'
import type { CompiledRule } from '../../ground/response-rules/response-rules.rules.ts'
import { modificationsOf } from '../response-rules/ruling.rules.ts'
import type { SubscriptionParts } from './subscription-parts.queries.ts'

/** Those that a host can have of its own, unless the rule looks past them. */
export function hostTemplatesUnder(rule: CompiledRule | null, { library }: SubscriptionParts): HostTemplates {
  if (modificationsOf(rule).ignoreHostXrayJsonTemplate === true) return new Map()
  return new Map([...library].flatMap(([uuid, { XRAY_JSON }]) => (XRAY_JSON ? [[uuid, XRAY_JSON] as const] : [])))
}

type HostTemplates = ReadonlyMap<string, NonNullable<CompiledTemplates['XRAY_JSON']>>

/** Whether hidden hosts stand in the text, which are other ones for other users. */
export function takesHidden(templates: CompiledTemplates, hostTemplates: HostTemplates): boolean {
  return takesHiddenHosts(templates) || [...hostTemplates.values()].some((XRAY_JSON) => takesHiddenHosts({ XRAY_JSON }))
}
