import { useTranslation } from 'react-i18next'
import type { DateFallbacks } from '../../../lib/time/dates.ts'

/** Texts for missing dates, in the reader's language. */
export function useDateFallbacks(): DateFallbacks {
  const { t } = useTranslation('ui')
  return {
    unknownExpiration: t('date.unknownExpiration'),
    notConnectedYet: t('date.notConnectedYet'),
    invalidDate: t('date.invalid'),
  }
}
