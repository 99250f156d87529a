import { Alert, Button, Group, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

interface Props {
  /** When the rows on screen were read; undefined when there are none. */
  updatedAt: number | undefined
  onRetry: (() => void) | undefined
}

/** The banner of a failed read. Rows that stay on screen are named as old, never passed off as current. */
export function DataTableNotice({ updatedAt, onRetry }: Props) {
  const { t, i18n } = useTranslation('table')
  const time = updatedAt && new Date(updatedAt).toLocaleTimeString(i18n.language)
  return (
    <Alert variant="default" p="xs" icon={<IconPlugConnectedX size={18} color="var(--bad)" />} role="alert">
      <Group gap="sm">
        <Text size="sm">{time ? t('error.stale', { time }) : t('error.loading')}</Text>
        {onRetry && (
          <Button size="compact-xs" variant="default" onClick={onRetry}>
            {t('error.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
