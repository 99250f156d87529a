import type { User } from '@causeway/contract'
import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { dayTotals, lastDays, toSeries } from '../../../ui/chart/chart-series.ts'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { QrCode } from '../../../ui/qr-code.tsx'
import { Sparkline } from '../../../ui/chart/sparkline.tsx'
import { useTimeZone } from '../../installation/parts/use-time-zone.ts'
import { AddTrafficMenu } from '../form/add-traffic-menu.tsx'
import { ExtendMenu } from '../form/extend-menu.tsx'
import { UserStatusBadge } from '../parts/user-status-badge.tsx'
import { UserFacts } from '../parts/user-facts.tsx'
import { LastSeen } from '../table/user-cells.tsx'
import { UserUsageCell } from '../table/user-usage-cell.tsx'
import { UserActionsMenu } from '../user-actions-menu.tsx'
import { usageQuery, userAccessQuery } from '../users.queries.ts'
import { Fact } from '../../../ui/fact.tsx'
import { AccessChain } from './access-chain.tsx'
import { SubscriptionRequests } from './subscription-requests.tsx'
import { UserDeviceNames } from './user-device-names.tsx'
import { UserDrawer } from './user-drawer.tsx'
import classes from './user-overview.module.css'

const OVERVIEW_WIDTH = 620
const DAYS = 30

/** Facts about a user, without a form: `children` are the drawers that open from here. */
export function UserOverviewDrawer({ children }: { children: ReactNode }) {
  const { t } = useTranslation('users')
  return (
    <UserDrawer name="user" width={OVERVIEW_WIDTH} title={(user) => user?.username ?? t('menu.overview')}>
      {(user) => (
        <>
          <Overview user={user} />
          {children}
        </>
      )}
    </UserDrawer>
  )
}

function Overview({ user }: { user: User }) {
  const { t, i18n } = useTranslation('users')
  const navigate = useNavigate()
  const drawer = useDialog('user')
  return (
    <Stack gap="lg">
      <div className={classes['head']}>
        <UserStatusBadge status={user.status} />
        <LastSeen onlineAt={user.onlineAt} />
        <Contact user={user} />
        <div className={classes['actions']}>
          <Button
            leftSection={<IconPencil size={16} />}
            onClick={() => void navigate({ to: '.', search: (old) => ({ ...old, user: undefined, edit: user.uuid }) })}
          >
            {t('overview.edit')}
          </Button>
          <Button
            variant="default"
            onClick={() => void navigate({ to: '/dashboard/management/users/$uuid', params: { uuid: user.uuid } })}
          >
            {t('page.open')}
          </Button>
          <ExtendMenu user={user} />
          <AddTrafficMenu user={user} />
          <UserActionsMenu user={user} onDeleted={drawer.close} />
        </div>
      </div>
      <Section title={t('access.title')}>
        <AccessChain user={user} />
      </Section>
      <Section title={t('section.traffic')}>
        <div className={classes['two']}>
          <div>
            <UserUsageCell user={user} />
            {(user.extraTrafficBytes ?? 0) > 0 && (
              <Text size="xs" c="dimmed">
                {t('addTraffic.extra', { extra: formatBytes(user.extraTrafficBytes ?? 0, i18n.language) })}
              </Text>
            )}
          </div>
          <LastDays user={user} />
        </div>
      </Section>
      <dl className={classes['facts']}>
        <UserFacts user={user} />
        <Maker user={user} />
      </dl>
      <Section title={t('menu.devices')}>
        <UserDeviceNames user={user} />
      </Section>
      <Section title={t('section.subscription')}>
        <div className={classes['link']}>
          <div className={classes['linkText']}>
            <CopyField label={t('field.subscriptionUrl')} value={user.subscriptionUrl} />
            <SubscriptionRequests user={user} />
          </div>
          <div className={classes['qr']}>
            <QrCode text={user.subscriptionUrl} label={t('qr.label', { name: user.username })} />
          </div>
        </div>
      </Section>
    </Stack>
  )
}

/** The administrator or token that made the user, where that is known. */
function Maker({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const { data } = useQuery(userAccessQuery(user.uuid))
  if (!data?.madeBy) return null
  return (
    <Fact label={t('overview.madeBy')}>
      <bdi>{data.madeBy}</bdi>
    </Fact>
  )
}

/** How the user is reached and what is noted about them; nothing where nothing is known. */
export function Contact({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const known = [
    { id: 'email', text: user.email },
    { id: 'telegramId', text: user.telegramId?.toString() },
    { id: 'tag', text: user.tag },
    { id: 'description', text: user.description },
  ] as const
  const shown = known.filter(({ text }) => text)
  if (shown.length === 0) return null
  return (
    <dl className={classes['contact']}>
      {shown.map(({ id, text }) => (
        <div key={id}>
          <dt>{t(`column.${id}`)}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className={classes['title']}>{title}</h3>
      {children}
    </section>
  )
}

/** The traffic of thirty days as a line; the drawer of usage has the figures. */
function LastDays({ user }: { user: User }) {
  const { t, i18n } = useTranslation('users')
  const usageDrawer = useDialog('usage')
  const [now] = useState(() => new Date())
  const zone = useTimeZone()
  const usage = useQuery(usageQuery(user.uuid, DAYS, now, zone))
  if (usage.isPending) return <Skeleton height={56} aria-busy />
  const days = lastDays(DAYS, now, zone)
  const points = (usage.data ?? []).map(({ nodeUuid, nodeName, total, date }) => ({ key: nodeUuid, name: nodeName, total, date }))
  const totals = dayTotals(toSeries(points, days), days.length)
  const total = formatBytes(
    totals.reduce((sum, bytes) => sum + bytes, 0),
    i18n.language,
  )
  return (
    <div className={classes['days']}>
      <Sparkline values={totals} label={t('overview.daysChart', { total })} width={240} height={36} />
      <button type="button" className={classes['daysMore']} onClick={() => usageDrawer.open(user.uuid)}>
        {usage.isError ? t('overview.daysUnknown') : t('overview.days', { total })}
      </button>
    </div>
  )
}
