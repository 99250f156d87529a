import type { TemplateType } from '@causeway/contract'
import { compileClash, type ClashTemplate } from './formats/clash-template.ts'
import { compileSingBox, type SingBoxTemplate } from './formats/sing-box.ts'
import { compileXrayJson, type XrayJsonTemplate } from './formats/xray-json.ts'

/** A template as stored: YAML text for the Clash family, JSON for the others. */
export interface TemplateSource {
  templateYaml: string | null
  templateJson: unknown
}

interface CompiledBy {
  MIHOMO: ClashTemplate
  STASH: ClashTemplate
  CLASH: ClashTemplate
  XRAY_JSON: XrayJsonTemplate
  SINGBOX: SingBoxTemplate
  SINGBOX_LEGACY: SingBoxTemplate
}

/** Every template made ready for rendering; null where it is missing or cannot be used. */
export type CompiledTemplates = { [Type in TemplateType]: CompiledBy[Type] | null }

/** Parses a template once per change. @throws with a sentence when it cannot be used. */
export function compileTemplate<Type extends TemplateType>(type: Type, source: TemplateSource): CompiledBy[Type] {
  const compile: { [T in TemplateType]: () => CompiledBy[T] } = {
    MIHOMO: () => compileClash(source.templateYaml ?? ''),
    STASH: () => compileClash(source.templateYaml ?? ''),
    CLASH: () => compileClash(source.templateYaml ?? ''),
    XRAY_JSON: () => compileXrayJson(source.templateJson),
    SINGBOX: () => compileSingBox(source.templateJson),
    SINGBOX_LEGACY: () => compileSingBox(source.templateJson),
  }
  return compile[type]()
}

/** Parses all templates; one that cannot be used is null and leaves the others alone. */
export function compileTemplates(sources: Partial<Record<TemplateType, TemplateSource>>): CompiledTemplates {
  return {
    MIHOMO: tryCompile('MIHOMO', sources.MIHOMO),
    STASH: tryCompile('STASH', sources.STASH),
    CLASH: tryCompile('CLASH', sources.CLASH),
    XRAY_JSON: tryCompile('XRAY_JSON', sources.XRAY_JSON),
    SINGBOX: tryCompile('SINGBOX', sources.SINGBOX),
    SINGBOX_LEGACY: tryCompile('SINGBOX_LEGACY', sources.SINGBOX_LEGACY),
  }
}

/** Whether a template shows hosts beyond those that stand for themselves. */
export function takesHiddenHosts(templates: Partial<CompiledTemplates>): boolean {
  const { XRAY_JSON: json, MIHOMO: mihomo } = templates
  return (json?.directives.injections.length ?? 0) > 0 || mihomo?.includesHidden === true
}

function tryCompile<Type extends TemplateType>(type: Type, source: TemplateSource | undefined): CompiledBy[Type] | null {
  if (!source) return null
  try {
    return compileTemplate(type, source)
  } catch {
    return null
  }
}
