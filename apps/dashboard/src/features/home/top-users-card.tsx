import { trafficPeriod } from '@causeway/contract'
import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TopUsers } from '../users/parts/top-users.tsx'
import { HomeSection } from './home-section.tsx'

/** Top users over the period in the address, `?top=`; the last 7 days by default. */
export function TopUsersCard() {
  const { t } = useTranslation('views')
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const period = trafficPeriod.safeParse(search['top']).data ?? 'week'
  return (
    <HomeSection
      title={t('top.title')}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={t('top.period')}
          value={period}
          onChange={(top) => void navigate({ to: '.', search: (old) => ({ ...old, top }), replace: true, resetScroll: false })}
          data={trafficPeriod.options.map((value) => ({ value, label: t(`period.${value}`) }))}
        />
      }
    >
      <TopUsers period={period} label={t('top.title')} />
    </HomeSection>
  )
}
