import { checkProfile, jsonFault, type Place } from '@causeway/xray'
import { placeOfPath } from './problem-place.ts'

export interface PanelProblem {
  /** `text`: it is no JSON object, or would not be kept whole; `panel`: a rule for config profiles refuses it. */
  by: 'text' | 'panel'
  message: string
  place: Place | undefined
}

/** Why a text is none that could be sent. */
export function panelFault(text: string): PanelProblem | undefined {
  const fault = jsonFault(text)
  if (fault) return { by: 'text', message: fault.message, place: { line: fault.line, column: fault.column } }
  if (readConfig(text) !== undefined) return undefined
  return { by: 'text', message: 'A config profile is one JSON object: { … }', place: undefined }
}

/** Why the panel would not keep a text whatever Xray says: Xray takes comments, keys twice and configurations without inbounds. */
export function panelProblem(text: string): PanelProblem | undefined {
  const fault = panelFault(text)
  if (fault) return fault
  const [problem] = checkProfile(readConfig(text) ?? {})
  return problem && { by: 'panel', message: problem.message, place: placeOfPath(text, problem.path) }
}

/** Undefined where the text is no JSON object. */
export function readConfig(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
