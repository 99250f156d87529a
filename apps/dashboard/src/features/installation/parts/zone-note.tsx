import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useTimeZone } from './use-time-zone.ts'

/** Says beside a period whose days those are. */
export function ZoneNote({ zone }: { zone?: string | undefined }) {
  const { t } = useTranslation('ui')
  const held = useTimeZone()
  const shown = zone ?? held
  return (
    // Its line is there before the zone is known.
    <Text size="xs" c="dimmed" mih="1lh">
      {shown !== undefined && t('zone', { zone: shown })}
    </Text>
  )
}
