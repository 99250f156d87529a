import { createNoticeWay, type NoticeRule, type NoticeWay } from '@causeway/contract'
import { Button } from '@mantine/core'
import { IconListDetails, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { CreateButton } from '../../ui/frames/create-modal.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { EmptyState, ErrorState, LoadingCards } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { GrowingList } from '../../ui/rows/growing-list.tsx'
import { CreateWayModal } from './create-way-modal.tsx'
import { EditWayModal } from './edit-way-modal.tsx'
import { RuleModal } from './rule-modal.tsx'
import { RuleRow } from './rule-row.tsx'
import { TestWayModal } from './test-way-modal.tsx'
import { WayCard } from './way-card.tsx'
import { rulesQuery, waysQuery } from './notices.queries.ts'
import cards from '../../ui/rows/card-list.module.css'
import classes from './notices.module.css'

/** Receivers, and the rules that lead to them. */
export default function NoticesPage() {
  const { t } = useTranslation('notices')
  const [ways, rules] = [useQuery(waysQuery()), useQuery(rulesQuery())]
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <RefreshButton label={t('refresh')} onRefresh={() => void Promise.all([ways.refetch(), rules.refetch()])} />
            <Button
              variant="default"
              leftSection={<IconListDetails size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/dashboard/utils/notices/messages" {...props} />}
            >
              {t('messages.open')}
            </Button>
            <May call={createNoticeWay}>
              <CreateButton label={t('way.create')} />
            </May>
          </>
        }
      />
      {ways.isPending && <LoadingCards className={cards['grid']} height={180} />}
      {ways.isError && <ErrorState error={ways.error} onRetry={() => void ways.refetch()} />}
      {ways.data?.ways.length === 0 && <EmptyState sketch="rows" title={t('way.empty')} hint={t('way.emptyHint')} />}
      <GrowingList className={cards['grid']} label={t('way.list')} items={ways.data?.ways ?? []}>
        {(way) => <WayCard key={way.uuid} way={way} />}
      </GrowingList>
      {rules.isError && <ErrorState error={rules.error} onRetry={() => void rules.refetch()} />}
      {ways.data !== undefined && ways.data.ways.length > 0 && rules.data !== undefined && (
        <Rules ways={ways.data.ways} rules={rules.data.rules} />
      )}
      <CreateWayModal />
      <EditWayModal />
      <TestWayModal />
      <RuleModal />
    </>
  )
}

function Rules({ ways, rules }: { ways: readonly NoticeWay[]; rules: readonly NoticeRule[] }) {
  const { t } = useTranslation('notices')
  const dialog = useDialog('rule')
  return (
    <section className={classes['rules']} aria-labelledby="notice-rules">
      <div className={classes['rulesHead']}>
        <h2 id="notice-rules">{t('rule.list')}</h2>
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => dialog.open('new')}>
          {t('rule.create')}
        </Button>
      </div>
      {rules.length === 0 && <EmptyState sketch="rows" title={t('rule.empty')} hint={t('rule.emptyHint')} />}
      <ul className={classes['ruleList']}>
        {rules.map((rule) => (
          <RuleRow key={rule.uuid} rule={rule} ways={ways} />
        ))}
      </ul>
    </section>
  )
}
