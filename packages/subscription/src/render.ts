import type { TemplateType } from '@causeway/contract'
import type { SubscriptionFormat } from './client-format.ts'
import { renderClash } from './formats/clash.ts'
import { renderLinks } from './formats/links.ts'
import { renderMihomo } from './formats/mihomo.ts'
import { renderOutline } from './formats/outline.ts'
import { renderSingBox, singBoxTemplateType } from './formats/sing-box.ts'
import type { Matches } from './formats/xray-directives.ts'
import { renderXrayJson, type XrayJsonTemplate } from './formats/xray-json.ts'
import { forFormat, isOfFormat } from './host-choice.ts'
import type { ProxyEntry } from './proxy-entry.ts'
import type { Random } from './subscriber.ts'
import type { CompiledTemplates } from './templates.ts'

export interface RenderOptions {
  templates: CompiledTemplates
  isHapp: boolean
  random: Random
  /** Entries of hidden hosts, for templates that take them in. */
  hidden?: readonly ProxyEntry[]
  /** Xray JSON templates of hosts that have one of their own. */
  hostTemplates?: ReadonlyMap<string, XrayJsonTemplate>
  /** For patterns of templates. */
  matches?: Matches
}

export interface Rendered {
  contentType: 'text/plain' | 'text/yaml' | 'application/json'
  body: string
}

/** The template that a format is written with; null for formats without one. */
export function templateTypeOf(format: SubscriptionFormat): TemplateType | null {
  switch (format.kind) {
    case 'mihomo':
      return 'MIHOMO'
    case 'stash':
      return 'STASH'
    case 'clash':
      return 'CLASH'
    case 'xray-json':
      return 'XRAY_JSON'
    case 'sing-box':
      return singBoxTemplateType(format.version)
    case 'links':
    case 'outline':
      return null
  }
}

/** The subscription in one format. A template that is missing or cannot be used leaves the body empty. */
export function renderSubscription(format: SubscriptionFormat, all: readonly ProxyEntry[], options: RenderOptions): Rendered {
  const entries = forFormat(format, all)
  const { templates, random, isHapp, hostTemplates, matches } = options
  const hidden = (options.hidden ?? []).filter(isOfFormat(format))
  const parts = { hidden, templates: hostTemplates, matches }
  switch (format.kind) {
    case 'links':
      return { contentType: 'text/plain', body: renderLinks(entries, { isHapp }) }
    case 'outline':
      return { contentType: 'application/json', body: renderOutline(entries) }
    case 'mihomo':
      return {
        contentType: 'text/yaml',
        body: templates.MIHOMO
          ? renderMihomo(
              templates.MIHOMO,
              templates.MIHOMO.includesHidden ? [...entries, ...hidden] : entries,
              random,
              format.version,
            )
          : '',
      }
    case 'stash':
      return { contentType: 'text/yaml', body: templates.STASH ? renderMihomo(templates.STASH, entries, random) : '' }
    case 'clash':
      return { contentType: 'text/yaml', body: templates.CLASH ? renderClash(templates.CLASH, entries, random) : '' }
    case 'xray-json':
      return {
        contentType: 'application/json',
        body: templates.XRAY_JSON ? renderXrayJson(templates.XRAY_JSON, entries, parts) : '',
      }
    case 'sing-box': {
      const template = templates[singBoxTemplateType(format.version)]
      return { contentType: 'application/json', body: template ? renderSingBox(template, entries, format.version) : '' }
    }
  }
}
