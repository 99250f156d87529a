import { Button, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { withProof } from '../../../api/proof.ts'
import { publicKeyQuery } from '../nodes.queries.ts'

/** Stands where the key of the panel would, while the last proof of identity is old. */
export function ShowKey() {
  const { t } = useTranslation('nodes')
  const client = useQueryClient()
  async function onShow(): Promise<void> {
    // A proof that was not given leaves the button as it is.
    await withProof(() => client.fetchQuery(publicKeyQuery())).catch(() => undefined)
  }
  return (
    <div style={{ marginBlockEnd: '1rem' }}>
      <Button variant="default" leftSection={<IconLock size={16} aria-hidden />} onClick={() => void onShow()}>
        {t('publicKey.show')}
      </Button>
      <Text size="xs" c="dimmed" mt={4}>
        {t('publicKey.showHint')}
      </Text>
    </div>
  )
}
