import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { isServerHeader } from './server-headers.ts'
import { tagName, wireList, wireRecord, wireText } from './wire.ts'

// Rules that choose the answer to a request for a subscription, since 2.2 (docs/response-rules.md). The first rule that matches decides.

export const MAX_RULES = 300
const MAX_CONDITIONS = 50
const MAX_RULE_HEADERS = 30
const MAX_PATTERNS = 30

/** The request header that carries the short id asked for, for conditions on single users. */
export const SHORT_UUID_HEADER = 'x-remnawave-injected-short-uuid'

const TOKEN = /^[!#$%&'*+\-.0-9A-Z^_`a-z|~]+$/
const headerName = z
  .string()
  .max(64, 'header names may have at most 64 characters')
  .regex(TOKEN, "header names may contain only letters, digits and !#$%&'*+-.^_`|~")

export const conditionOperators = [
  'EQUALS',
  'NOT_EQUALS',
  'CONTAINS',
  'NOT_CONTAINS',
  'STARTS_WITH',
  'NOT_STARTS_WITH',
  'ENDS_WITH',
  'NOT_ENDS_WITH',
  'REGEX',
  'NOT_REGEX',
] as const
export type ConditionOperator = (typeof conditionOperators)[number]

export const responseTypes = [
  'XRAY_JSON',
  'XRAY_BASE64',
  'MIHOMO',
  'STASH',
  'CLASH',
  'SINGBOX',
  'BROWSER',
  'BLOCK',
  'STATUS_CODE_404',
  'STATUS_CODE_451',
  'SOCKET_DROP',
] as const
export const responseType = z.enum(responseTypes)
export type ResponseType = z.output<typeof responseType>

const condition = z.object({
  headerName,
  operator: z.enum(conditionOperators),
  value: wireText(255).min(1, 'must not be empty'),
  caseSensitive: z.boolean(),
})
export type RuleCondition = z.output<typeof condition>

const age = z
  .object({
    method: z.enum(['age1', 'age1pq1']).describe('age1pq1 withstands quantum computers as well'),
    key: wireText(4000).describe('the recipient, a public key'),
  })
  .refine(({ method, key }) => key.startsWith(method) && (method === 'age1pq1' || !key.startsWith('age1pq1')), {
    error: ({ input }) => `must begin with ${(input as { method: string }).method}, as keys of this method do`,
    path: ['key'],
  })

const modifications = z.object({
  headers: wireList(
    z.object({
      key: headerName.refine((name) => !isServerHeader(name), {
        error: ({ input }) => `${String(input)} is set by the server and cannot be replaced`,
      }),
      value: wireText(1000)
        .min(1, 'must not be empty')
        .regex(/^[^\p{Cc}]*$/u, 'must not contain line breaks and other control characters'),
    }),
    MAX_RULE_HEADERS,
  ).optional(),
  applyHeadersToEnd: z.boolean().optional().describe('these headers win over all others'),
  subscriptionTemplate: wireText(255).min(1, 'must not be empty').optional().describe('the name of a template'),
  ignoreHostXrayJsonTemplate: z.boolean().optional(),
  ignoreServeJsonAtBaseSubscription: z.boolean().optional(),
  additionalExtendedClientsRegex: wireList(wireText(1000).min(1, 'must not be empty'), MAX_PATTERNS)
    .optional()
    .describe('apps that are given the descriptions of hosts'),
  disableHwidCheck: z.boolean().optional(),
  encryption: age.optional(),
  excludeHostsByTags: wireList(tagName(36), 100)
    .refine((tags) => tags.length > 0, 'must name at least one tag')
    .optional(),
  respondWithRemarks: wireList(wireText(500), 100).optional().describe('since 3.3: texts in place of hosts'),
})
export type RuleModifications = z.output<typeof modifications>

const rule = z.object({
  name: wireText(50).min(1, 'must not be empty'),
  description: wireText(250).min(1, 'must not be empty').optional(),
  enabled: z.boolean(),
  operator: z.enum(['AND', 'OR']),
  conditions: wireList(condition, MAX_CONDITIONS).describe('none: every request matches'),
  responseType,
  responseModifications: modifications.optional(),
})
export type ResponseRule = z.output<typeof rule>

export const responseRules = z
  .object({
    version: z.literal('1'),
    settings: z.object({ disableSubscriptionAccessByPath: z.boolean().optional() }).optional(),
    rules: wireList(rule, MAX_RULES),
  })
  .superRefine(({ rules }, context) => {
    // The history of requests knows rules by their names.
    const places = new Map<string, number>()
    for (const [place, { name }] of rules.entries()) {
      const first = places.get(name)
      if (first === undefined) places.set(name, place)
      else
        context.addIssue({ code: 'custom', path: ['rules', place, 'name'], message: `is the name of rule ${first + 1} as well` })
    }
  })
export type ResponseRules = z.output<typeof responseRules>

const user = (value: string, name: string, type: ResponseType): ResponseRule => ({
  name,
  enabled: true,
  operator: 'AND',
  conditions: [{ headerName: 'user-agent', operator: 'REGEX', value, caseSensitive: false }],
  responseType: type,
})
/** Rules to begin with, those of a new panel of 2.2 and later. */
export const defaultResponseRules: ResponseRules = {
  version: '1',
  rules: [
    {
      name: 'Browsers',
      enabled: true,
      operator: 'AND',
      conditions: [{ headerName: 'accept', operator: 'CONTAINS', value: 'text/html', caseSensitive: true }],
      responseType: 'BROWSER',
    },
    user(
      '^(?:flclash|flowvy|murge|mihomo|prizrak-box|koala-clash|clash-verge|clash-nyanpasu|clashx meta|clash[-. ]?meta)',
      'Mihomo',
      'MIHOMO',
    ),
    user('^stash', 'Stash', 'STASH'),
    user('^(?:sfa|sfi|sfm|sft|karing|singbox)', 'sing-box', 'SINGBOX'),
    user('^clash', 'Clash', 'CLASH'),
    { name: 'All others', enabled: true, operator: 'AND', conditions: [], responseType: 'XRAY_BASE64' },
  ],
}

const tag = 'Response rules'

/** Evaluated on the headers of this very request. */
export const testResponseRules = endpoint({
  name: 'testResponseRules',
  title: 'Test Response Rules',
  tag,
  since: '2.2',
  access: 'tools.use',
  method: 'POST',
  path: '/api/system/testers/srr-matcher',
  body: z.object({ responseRules }),
  response: z.object({
    matched: z.boolean(),
    responseType,
    matchedRule: rule.nullable(),
    inputHeaders: z.record(z.string(), z.string()),
    outputHeaders: z.record(z.string(), z.string()),
  }),
})

/** The answer to a request. `OUTLINE` has no rule: it is chosen by user agent where none are stored. */
const answered = z.object({
  ruleName: z.string().nullable().describe('null: no rule, or none matched'),
  type: z.enum([...responseTypes, 'OUTLINE']),
  isMatched: z.boolean().describe('false: rules are stored and none matches, which is refused'),
})
export type RuleAnswer = z.output<typeof answered>
const change = z.object({ before: answered, after: answered, isChanged: z.boolean() })

/** Own addition: the effect of unsaved rules on known apps, users and one request. Stores nothing. */
export const previewResponseRules = endpoint({
  name: 'previewResponseRules',
  title: 'Preview Response Rules',
  tag,
  access: 'settings.read',
  method: 'POST',
  path: '/api/x/response-rules/preview',
  body: z.object({
    responseRules: responseRules.nullable().describe('null: no rules'),
    headers: wireRecord(headerName, wireText(4000), 50).optional().describe('of a request to try'),
  }),
  response: z.object({
    apps: z.array(change.extend({ name: z.string(), platform: z.string(), userAgent: z.string() })),
    requests: z.object({
      userAgents: z.number().describe('different ones among the kept requests'),
      users: z.number().describe('whose apps would get another answer'),
      changed: z.array(change.extend({ userAgent: z.string(), users: z.number() })).describe('most users first'),
    }),
    missingTemplates: z
      .array(z.object({ rule: z.number(), name: z.string() }))
      .describe('rules, from 0, that name a template which there is not: the default takes its place'),
    trial: change
      .extend({
        conditions: z
          .array(z.array(z.boolean().nullable()))
          .describe('of each rule whether each condition holds; null: the request has no such header'),
      })
      .nullable(),
  }),
})
