import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface Props {
  isOnce: boolean
  onChange: (isOnce: boolean) => void
}

/** Whether added traffic is for this period or for every one. */
export function PeriodChoice({ isOnce, onChange }: Props) {
  const { t } = useTranslation('users')
  return (
    <SegmentedControl
      aria-label={t('addTraffic.for')}
      data={[
        { value: 'once', label: t('addTraffic.once') },
        { value: 'every', label: t('addTraffic.every') },
      ]}
      value={isOnce ? 'once' : 'every'}
      onChange={(value) => onChange(value === 'once')}
    />
  )
}
