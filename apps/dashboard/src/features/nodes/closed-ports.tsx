import type { Node } from '@causeway/contract'
import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Which ports subscribers cannot reach through the node, or that its core still runs without that rule. */
export function ClosedPorts({ rule }: { rule: Node['closingRule'] }) {
  const { t, i18n } = useTranslation('nodes')
  if (!rule) return null
  if (!rule.isDelivered)
    return (
      <Alert color="yellow" mb="md" icon={<IconAlertTriangle aria-hidden />} title={t('closing.open')}>
        {t('closing.openHelp')}
      </Alert>
    )
  if (rule.ports.length === 0) return null
  return (
    <Text size="xs" c="dimmed" mb="md">
      {t('closing.closed', { ports: new Intl.ListFormat(i18n.language).format(rule.ports.map(String)) })}
    </Text>
  )
}
