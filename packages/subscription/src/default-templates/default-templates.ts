import type { TemplateType } from '@causeway/contract'
import type { TemplateSource } from '../templates.ts'
import { clashTemplate } from './clash.ts'
import { singBoxLegacyTemplate, singBoxTemplate } from './sing-box.ts'
import { stashTemplate } from './stash.ts'
import { xrayJsonTemplate } from './xray-json.ts'

/** Templates of a new panel, one per type. */
export const defaultTemplates: Readonly<Record<TemplateType, TemplateSource>> = {
  MIHOMO: { templateYaml: clashTemplate, templateJson: null },
  CLASH: { templateYaml: clashTemplate, templateJson: null },
  STASH: { templateYaml: stashTemplate, templateJson: null },
  XRAY_JSON: { templateYaml: null, templateJson: xrayJsonTemplate },
  SINGBOX: { templateYaml: null, templateJson: singBoxTemplate },
  SINGBOX_LEGACY: { templateYaml: null, templateJson: singBoxLegacyTemplate },
}
