import type { ResponseRule, RuleAnswer, RuleModifications } from '@causeway/contract'
import type { TFunction } from 'i18next'

type Words = TFunction<'response-rules'>

/** Keeps texts of another direction together within a sentence. */
const isolated = (text: string) => `\u2068${text}\u2069`
/** The same for names of headers and patterns, which run from left to right whatever they begin with. */
const machine = (text: string) => `\u2066${text}\u2069`

/** When a rule applies, as a sentence. */
export function whenWords({ conditions, operator }: ResponseRule, t: Words): string {
  if (conditions.length === 0) return t('whenAlways')
  const said = conditions.map(({ headerName, operator: how, value }) =>
    t(`operator.${how}`, { header: machine(headerName), value: machine(value) }),
  )
  return t('when', { conditions: said.join(` ${t(operator === 'AND' ? 'and' : 'or')} `) })
}

/** The modifications of a rule, one phrase each. */
export function modificationWords(modifications: RuleModifications, t: Words): string[] {
  const { headers = [], respondWithRemarks = [], excludeHostsByTags = [], additionalExtendedClientsRegex = [] } = modifications
  const phrases: [boolean, () => string][] = [
    [
      modifications.subscriptionTemplate !== undefined,
      () => t('adds.template', { name: isolated(modifications.subscriptionTemplate ?? '') }),
    ],
    [
      headers.length > 0,
      () => t(modifications.applyHeadersToEnd ? 'adds.lastHeaders' : 'adds.headers', { count: headers.length }),
    ],
    [respondWithRemarks.length > 0, () => t('adds.texts', { count: respondWithRemarks.length })],
    [excludeHostsByTags.length > 0, () => t('adds.tags', { tags: isolated(excludeHostsByTags.join(', ')) })],
    [modifications.disableHwidCheck === true, () => t('adds.hwid')],
    [modifications.encryption !== undefined, () => t('adds.encryption', { method: modifications.encryption?.method ?? '' })],
    [additionalExtendedClientsRegex.length > 0, () => t('adds.descriptions')],
    [modifications.ignoreServeJsonAtBaseSubscription === true, () => t('adds.noJson')],
    [modifications.ignoreHostXrayJsonTemplate === true, () => t('adds.noHostTemplate')],
  ]
  return phrases.flatMap(([isThere, words]) => (isThere ? [words()] : []))
}

/** The answer to a request, with the rule that decides it. */
export function answerWords({ type, ruleName, isMatched }: RuleAnswer, t: Words): string {
  if (!isMatched) return t('unmatched')
  return ruleName === null ? t(`type.${type}`) : t('byRule', { type: t(`type.${type}`), name: isolated(ruleName) })
}
