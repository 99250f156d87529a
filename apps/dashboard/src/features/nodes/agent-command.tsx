import { SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { numberOf, type NumberEntry } from '../../lib/numbers/number-entry.ts'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { agentCommand, type AgentSource } from './agent-command.rules.ts'
import { publicKeyQuery } from './nodes.queries.ts'

const DEFAULT_PORT = 2222

/** The command that installs and starts the agent of a new node, in one block. */
export function AgentCommand({ port }: { port: NumberEntry }) {
  const { t } = useTranslation('nodes')
  const [source, setSource] = useState<AgentSource>('checkout')
  const key = useQuery(publicKeyQuery()).data
  if (key === undefined) return null
  return (
    <div style={{ marginBlockEnd: '1rem' }}>
      <SegmentedControl
        size="xs"
        mb="xs"
        aria-label={t('agent.source')}
        value={source}
        onChange={setSource}
        data={[
          { value: 'checkout', label: t('agent.checkout') },
          { value: 'package', label: t('agent.package') },
        ]}
      />
      <CopyField
        label={t('agent.label')}
        value={agentCommand(source, { pubKey: key.pubKey, port: numberOf(port) ?? DEFAULT_PORT })}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {t(`agent.${source}Hint`)}
      </Text>
    </div>
  )
}
