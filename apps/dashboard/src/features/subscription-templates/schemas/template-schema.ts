import type { TemplateType } from '@causeway/contract'
import type { CodeSchema } from '../../../ui/editor/code-editor-parts.ts'
import { clashSchema } from './clash-schema.ts'
import { singBoxSchema } from './sing-box-schema.ts'
import { xraySchema } from './xray-schema.ts'

const clash: CodeSchema = { uri: 'causeway://schemas/clash', schema: clashSchema }
const singBox: CodeSchema = { uri: 'causeway://schemas/sing-box', schema: singBoxSchema }
const xray: CodeSchema = { uri: 'causeway://schemas/xray-json', schema: xraySchema }

const SCHEMAS: Readonly<Record<TemplateType, CodeSchema>> = {
  MIHOMO: clash,
  STASH: clash,
  CLASH: clash,
  SINGBOX: singBox,
  SINGBOX_LEGACY: singBox,
  XRAY_JSON: xray,
}

/** Hover and completion of the editor, written after the apps' own documentation; the same object each time. */
export function templateSchema(type: TemplateType): CodeSchema {
  return SCHEMAS[type]
}
