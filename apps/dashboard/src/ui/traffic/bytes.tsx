import { useTranslation } from 'react-i18next'
import { splitBytes } from '../../lib/numbers/bytes.ts'

/** A size with its unit, in the figures of the language. */
export function Bytes({ value, isPerSecond = false }: { value: number; isPerSecond?: boolean }) {
  const { t, i18n } = useTranslation('ui')
  const { amount, unit } = splitBytes(value, i18n.language)
  return (
    <bdi style={{ whiteSpace: 'nowrap' }}>
      {amount} {isPerSecond ? t('perSecond', { unit }) : unit}
    </bdi>
  )
}
