import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useTimeZone } from './use-time-zone.ts'

/** Says beside a period whose days those are. */
export function ZoneNote({ zone }: { zone?: string | undefined }) {
  const { t } = useTranslation('ui')
  const held = useTimeZone()
  const shown = zone ?? held
  return shown === undefined ? null : (
    <Text size="xs" c="dimmed">
      {t('zone', { zone: shown })}
    </Text>
  )
}
