import { Alert, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isUnproven } from '../../api/proof.ts'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { publicKeyQuery } from './nodes.queries.ts'
import { ShowKey } from './parts/show-key.tsx'

/** The line that names an agent's server. It goes into the agent's environment. */
export function PublicKey() {
  const { t } = useTranslation('nodes')
  const key = useQuery(publicKeyQuery())
  if (isUnproven(key.error)) return <ShowKey />
  if (key.isError) {
    return (
      <Alert color="red" mb="md">
        {t('publicKey.failed')}
      </Alert>
    )
  }
  return (
    <div style={{ marginBlockEnd: '1rem' }}>
      {key.data === undefined ? (
        <Skeleton height={58} />
      ) : (
        <CopyField label={t('publicKey.label')} value={`SSL_CERT="${key.data.pubKey.trim()}"`} />
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {t('publicKey.hint')}
      </Text>
    </div>
  )
}
