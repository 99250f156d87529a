import type { NodePart, NodeUpdate } from '@causeway/contract'
import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconDownload, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../../api/server-sentences.ts'
import { exactTime } from '../../../lib/time/dates.ts'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { RolloutNodes } from '../../config-profiles/parts/rollout-nodes.tsx'
import { turnsOver } from '../../config-profiles/rollouts/rollouts.rules.ts'
import { nodeUpdatesQuery, useNodeUpdateActions } from './node-updates.queries.ts'
import { countOthers, isolated, offersOf, shownUpdateState, toldUpdate } from './node-updates.rules.ts'

/** Offers newer parts to nodes, and shows how far the last update has come. */
export function NodeUpdates() {
  const { t } = useTranslation('node-updates')
  const updates = useQuery(nodeUpdatesQuery())
  const dialog = useDialog('update')
  if (!updates.data) return null
  const now = new Date(updates.dataUpdatedAt)
  const [offers, others, last] = [offersOf(updates.data), countOthers(updates.data), toldUpdate(updates.data, now)]
  if (offers.length === 0 && others === 0 && !last) return null
  return (
    <Paper component="section" withBorder p="md" mb="md" aria-label={t('title')}>
      <Stack gap="sm">
        {offers.map(({ part, version, count }) => (
          <Group key={part} justify="space-between" gap="xs">
            <Text size="sm">
              {part === 'geo'
                ? t('geoAvailable', { version: isolated(version), count })
                : t('available', { part: t(`part.${part}`), version: isolated(version), count })}
            </Text>
            <Button
              variant="default"
              size="compact-md"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => dialog.open(part)}
            >
              {t('update', { part: t(`part.${part}`) })}
            </Button>
          </Group>
        ))}
        {others > 0 && (
          <Text size="xs" c="dimmed">
            {t('others', { count: others })}
          </Text>
        )}
        {last && <LastUpdate update={last} now={now} />}
      </Stack>
    </Paper>
  )
}

function LastUpdate({ update, now }: { update: NodeUpdate; now: Date }) {
  const { t, i18n } = useTranslation('node-updates')
  const { over, all } = turnsOver(update)
  const state = shownUpdateState(update, now)
  const time = update.beginsAt === null ? '' : exactTime(new Date(update.beginsAt), i18n.language)
  const isRunning = update.state === 'running'
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <div role="status">
          <Text size="sm" fw={600} component="span">
            {t(`state.${state}`, { part: t(`part.${update.part}`), version: isolated(update.version), time })}
          </Text>{' '}
          <Text size="sm" c="dimmed" component="span">
            {state !== 'scheduled' && t('progress', { over, count: all })}
            {update.endedAt !== null && (
              <>
                {' · '}
                <RelativeTime at={update.endedAt} />
              </>
            )}
          </Text>
        </div>
        {isRunning && <Actions update={update} />}
      </Group>
      {isRunning && state !== 'scheduled' && (
        <Progress value={all === 0 ? 0 : (over / all) * 100} mt="xs" size="sm" aria-label={t('title')} />
      )}
      {update.error !== null && update.nodes.every(({ failure }) => failure === null) && (
        <Text size="sm" mt="xs" dir="auto">
          {inOurWords(update.error)}
        </Text>
      )}
      {(isRunning || update.state === 'failed') && <RolloutNodes rollout={update} />}
    </div>
  )
}

function Actions({ update: { uuid, part, isPaused } }: { update: NodeUpdate }) {
  const { t } = useTranslation('node-updates')
  const confirm = useConfirm()
  const { pause, goOn, takeBack } = useNodeUpdateActions()

  async function askAndTakeBack(of: NodePart): Promise<void> {
    const question = { title: t('ask.title'), body: t(`ask.${of}`), action: t('takeBack'), isDangerous: true }
    if (await confirm(question)) takeBack.mutate({ uuid })
  }
  const [Icon, action] = isPaused ? [IconPlayerPlay, goOn] : [IconPlayerPause, pause]
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="compact-md"
        leftSection={<Icon size={16} aria-hidden />}
        loading={action.isPending}
        onClick={() => action.mutate({ uuid })}
      >
        {t(isPaused ? 'continue' : 'pause')}
      </Button>
      <Button
        color="red.7"
        size="compact-md"
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        loading={takeBack.isPending}
        onClick={() => void askAndTakeBack(part)}
      >
        {t('takeBack')}
      </Button>
    </Group>
  )
}
