import { takesHiddenHosts, type CompiledTemplates } from '@causeway/subscription'
import type { TemplateLibrary } from '../../lib/template-compiler.ts'
import type { CompiledRule } from '../../ground/response-rules/response-rules.rules.ts'
import { modificationsOf } from '../response-rules/ruling.rules.ts'

/** Templates that a host can have of its own, by their uuid. */
export interface HostTemplates {
  byUuid: ReadonlyMap<string, NonNullable<CompiledTemplates['XRAY_JSON']>>
  /** Whether one of them shows hidden hosts. */
  takesHidden: boolean
}

const none: HostTemplates = { byUuid: new Map(), takesHidden: false }

export function hostTemplatesOf(library: TemplateLibrary): HostTemplates {
  const byUuid = new Map([...library].flatMap(([uuid, { XRAY_JSON }]) => (XRAY_JSON ? [[uuid, XRAY_JSON] as const] : [])))
  return { byUuid, takesHidden: [...byUuid.values()].some((XRAY_JSON) => takesHiddenHosts({ XRAY_JSON })) }
}

/** None where the rule looks past them. */
export function hostTemplatesUnder(rule: CompiledRule | null, parts: { hostTemplates: HostTemplates }): HostTemplates {
  return modificationsOf(rule).ignoreHostXrayJsonTemplate === true ? none : parts.hostTemplates
}

/** Whether hidden hosts stand in the text, which are other ones for other users. */
export function takesHidden(templates: CompiledTemplates, hostTemplates: HostTemplates): boolean {
  return hostTemplates.takesHidden || takesHiddenHosts(templates)
}
