import type { NoticeRule } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { inDigits, numeralsOf } from '../../lib/numbers/digits.ts'

type Limits = Pick<NoticeRule, 'digest' | 'quietFrom' | 'quietTo' | 'mostPerHour'>

/** Rules in words. */
export function useRuleWords() {
  const { t, i18n } = useTranslation('notices')
  const numerals = numeralsOf(i18n.language)
  return {
    sentence: ({ condition, amount }: Pick<NoticeRule, 'condition' | 'amount'>): string => {
      const count = amount ?? 0
      return t(`sentence.${condition}`, { amount: count, days: t('days', { count }) })
    },
    limits: ({ digest, quietFrom, quietTo, mostPerHour }: Limits): string[] => [
      ...(digest === 'none' ? [] : [t(`digest.${digest}`)]),
      ...(quietFrom === null || quietTo === null
        ? []
        : [t('rule.quiet', { from: inDigits(quietFrom, numerals), to: inDigits(quietTo, numerals) })]),
      ...(mostPerHour === null ? [] : [t('rule.atMost', { count: mostPerHour })]),
    ],
  }
}
