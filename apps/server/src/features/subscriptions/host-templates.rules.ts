import { takesHiddenHosts, type CompiledTemplates, type XrayJsonTemplate } from '@causeway/subscription'
import type { TemplateLibrary } from '../../lib/template-compiler.ts'

/** Templates that a host can have of its own; none where a rule passes over them. */
export function hostTemplatesOf(library: TemplateLibrary, isIgnored: boolean): ReadonlyMap<string, XrayJsonTemplate> {
  if (isIgnored) return new Map()
  return new Map([...library].flatMap(([uuid, { XRAY_JSON }]) => (XRAY_JSON ? [[uuid, XRAY_JSON] as const] : [])))
}

/** Whether one of these templates takes hidden hosts in. */
export function takesHidden(templates: CompiledTemplates, hostTemplates: ReadonlyMap<string, XrayJsonTemplate>): boolean {
  return takesHiddenHosts(templates) || [...hostTemplates.values()].some((XRAY_JSON) => takesHiddenHosts({ XRAY_JSON }))
}
