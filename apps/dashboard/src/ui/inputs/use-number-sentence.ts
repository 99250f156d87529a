import { useTranslation } from 'react-i18next'
import { numeralsOf, writeNumber } from '../../lib/numbers/digits.ts'
import { numberProblem, type NumberEntry, type NumberRule } from '../../lib/numbers/number-entry.ts'

const SAMPLES = { whole: 25, fraction: 2.5 } as const

/** Says why an entry cannot be sent, in the reader's language; null where nothing is against it. */
export function useNumberSentence(): (entry: NumberEntry, rule: NumberRule) => string | null {
  const { t, i18n } = useTranslation('ui')
  const numerals = numeralsOf(i18n.language)
  const write = (value: number) => writeNumber(value, numerals)

  return (entry, rule) => {
    const problem = numberProblem(entry, rule)
    switch (problem?.kind) {
      case undefined:
        return null
      case 'unreadable': {
        const sample = write(rule.decimals === 0 ? SAMPLES.whole : SAMPLES.fraction)
        return t('number.unreadable', { typed: problem.typed, sample })
      }
      case 'ambiguous': {
        const [thousands, fraction] = problem.either
        return t('number.ambiguous', { typed: problem.typed, thousands: write(thousands), fraction: write(fraction) })
      }
      case 'tooLong':
        return t('number.tooLong')
      case 'notWhole':
        return t('number.notWhole')
      case 'decimals':
        return t('number.decimals', { count: problem.most })
      case 'range': {
        const { min, max } = problem
        if (min === undefined) return t('number.most', { max: write(max ?? 0) })
        return max === undefined
          ? t('number.least', { min: write(min) })
          : t('number.range', { min: write(min), max: write(max) })
      }
    }
  }
}
