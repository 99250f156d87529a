import { SegmentedControl, Select, Skeleton, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAbsent } from '../../../api/call-error.ts'
import { ErrorState } from '../../../ui/frames/states.tsx'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { MachineTextInput } from '../../../ui/inputs/inputs.tsx'
import { devicesOfQuery, previewQuery, type PreviewDraft } from '../subscription-preview.queries.ts'
import { APPS, type AppId, type Preview } from '../subscription-preview.rules.ts'
import { PreviewBody } from './preview-body.tsx'
import { PreviewHeaders } from './preview-headers.tsx'
import { PreviewServers } from './preview-servers.tsx'
import classes from './subscription-preview.module.css'
import { UserPicker } from './user-picker.tsx'

const PAUSE_MS = 400
const STATUSES = ['ACTIVE', 'EXPIRED', 'LIMITED', 'DISABLED'] as const
const TABS = ['servers', 'body', 'headers'] as const

interface Props {
  /** Unsaved parts. */
  draft?: PreviewDraft
  /** The user of the preview; without one the reader may choose. */
  userUuid?: string
  /** The app that is shown first. */
  app?: AppId
  /** The answer that this one is compared with: differences are marked. */
  other?: Preview | undefined
  onRead?: (preview: Preview) => void
}

/** The answer to an app, made by the server as the real one is. Nothing is stored or counted. */
export function SubscriptionPreview({ draft = {}, userUuid, app: firstApp = 'happ', other, onRead }: Props) {
  const { t } = useTranslation('subscription-preview')
  const [picked, setPicked] = useState<string>()
  const [status, setStatus] = useState<(typeof STATUSES)[number] | null>(null)
  const [app, setApp] = useState<AppId>(firstApp)
  const [userAgent, setUserAgent] = useState('')
  const [hwid, setHwid] = useState('')
  const [tab, setTab] = useState<(typeof TABS)[number]>('servers')
  const who = userUuid ?? picked
  const ask = {
    ...draft,
    ...(who === undefined ? {} : { userUuid: who }),
    ...(status === null ? {} : { status }),
    userAgent: APPS.find(({ id }) => id === app)?.userAgent ?? userAgent,
    ...(hwid === '' ? {} : { hwid }),
    ...(app === 'browser' ? { wantsPage: true } : {}),
  }
  // A text, since an object would be another one with every render and so never come to rest.
  const wanted = JSON.stringify(ask)
  const [settled] = useDebouncedValue(wanted, PAUSE_MS)
  const preview = useQuery(previewQuery(ask, wanted === settled))
  const { data } = preview
  // The comparison stands beside, outside of this part.
  useEffect(() => {
    if (data) onRead?.(data)
  }, [data, onRead])
  const isLimited = preview.data !== undefined && preview.data.device !== 'unlimited'
  return (
    <div className={classes['preview']}>
      <div className={classes['asked']}>
        {userUuid === undefined && <UserPicker value={picked} onChange={setPicked} />}
        <Select
          label={t('app')}
          data={[
            ...APPS.map(({ id, name }) => ({ value: id, label: id === 'browser' ? t('browser') : name })),
            otherApp(t('other')),
          ]}
          allowDeselect={false}
          value={app}
          onChange={(next) => setApp(APPS.find(({ id }) => id === next)?.id ?? 'other')}
        />
        {app === 'other' && (
          <MachineTextInput
            label={t('userAgent')}
            maxLength={255}
            value={userAgent}
            onChange={(event) => setUserAgent(event.currentTarget.value)}
          />
        )}
        <Select
          label={t('status.label')}
          placeholder={t('status.own')}
          clearable
          clearButtonProps={{ 'aria-label': t('status.own') }}
          data={STATUSES.map((each) => ({ value: each, label: t(`status.${each}`) }))}
          value={status}
          onChange={(next) => setStatus(STATUSES.find((each) => each === next) ?? null)}
        />
        {isLimited && <DeviceField userUuid={who} value={hwid} onChange={setHwid} />}
      </div>
      {preview.error && isAbsent(preview.error) && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.isError && !isAbsent(preview.error) && (
        <Text size="sm" c="var(--bad)" role="alert">
          {preview.error.message}
        </Text>
      )}
      {preview.isPending ? (
        <Skeleton height={240} aria-busy />
      ) : (
        preview.data && (
          <>
            <Facts preview={preview.data} />
            <SegmentedControl
              fullWidth
              aria-label={t('what')}
              data={TABS.map((each) => ({ value: each, label: t(`tab.${each}`) }))}
              value={tab}
              onChange={setTab}
            />
            {tab === 'servers' && <PreviewServers preview={preview.data} other={other} />}
            {tab === 'body' && <PreviewBody preview={preview.data} other={other} />}
            {tab === 'headers' && <PreviewHeaders preview={preview.data} other={other} />}
          </>
        )
      )}
    </div>
  )
}

function otherApp(label: string) {
  return { value: 'other', label }
}

/** The format and size of the answer, the response rule, and how the device stands. */
function Facts({ preview }: { preview: Preview }) {
  const { t, i18n } = useTranslation('subscription-preview')
  const isRefused = preview.device === 'unnamed' || preview.device === 'tooMany'
  return (
    <p className={classes['facts']} aria-live="polite">
      <strong>{t(`format.${preview.format}`)}</strong>
      <span>{formatBytes(preview.bytes, i18n.language)}</span>
      {preview.rule && (
        <span data-refused={preview.format === 'nothing' || undefined}>
          {preview.rule.name === null ? t('rule.none') : t('rule.named', { name: preview.rule.name })}
        </span>
      )}
      {preview.device !== 'unlimited' && <span data-refused={isRefused || undefined}>{t(`device.${preview.device}`)}</span>}
    </p>
  )
}

interface DeviceProps {
  userUuid: string | undefined
  value: string
  onChange: (hwid: string) => void
}

const NEW_DEVICE = 'a-new-device'

/** Where devices are limited, it matters which of them asks. */
function DeviceField({ userUuid, value, onChange }: DeviceProps) {
  const { t } = useTranslation('subscription-preview')
  const known = useQuery(devicesOfQuery(userUuid)).data?.devices ?? []
  return (
    <Select
      label={t('device.label')}
      allowDeselect={false}
      data={[
        { value: '', label: t('device.none') },
        { value: NEW_DEVICE, label: t('device.another') },
        ...known.map(({ hwid, deviceModel, platform }) => ({ value: hwid, label: deviceModel ?? platform ?? hwid })),
      ]}
      value={value}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}
