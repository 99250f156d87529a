import { Radio, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { candidatesQuery } from './rollouts.queries.ts'

export interface StagedStart {
  isStaged: boolean
  /** The first node; the server's candidate unless chosen. */
  firstNode: string | undefined
}

interface Props {
  /** Of the profile or the snippet. */
  uuid: string
  isOfSnippet?: boolean
  value: StagedStart
  onChange: (value: StagedStart) => void
}

/** Everywhere at once, or one node first. */
export function RolloutChoice({ uuid, isOfSnippet = false, value, onChange }: Props) {
  const { t } = useTranslation('profile-editor')
  return (
    <Radio.Group
      label={t('rollout.how')}
      value={value.isStaged ? 'staged' : 'atOnce'}
      onChange={(how) => onChange({ isStaged: how === 'staged', firstNode: undefined })}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="atOnce" label={t('rollout.atOnce')} />
        <Radio value="staged" label={t('rollout.staged')} />
        {value.isStaged && <FirstNode uuid={uuid} isOfSnippet={isOfSnippet} value={value} onChange={onChange} />}
      </Stack>
    </Radio.Group>
  )
}

function FirstNode({ uuid, isOfSnippet = false, value, onChange }: Props) {
  const { t } = useTranslation('profile-editor')
  const candidates = useQuery(candidatesQuery(uuid, isOfSnippet))
  if (candidates.isError) return <ErrorState error={candidates.error} onRetry={() => void candidates.refetch()} />
  if (candidates.isPending) return <LoadingRows count={3} />
  const { nodes, first, watchSeconds, hasEngine } = candidates.data
  if (first === null) {
    return (
      <Text size="sm" c="var(--bad)" role="status">
        {t('rollout.noNode')}
      </Text>
    )
  }
  const chosen = value.firstNode ?? first
  const isUnused = nodes.some(({ uuid: node, usersRecently }) => node === chosen && usersRecently === 0)
  const others = nodes.filter(({ testsConfig }) => !testsConfig).map(({ name }) => name)
  return (
    <Stack gap="xs" ps="xl">
      <Select
        label={t('rollout.first')}
        allowDeselect={false}
        searchable={nodes.length > 8}
        data={nodes.map((node) => ({
          value: node.uuid,
          // Digits of the words would otherwise be drawn to the name, where the page runs from right to left.
          label: `\u2068${node.name}\u2069 · ${t('rollout.recently', { count: node.usersRecently })}`,
        }))}
        value={chosen}
        onChange={(node) => onChange({ isStaged: true, firstNode: node ?? undefined })}
      />
      <Text size="sm">{t('rollout.watched', { count: watchSeconds })}</Text>
      {isUnused && (
        <Text size="sm" c="var(--warn)" role="status">
          {t('rollout.noneRecently')}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t('rollout.until')}
      </Text>
      {others.length > 0 && (
        <Text size="sm" c="var(--warn)" dir="auto">
          {t(hasEngine ? 'rollout.triedHere' : 'rollout.untried', { nodes: others.join(', ') })}
        </Text>
      )}
    </Stack>
  )
}
