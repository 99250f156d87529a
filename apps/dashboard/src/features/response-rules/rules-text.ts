import {
  conditionOperators,
  responseRules,
  responseTypes,
  type ResponseRule,
  type ResponseRules,
  type RuleModifications,
} from '@causeway/contract'
import { jsonFault } from '@causeway/xray'
import { z } from 'zod'
import type { Issue } from '../../api/call-error.ts'
import { issueText } from '../../api/field-errors.ts'

// The rules of the editor are one text. The sentences are read from it, and changes there are written into it.

/** A complaint about the rules, by its place in them. */
export interface RuleIssue {
  path: readonly PropertyKey[]
  message: string
}

export type Reading =
  | { kind: 'none' }
  | { kind: 'rules'; rules: ResponseRules; issues: RuleIssue[] }
  | { kind: 'broken'; message: string; line: number; column: number }

const text = (otherwise = '') => z.string().catch(otherwise)
const flag = z.boolean().optional().catch(undefined)
const texts = z.array(text()).optional().catch(undefined)
const modifications: z.ZodType<RuleModifications> = z.object({
  headers: z
    .array(z.object({ key: text(), value: text() }))
    .optional()
    .catch(undefined),
  applyHeadersToEnd: flag,
  subscriptionTemplate: z.string().optional().catch(undefined),
  ignoreHostXrayJsonTemplate: flag,
  ignoreServeJsonAtBaseSubscription: flag,
  additionalExtendedClientsRegex: texts,
  disableHwidCheck: flag,
  encryption: z
    .object({ method: z.enum(['age1', 'age1pq1']), key: text() })
    .optional()
    .catch(undefined),
  excludeHostsByTags: texts,
  respondWithRemarks: texts,
})
/** Reads known members and leaves the rest at defaults. The contract judges the text. */
const looseRule: z.ZodType<ResponseRule> = z.object({
  name: text(),
  description: z.string().optional().catch(undefined),
  enabled: z.boolean().catch(true),
  operator: z.enum(['AND', 'OR']).catch('AND'),
  conditions: z
    .array(
      z.object({
        headerName: text('user-agent'),
        operator: z.enum(conditionOperators).catch('CONTAINS'),
        value: text(),
        caseSensitive: z.boolean().catch(false),
      }),
    )
    .catch([]),
  responseType: z.enum(responseTypes).catch('XRAY_BASE64'),
  responseModifications: modifications.optional().catch(undefined),
})
const looseRules = z.object({
  version: z.literal('1').catch('1'),
  settings: z.object({ disableSubscriptionAccessByPath: flag }).optional().catch(undefined),
  rules: z.array(looseRule),
})

/** Empty where none are stored. */
export function rulesText(rules: ResponseRules | null | undefined): string {
  return rules ? JSON.stringify(rules, null, 2) : ''
}

/** Reads the text of the editor. Rules with mistakes are read as far as they go, and told. */
export function readRules(source: string): Reading {
  if (source.trim() === '') return { kind: 'none' }
  const fault = jsonFault(source)
  if (fault) return { ...fault, kind: 'broken' }
  const value: unknown = JSON.parse(source)
  const strict = responseRules.safeParse(value, { reportInput: true })
  const issues = strict.error ? strict.error.issues.map((issue) => ({ path: issue.path, message: issueText(issue) })) : []
  const loose = looseRules.safeParse(value)
  if (loose.success) return { kind: 'rules', rules: strict.data ?? loose.data, issues }
  return { kind: 'broken', message: issues[0]?.message ?? '', line: 1, column: 1 }
}

/** The rules of a text that can be saved; undefined where a mistake stands against it. */
export function usableText(source: string): ResponseRules | null | undefined {
  const read = readRules(source)
  if (read.kind === 'none') return null
  return read.kind === 'rules' && read.issues.length === 0 ? read.rules : undefined
}

/** Complaints of the server about the member `responseRules`. */
export function issuesOfServer(issues: readonly Issue[]): RuleIssue[] {
  return issues
    .filter(({ path }) => path[0] === 'responseRules')
    .map((issue) => ({ path: issue.path.slice(1), message: issueText(issue) }))
}

/** Complaints about one rule, by the rest of their paths. */
export function issuesOfRule(issues: readonly RuleIssue[], place: number): RuleIssue[] {
  return issues
    .filter(({ path }) => path[0] === 'rules' && Number(path[1]) === place)
    .map(({ path, message }) => ({ path: path.slice(2), message }))
}

/** The first complaint about a field or anything in it. */
export function issueAt(issues: readonly RuleIssue[], ...names: readonly (string | number)[]): string | undefined {
  return issues.find(({ path }) => names.every((name, index) => String(path[index]) === String(name)))?.message
}

/**
 * Rules as they are published: whole, within settings, as a list, or a single one; with further members, and with comments.
 * Undefined where there are none.
 */
export function readImport(source: string): ResponseRule[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(withoutComments(source))
  } catch {
    return undefined
  }
  const found = rulesIn(value)
  const rules = found && z.array(looseRule).safeParse(found)
  return rules?.success === true && rules.data.length > 0 ? rules.data : undefined
}

function rulesIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value.every(isRule) ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (isRule(value)) return [value]
  for (const name of ['responseRules', 'rules', 'response', 'settings', 'config']) {
    const inner: unknown = Object.getOwnPropertyDescriptor(value, name)?.value
    const rules = inner === undefined ? undefined : rulesIn(inner)
    if (rules) return rules
  }
  return undefined
}

function isRule(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'responseType' in value && 'name' in value
}

const EXTRAS = /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[\]}])/g

/** Strings stay as they are; comments go, and so do commas before an end, which a comment may have hidden. */
function withoutComments(source: string): string {
  const strip = (text: string) => text.replaceAll(EXTRAS, (_, string: string | undefined) => string ?? '')
  return strip(strip(source))
}

/** A rule for the end of the list, with a name that no other has. */
export function newRule(rules: readonly ResponseRule[], name: string): ResponseRule {
  return {
    name: freeName(rules, name),
    enabled: true,
    operator: 'AND',
    conditions: [{ headerName: 'user-agent', operator: 'STARTS_WITH', value: '', caseSensitive: false }],
    responseType: 'XRAY_BASE64',
  }
}

export function duplicateRule(rules: readonly ResponseRule[], place: number): ResponseRule[] {
  const rule = rules[place]
  if (!rule) return [...rules]
  return rules.toSpliced(place + 1, 0, { ...structuredClone(rule), name: freeName(rules, rule.name) })
}

const MAX_NAME = 50

/** The history knows rules by their names. */
export function freeName(rules: readonly { name: string }[], wanted: string): string {
  const taken = new Set(rules.map(({ name }) => name))
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` ${number}`
    const name = `${wanted.slice(0, MAX_NAME - end.length)}${end}`
    if (!taken.has(name)) return name
  }
}

/** Members that say nothing are left out, and so are modifications without any. */
export function withModifications(rule: ResponseRule, part: Partial<RuleModifications>): ResponseRule {
  const { responseModifications: before, ...rest } = rule
  const entries = Object.entries({ ...before, ...part }).filter(([, value]) => !isNothing(value))
  return entries.length === 0 ? rest : { ...rest, responseModifications: modifications.parse(Object.fromEntries(entries)) }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0)
}

/** One in each line; empty lines say nothing. */
export function linesOf(source: string): string[] {
  return source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
