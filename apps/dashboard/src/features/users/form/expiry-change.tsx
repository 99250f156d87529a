import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { neverExpires } from '@causeway/contract'
import { dateFormat } from '../../../lib/numbers/formats.ts'

/** From when to when an expiry moves; a move back is said. */
export function ExpiryChange({ from, to }: { from: Date; to: Date }) {
  const { t } = useTranslation('users')
  const text = useExpiryChange()(from, to)
  const isBack = to < from
  return (
    <Text size="xs" role="status" c={isBack ? 'var(--warn)' : 'dimmed'}>
      {isBack ? t('expiryChange.back', { text }) : text}
    </Text>
  )
}

/** Both dates in few words, with their years where these are not the running one. */
export function useExpiryChange(): (from: Date, to: Date) => string {
  const { t, i18n } = useTranslation('users')
  return (from, to) => {
    const thisYear = new Date().getFullYear()
    const areYearsShown = from.getFullYear() !== thisYear || to.getFullYear() !== thisYear
    const format = dateFormat(i18n.language, { day: 'numeric', month: 'short', ...(areYearsShown ? { year: 'numeric' } : {}) })
    const words = (date: Date) => (neverExpires(date) ? '∞' : format.format(date))
    return t('expiryChange.text', { from: words(from), to: words(to) })
  }
}
