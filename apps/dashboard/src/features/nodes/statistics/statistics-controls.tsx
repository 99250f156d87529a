import { NODES_PERIODS } from '@causeway/contract'
import { SegmentedControl, Select } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { periodOf } from './node-series.ts'

// The view is in the address, so that a link shows the same.

export function usePeriod() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    days: periodOf(search['days']),
    choose: (days: string) => void navigate({ to: '.', search: (old) => ({ ...old, days }), replace: true }),
  }
}

export function useFigure() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    figure: search['figure'] === 'speed' ? ('speed' as const) : ('bytes' as const),
    choose: (figure: string) => void navigate({ to: '.', search: (old) => ({ ...old, figure }), replace: true }),
  }
}

export function PeriodSelect() {
  const { t } = useTranslation('node-statistics')
  const { days, choose } = usePeriod()
  return (
    <Select
      aria-label={t('period')}
      data={NODES_PERIODS.map((count) => ({ value: String(count), label: t('days', { count }) }))}
      value={String(days)}
      onChange={(value) => choose(value ?? String(days))}
      allowDeselect={false}
      w={{ base: 100, sm: 130 }}
    />
  )
}

export function FigureSwitch() {
  const { t } = useTranslation('node-statistics')
  const { figure, choose } = useFigure()
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('figure.label')}
      value={figure}
      onChange={choose}
      data={[
        { value: 'bytes', label: t('figure.bytes') },
        { value: 'speed', label: t('figure.speed') },
      ]}
    />
  )
}
