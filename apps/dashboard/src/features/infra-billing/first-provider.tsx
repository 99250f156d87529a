import { Alert, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { providersQuery } from './infra-billing.queries.ts'

/** The first step without any provider, in place of the payment dialog. */
export function FirstProvider() {
  const { t } = useTranslation('infra-billing')
  const navigate = useNavigate()
  const { data } = useQuery(providersQuery())
  if (data?.total !== 0) return null
  return (
    <Alert variant="default" title={t('provider.empty')}>
      <Text size="sm" mb="xs">
        {t('provider.emptyHint')}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => void navigate({ to: '.', search: { provider: 'new' }, replace: true })}
      >
        {t('provider.create')}
      </Button>
    </Alert>
  )
}
