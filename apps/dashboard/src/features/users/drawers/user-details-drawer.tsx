import { neverExpires, type User } from '@causeway/contract'
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { exactTime } from '../../../lib/time/dates.ts'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { CopyButton } from '../../../ui/inputs/copy-field.tsx'
import { MiddleText } from '../../../ui/middle-text.tsx'
import { UserDrawer } from './user-drawer.tsx'
import { DETAIL_NAMES, detailOf } from '../form/user-form.ts'
import { deviceLimitKind } from '../users.rules.ts'
import classes from './user-drawers.module.css'

export function UserDetailsDrawer() {
  const { t } = useTranslation('users')
  return (
    <UserDrawer name="details" title={(user) => user?.username ?? t('menu.details')}>
      {(user) => <Details user={user} />}
    </UserDrawer>
  )
}

function Details({ user }: { user: User }) {
  const { t, i18n } = useTranslation('users')
  const bytes = (value: number) => formatBytes(value, i18n.language)
  const time = (at: string | null | undefined) => (at ? exactTime(new Date(at), i18n.language) : null)
  const number = numberFormat(i18n.language)
  const limit = deviceLimitKind(user.hwidDeviceLimit)
  return (
    <Stack gap="lg">
      <Section title={t('section.user')}>
        <Line label={t('field.username')} value={user.username} />
        <Line label={t('field.uuid')} value={user.uuid} isCode />
        <Line label={t('field.shortUuid')} value={user.shortUuid} isCode />
        <Line label={t('column.status')} value={t(`status.${user.status}`)} />
        {DETAIL_NAMES.map((name) => (
          <Line key={name} label={t(`field.${name}`)} value={detailOf(name, user)} />
        ))}
        <Line
          label={t('field.hwidDeviceLimit')}
          value={limit === 'own' ? number.format(user.hwidDeviceLimit ?? 0) : t(`deviceLimit.${limit}`)}
        />
      </Section>
      <Section title={t('section.traffic')}>
        <Line label={t('detail.used')} value={bytes(user.usedTrafficBytes)} />
        <Line label={t('detail.limit')} value={user.trafficLimitBytes === 0 ? '∞' : bytes(user.trafficLimitBytes)} />
        <Line label={t('column.lifetimeUsedTrafficBytes')} value={bytes(user.lifetimeUsedTrafficBytes)} />
        <Line label={t('field.trafficLimitStrategy')} value={t(`strategy.${user.trafficLimitStrategy}`)} />
        <Line label={t('column.lastTrafficResetAt')} value={time(user.lastTrafficResetAt)} />
      </Section>
      <Section title={t('section.subscription')}>
        <Line label={t('field.subscriptionUrl')} value={user.subscriptionUrl} isCode />
        <Line label={t('detail.happLink')} value={user.happ.cryptoLink} isCode />
        <Line label={t('detail.subLastOpenedAt')} value={time(user.subLastOpenedAt)} />
        <Line label={t('column.subLastUserAgent')} value={user.subLastUserAgent} />
        <Line label={t('column.subRevokedAt')} value={time(user.subRevokedAt)} />
      </Section>
      <Section title={t('section.connection')}>
        <Line label={t('detail.vlessUuid')} value={user.vlessUuid} isCode />
        <Line label={t('detail.trojanPassword')} value={user.trojanPassword} isCode />
        <Line label={t('detail.ssPassword')} value={user.ssPassword} isCode />
        <Line label={t('column.nodeName')} value={user.lastConnectedNode?.nodeName} />
        <Line label={t('column.firstConnectedAt')} value={time(user.firstConnectedAt)} />
        <Line label={t('column.onlineAt')} value={time(user.onlineAt)} />
      </Section>
      <Section title={t('section.squads')}>
        {user.activeInternalSquads.length === 0 && <Line label={t('field.activeInternalSquads')} value={null} />}
        {user.activeInternalSquads.map(({ uuid, name }) => (
          <Line key={uuid} label={name} value={uuid} isCode />
        ))}
      </Section>
      <Section title={t('section.times')}>
        <Line label={t('column.expireAt')} value={neverExpires(new Date(user.expireAt)) ? '∞' : time(user.expireAt)} />
        <Line label={t('column.createdAt')} value={time(user.createdAt)} />
        <Line label={t('detail.updatedAt')} value={time(user.updatedAt)} />
      </Section>
    </Stack>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Text component="h3" fw={600} size="sm" mb={4}>
        {title}
      </Text>
      <dl className={classes['lines']}>{children}</dl>
    </section>
  )
}

function Line({ label, value, isCode = false }: { label: string; value: string | number | null | undefined; isCode?: boolean }) {
  const { t } = useTranslation('ui')
  const isEmpty = value === null || value === undefined || value === ''
  return (
    <div className={classes['line']}>
      <dt>{label}</dt>
      <dd>
        {isEmpty ? '–' : isCode ? <MiddleText text={String(value)} /> : <span dir="auto">{value}</span>}
        {!isEmpty && <CopyButton value={String(value)} label={t('copyNamed', { name: label })} />}
      </dd>
    </div>
  )
}
