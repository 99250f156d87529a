import type { getHwidSettings, HwidDevice, Reply, User } from '@causeway/contract'
import { Accordion, ActionIcon, Badge, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconInfoCircle, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { CopyButton } from '../../../ui/inputs/copy-field.tsx'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { SearchField } from '../../../ui/inputs/search-field.tsx'
import { EmptyState, ErrorState } from '../../../ui/frames/states.tsx'
import { UserDrawer } from './user-drawer.tsx'
import { devicesQuery, hwidSettingsQuery, useDeleteDevice } from '../users.queries.ts'
import { Tooltip } from '../../../ui/frames/tooltip.tsx'
import classes from './user-drawers.module.css'

export function UserDevicesDrawer() {
  const { t } = useTranslation('users')
  return (
    <UserDrawer name="devices" width={560} title={(user) => (user ? <DevicesTitle user={user} /> : t('menu.devices'))}>
      {(user) => <Devices user={user} />}
    </UserDrawer>
  )
}

function DevicesTitle({ user }: { user: User }) {
  const { t, i18n } = useTranslation('users')
  const devices = useQuery(devicesQuery(user.uuid))
  return (
    <Group gap="xs">
      {t('devices.title', { name: user.username })}
      {devices.data && (
        <Badge variant="default" role="img" aria-label={t('devices.count', { count: devices.data.total })}>
          {numberFormat(i18n.language).format(devices.data.total)}
        </Badge>
      )}
    </Group>
  )
}

function Devices({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const [search, setSearch] = useState('')
  const devices = useQuery(devicesQuery(user.uuid))
  const settings = useQuery(hwidSettingsQuery())
  const wanted = search.trim().toLowerCase()
  const shown = devices.data?.devices.filter(({ hwid }) => hwid.toLowerCase().includes(wanted)) ?? []
  return (
    <Stack gap="sm">
      <Accordion variant="contained">
        <Accordion.Item value="note">
          <Accordion.Control icon={<IconInfoCircle size={18} />}>{t('devices.note.title')}</Accordion.Control>
          <Accordion.Panel>
            <Text size="sm">
              {t('devices.note.text')} {settings.data && <LimitNow {...settings.data} />}
            </Text>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
      <SearchField label={t('devices.search')} onSearch={setSearch} />
      {devices.isPending && <Skeleton height={180} aria-busy />}
      {devices.isError && !devices.data && <ErrorState error={devices.error} onRetry={() => void devices.refetch()} />}
      {devices.data && shown.length === 0 && (
        <EmptyState title={devices.data.devices.length === 0 ? t('devices.empty') : t('devices.noMatch')} />
      )}
      <ul className={classes['devices']}>
        {shown.map((device) => (
          <Device key={device.hwid} device={device} />
        ))}
      </ul>
    </Stack>
  )
}

function LimitNow({ isDeviceLimitEnabled, fallbackDeviceLimit }: Reply<typeof getHwidSettings>) {
  const { t } = useTranslation('users')
  return isDeviceLimitEnabled ? t('devices.note.enabled', { count: fallbackDeviceLimit }) : t('devices.note.disabled')
}

function Device({ device }: { device: HwidDevice }) {
  const { t } = useTranslation('users')
  const confirm = useConfirm()
  const remove = useDeleteDevice()
  const { hwid, userUuid } = device

  async function onDelete(): Promise<void> {
    const isAgreed = await confirm({
      title: t('devices.delete.title'),
      body: t('devices.delete.body', { hwid }),
      action: t('devices.delete.action'),
      isDangerous: true,
    })
    if (isAgreed) remove.mutate({ userUuid, hwid })
  }
  const lines = [
    [t('devices.platform'), device.platform],
    [t('devices.osVersion'), device.osVersion],
    [t('devices.model'), device.deviceModel],
    [t('devices.userAgent'), device.userAgent],
  ] as const
  return (
    <li className={classes['device']} aria-label={hwid}>
      <Group gap={4} wrap="nowrap">
        <code className={classes['hwid']}>{hwid}</code>
        <CopyButton value={hwid} label={t('devices.copy')} />
        <Tooltip label={t('devices.delete.open')}>
          <ActionIcon
            color="red"
            aria-label={t('devices.delete.open')}
            loading={remove.isPending}
            onClick={() => void onDelete()}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
      <dl className={classes['lines']}>
        {lines.map(([label, value]) => (
          <div key={label} className={classes['line']}>
            <dt>{label}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
        <div className={classes['line']}>
          <dt>{t('devices.addedAt')}</dt>
          <dd>
            <RelativeTime at={device.createdAt} />
          </dd>
        </div>
      </dl>
    </li>
  )
}
