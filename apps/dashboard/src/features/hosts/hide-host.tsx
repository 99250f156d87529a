import type { Host } from '@causeway/contract'
import { Button, Group, Menu, Stack } from '@mantine/core'
import { IconClockPause, IconEye } from '@tabler/icons-react'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DateEntry } from '../../lib/time/date-entry.ts'
import { exactTime } from '../../lib/time/dates.ts'
import { isUntaken } from '../../lib/untaken.ts'
import { DateField } from '../../ui/calendar/date-field.tsx'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { Planned } from '../config-profiles/parts/planned.tsx'
import { useHideHost } from './hosts.queries.ts'

const HOURS = [1, 6, 24] as const

interface Props {
  host: Host
  /** The form of the host is left: what it shows would be old. */
  onDone: () => void
}

/** Disabling a host until a time, after which the server enables it by itself. `items` are for a menu. */
export function useHideUntil({ host, onDone }: Props) {
  const { t, i18n } = useTranslation('hosts')
  const confirm = useConfirm()
  const hide = useHideHost()
  const [isChoosing, setChoosing] = useState(false)

  async function hideUntil(until: Date): Promise<void> {
    const question = {
      title: t('hide.title', { name: host.remark, time: exactTime(until, i18n.language) }),
      body: <Planned change={{ saveHost: { uuid: host.uuid, isDisabled: true } }}>{t('hide.body')}</Planned>,
      action: t('hide.action'),
    }
    if (await confirm(question)) hide.mutate({ uuid: host.uuid, disabledUntil: until.toISOString() }, { onSuccess: onDone })
  }
  const items = (
    <>
      {HOURS.map((count) => (
        <Menu.Item
          key={count}
          leftSection={<IconClockPause size={16} aria-hidden />}
          onClick={() => void hideUntil(dayjs().add(count, 'hours').toDate())}
        >
          {t('hide.hours', { count })}
        </Menu.Item>
      ))}
      <Menu.Item leftSection={<IconClockPause size={16} aria-hidden />} onClick={() => setChoosing(true)}>
        {t('hide.until')}
      </Menu.Item>
      {host.disabledUntil && (
        <Menu.Item
          leftSection={<IconEye size={16} aria-hidden />}
          onClick={() => hide.mutate({ uuid: host.uuid, isDisabled: false }, { onSuccess: onDone })}
        >
          {t('hide.showNow')}
        </Menu.Item>
      )}
    </>
  )
  const modal = (
    <ModalFrame isOpen={isChoosing} onClose={() => setChoosing(false)} title={t('hide.until')} width={420}>
      <ChooseTime
        onChosen={(until) => {
          setChoosing(false)
          void hideUntil(until)
        }}
      />
    </ModalFrame>
  )
  return { items, modal, isBusy: hide.isPending }
}

function ChooseTime({ onChosen }: { onChosen: (until: Date) => void }) {
  const { t } = useTranslation('hosts')
  const [now] = useState(() => new Date())
  const [entry, setEntry] = useState<DateEntry>(() => dayjs(now).add(1, 'day').format('YYYY-MM-DD HH:mm:ss'))
  const until = entry === null || entry === '' || isUntaken(entry) ? undefined : dayjs(entry).toDate()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (until) onChosen(until)
      }}
    >
      <Stack gap="md">
        <DateField label={t('hide.time')} withTime value={entry} onChange={setEntry} minDate={now} data-autofocus />
        <Group justify="flex-end">
          <Button type="submit" disabled={!until}>
            {t('hide.next')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
