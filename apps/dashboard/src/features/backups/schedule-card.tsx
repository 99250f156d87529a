import { updateBackupSchedule, type Backups, type BackupSchedule } from '@causeway/contract'
import { Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { dateFormat } from '../../lib/numbers/formats.ts'
import { numberOf, numberProblem, type NumberEntry } from '../../lib/numbers/number-entry.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { Fact } from '../../ui/fact.tsx'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { backupsQuery, useUpdateBackupSchedule } from './backups.queries.ts'
import classes from './backups.module.css'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const NEVER = 'never'
const RULES = {
  keepDaily: { decimals: 0, min: 1, max: 366 },
  keepWeekly: { decimals: 0, min: 0, max: 520 },
  keepMonthly: { decimals: 0, min: 0, max: 240 },
} as const
const KEPT = ['keepDaily', 'keepWeekly', 'keepMonthly'] as const

/** When backups are made by themselves, and how many of them stay. */
export function ScheduleCard({ schedule }: { schedule: BackupSchedule }) {
  const { t, i18n } = useTranslation('backups')
  const id = useId()
  const dialog = useDialog('schedule')
  const { hour, timeZone, nextAt, keepDaily, keepWeekly, keepMonthly } = schedule
  const kept = [
    t('schedule.days', { count: keepDaily }),
    ...(keepWeekly > 0 ? [t('schedule.weeks', { count: keepWeekly })] : []),
    ...(keepMonthly > 0 ? [t('schedule.months', { count: keepMonthly })] : []),
  ]
  return (
    <section aria-labelledby={id} className={classes['card']}>
      <Group justify="space-between" mb="xs">
        <Title order={2} id={id} fz="md">
          {t('schedule.title')}
        </Title>
        <Button variant="default" size="xs" leftSection={<IconClock size={14} aria-hidden />} onClick={() => dialog.open('edit')}>
          {t(hour === null ? 'schedule.setUp' : 'schedule.change')}
        </Button>
      </Group>
      {hour === null ? (
        <Text size="sm">{t('schedule.off')}</Text>
      ) : (
        <dl className={classes['facts']}>
          <Fact label={t('schedule.daily')}>
            {timeOf(hour, i18n.language)} <bdi className={classes['details']}>{timeZone}</bdi>
          </Fact>
          <Fact label={t('schedule.next')}>{nextAt !== null && <RelativeTime at={nextAt} />}</Fact>
          <Fact label={t('schedule.kept')}>{kept.join(' · ')}</Fact>
        </dl>
      )}
      <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('schedule.edit')} width={440}>
        <EditOpen read={backupsQuery()}>{(opened) => <EditSchedule opened={opened} onClose={dialog.close} />}</EditOpen>
      </ModalFrame>
    </section>
  )
}

type ScheduleForm = { hour: string } & Record<(typeof KEPT)[number], NumberEntry>

function EditSchedule({ opened, onClose }: { opened: Opened<Backups>; onClose: () => void }) {
  const { t, i18n } = useTranslation('backups')
  const edit = useEditForm<Backups, ScheduleForm>({
    opened,
    toForm: ({ schedule }) => ({
      hour: schedule?.hour == null ? NEVER : String(schedule.hour),
      keepDaily: schedule?.keepDaily ?? '',
      keepWeekly: schedule?.keepWeekly ?? '',
      keepMonthly: schedule?.keepMonthly ?? '',
    }),
    fields: {
      hour: { label: t('schedule.hour') },
      keepDaily: { label: t('schedule.keepDaily') },
      keepWeekly: { label: t('schedule.keepWeekly') },
      keepMonthly: { label: t('schedule.keepMonthly') },
    },
  })
  const update = useUpdateBackupSchedule(edit.form)
  const { values } = edit.form
  const isWrong = KEPT.some((name) => values[name] === '' || numberProblem(values[name], RULES[name]) !== undefined)
  const isTurnedOn = opened.entity.schedule?.hour === null && values.hour !== NEVER
  return (
    <EditFrame
      writes={updateBackupSchedule}
      edit={edit}
      isDisabled={isWrong}
      onSave={({ changed }) =>
        update.mutateAsync({
          ...(changed.has('hour') ? { hour: values.hour === NEVER ? null : Number(values.hour) } : {}),
          ...Object.fromEntries(KEPT.filter((name) => changed.has(name)).map((name) => [name, numberOf(values[name])])),
        })
      }
      onSaved={onClose}
    >
      <Stack gap="sm" mb="lg">
        <Select
          label={t('schedule.hour')}
          description={t('schedule.zone', { zone: opened.entity.schedule?.timeZone ?? '' })}
          data={[
            { value: NEVER, label: t('schedule.never') },
            ...HOURS.map((hour) => ({
              value: String(hour),
              label: t('schedule.at', { time: timeOf(hour, i18n.language) }),
            })),
          ]}
          allowDeselect={false}
          data-autofocus
          {...edit.form.getInputProps('hour')}
        />
        {isTurnedOn && <Text size="sm">{t('schedule.first')}</Text>}
        {KEPT.map((name) => (
          <NumberField key={name} label={t(`schedule.${name}`)} rule={RULES[name]} {...edit.form.getInputProps(name)} />
        ))}
        <Text size="sm" c="dimmed">
          {t('schedule.keepHint')}
        </Text>
      </Stack>
    </EditFrame>
  )
}

function timeOf(hour: number, locale: string): string {
  return dateFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(Date.UTC(2000, 0, 1, hour))
}
