import type { Node } from '@causeway/contract'
import { Button, Group, Text } from '@mantine/core'
import { IconTerminal2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { calendarDate } from '../../../lib/time/dates.ts'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { joinQuery, useRevokeCertificate } from './joining.queries.ts'

/** By what the panel knows the agent of a node, with the way to the line that lets a machine join. */
export function NodeIdentity({ node }: { node: Pick<Node, 'uuid' | 'name'> }) {
  const { t, i18n } = useTranslation('joining')
  const { open } = useDialog('join')
  const identity = useQuery(joinQuery(node.uuid)).data?.identity
  const confirm = useConfirm()
  const revoke = useRevokeCertificate()
  const { uuid, name } = node
  const date = identity?.endsAt ? calendarDate(new Date(identity.endsAt), i18n.language) : ''

  async function askAndRevoke(): Promise<void> {
    const question = { title: t('revoke.title', { name }), body: t('revoke.body'), action: t('revoke.action'), isDangerous: true }
    if (await confirm(question)) revoke.mutate({ uuid })
  }
  return (
    <Group gap="sm" mb="md" role="group" aria-label={t('identity.label')}>
      <Button size="xs" variant="default" leftSection={<IconTerminal2 size={14} aria-hidden />} onClick={() => open(uuid)}>
        {t('open')}
      </Button>
      {identity && (
        <Text size="xs" c={identity.kind === 'revoked' ? 'var(--bad)' : 'dimmed'} style={{ flex: 1, minWidth: '14rem' }}>
          {t(`identity.${identity.kind}`, { date })} {identity.isCalling && t('identity.calling')}
        </Text>
      )}
      {(identity?.kind === 'ownKey' || identity?.kind === 'joining') && (
        <Button size="xs" variant="subtle" color="red" loading={revoke.isPending} onClick={() => void askAndRevoke()}>
          {t('revoke.action')}
        </Button>
      )}
    </Group>
  )
}
