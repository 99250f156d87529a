import { SHORT_UUID_HEADER, type ResponseType, type RuleAnswer, type RuleModifications } from '@causeway/contract'
import { formatOfClientType, formatOfUserAgent, isHapp, readsXrayJson, type SubscriptionFormat } from '@causeway/subscription'
import type { CompiledRule, CompiledRules, ReadHeader } from '../../ground/response-rules/response-rules.rules.ts'

/** How a subscription is refused: by a status, or by closing the connection without an answer. */
export type Refusal = 403 | 404 | 451 | 'drop'

/** The answer to a request, decided before its user is looked at. */
export type Ruling = { rule: CompiledRule | null; type: RuleAnswer['type']; isMatched: boolean } & (
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'page' }
  | { kind: 'format'; format: SubscriptionFormat }
)

export interface RuledRequest {
  userAgent: string
  /** Whether a browser asks. */
  wantsPage: boolean
  shortUuid: string
  read: ReadHeader
  /** Named by the address, which passes by the rules. */
  format?: SubscriptionFormat | undefined
}

/** By the stored rules; without any by the user agent, and by the address where it names a format. */
export function rulingOn(
  rules: CompiledRules | null,
  { serveJsonAtBaseSubscription }: { serveJsonAtBaseSubscription: boolean },
  request: RuledRequest,
): Ruling {
  const { userAgent, wantsPage, format } = request
  if (rules && format && rules.source.settings?.disableSubscriptionAccessByPath === true) return unmatched
  if (!rules || format) {
    if (wantsPage) return { ...unruled, kind: 'page', type: 'BROWSER' }
    return byFormat(null, format ?? formatOfUserAgent(userAgent, serveJsonAtBaseSubscription))
  }
  const read: ReadHeader = (name) => (name === SHORT_UUID_HEADER ? request.shortUuid : request.read(name))
  const rule = userAgent === '' ? undefined : rules.find(read)
  if (!rule) return unmatched
  const { responseType, responseModifications } = rule.rule
  const isJson =
    responseType === 'XRAY_BASE64' &&
    serveJsonAtBaseSubscription &&
    responseModifications?.ignoreServeJsonAtBaseSubscription !== true &&
    (readsXrayJson(userAgent) || userAgent.startsWith('INCY/'))
  return ruled(rule, isJson ? 'XRAY_JSON' : responseType, userAgent)
}

const unruled = { rule: null, isMatched: true } as const
const unmatched: Ruling = { rule: null, isMatched: false, kind: 'refused', type: 'BLOCK', refusal: 403 }

function ruled(rule: CompiledRule, type: ResponseType, userAgent: string): Ruling {
  const refused = (refusal: Refusal): Ruling => ({ rule, type, isMatched: true, kind: 'refused', refusal })
  switch (type) {
    case 'BROWSER':
      return { rule, type, isMatched: true, kind: 'page' }
    case 'BLOCK':
      return refused(403)
    case 'STATUS_CODE_404':
      return refused(404)
    case 'STATUS_CODE_451':
      return refused(451)
    case 'SOCKET_DROP':
      return refused('drop')
    case 'XRAY_JSON':
      return byFormat(rule, { kind: 'xray-json' })
    case 'XRAY_BASE64':
      return byFormat(rule, { kind: 'links' })
    case 'MIHOMO':
      return byFormat(rule, formatOfClientType('mihomo', userAgent))
    case 'STASH':
      return byFormat(rule, { kind: 'stash' })
    case 'CLASH':
      return byFormat(rule, { kind: 'clash' })
    case 'SINGBOX':
      return byFormat(rule, formatOfClientType('singbox', userAgent))
  }
}

const TYPES: Record<SubscriptionFormat['kind'], RuleAnswer['type']> = {
  links: 'XRAY_BASE64',
  'xray-json': 'XRAY_JSON',
  mihomo: 'MIHOMO',
  stash: 'STASH',
  clash: 'CLASH',
  'sing-box': 'SINGBOX',
  outline: 'OUTLINE',
}

function byFormat(rule: CompiledRule | null, format: SubscriptionFormat): Ruling {
  return { rule, type: TYPES[format.kind], isMatched: true, kind: 'format', format }
}

export function modificationsOf(rule: CompiledRule | null): RuleModifications {
  return rule?.rule.responseModifications ?? {}
}

/** Apps that show the descriptions of hosts, of which 2.1 knows one. */
const EXTENDED = /^(?:FlClash ?X|Flowvy|prizrak-box|koala-clash|Happ\/|INCY\/)/i

/** Whether an app is given the descriptions of hosts. */
export function isExtendedApp(rule: CompiledRule | null, userAgent: string): boolean {
  if (!rule) return isHapp(userAgent)
  return EXTENDED.test(userAgent) || rule.extended.some((pattern) => pattern.isMatch(userAgent.toLowerCase()))
}
