import type { ConfigProfile, Rollout } from '@causeway/contract'
import { Button, Group, Progress, Text } from '@mantine/core'
import { IconArrowBackUp, IconFileImport, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../../api/server-sentences.ts'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { RolloutNodes } from '../parts/rollout-nodes.tsx'
import { rolloutConfigQuery, useRollout, useRolloutActions } from './rollouts.queries.ts'
import { awaitsProofOf, isFirstGone, isTold, turnsOver } from './rollouts.rules.ts'
import classes from './rollouts.module.css'

interface Props {
  /** Or the snippet. */
  profile: Pick<ConfigProfile, 'uuid' | 'updatedAt'>
  /** Puts a text into the editor. */
  onTake: (text: string) => void
}

/** How far a new revision of the profile has come, or why it was put back. */
export function RolloutStrip({ profile, onTake }: Props) {
  const { t } = useTranslation('profile-editor')
  const rollout = useRollout(profile.uuid)
  if (!rollout || !isTold(rollout, profile)) return null
  const { over, all } = turnsOver(rollout)
  const isRunning = rollout.state === 'running'
  return (
    <section className={classes['strip']} data-state={rollout.state} aria-label={t('rollout.title')}>
      <Group justify="space-between" gap="xs">
        <div role="status">
          <Text size="sm" fw={600} component="span">
            {t(`rollout.state.${isRunning && rollout.isPaused ? 'paused' : rollout.state}`)}
          </Text>{' '}
          <Text size="sm" c="dimmed" component="span">
            {isRunning || rollout.state === 'done' ? t('rollout.progress', { over, count: all }) : null}
            {rollout.state === 'done' && ' · '}
            {!isRunning && <RelativeTime at={rollout.endedAt ?? rollout.startedAt} />}
            {rollout.actorName !== null && (
              <>
                {' · '}
                <bdi>{rollout.actorName}</bdi>
              </>
            )}
          </Text>
        </div>
        {isRunning && <Actions rollout={rollout} />}
        {!isRunning && rollout.state !== 'done' && <TakeText rollout={rollout} onTake={onTake} />}
      </Group>
      {isRunning && <Progress value={all === 0 ? 0 : (over / all) * 100} mt="xs" size="sm" aria-label={t('rollout.title')} />}
      {isRunning && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('rollout.meanwhile')}
        </Text>
      )}
      <AwaitedProof rollout={rollout} />
      {rollout.error !== null && rollout.nodes.every(({ failure }) => failure === null) && (
        <Text size="sm" mt="xs" dir="auto">
          {isFirstGone(rollout) ? t('rollout.firstGone') : inOurWords(rollout.error)}
        </Text>
      )}
      <RolloutNodes rollout={rollout} />
    </section>
  )
}

/** The roll-out waits by itself, and an administrator may have it go on. */
function AwaitedProof({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('profile-editor')
  const confirm = useConfirm()
  const { waiveProof } = useRolloutActions()
  const nodes = awaitsProofOf(rollout)
  if (nodes.length === 0) return null

  async function askAndGoOn(): Promise<void> {
    const question = { title: t('rollout.proof.title'), body: t('rollout.proof.body'), action: t('rollout.proof.waive') }
    if (await confirm(question)) waiveProof.mutate({ uuid: rollout.uuid })
  }
  return (
    <Group justify="space-between" gap="xs" mt="xs">
      <Text size="sm" c="var(--warn)" role="status">
        {t('rollout.proof.waits', { nodes: nodes.map(({ name }) => `\u2068${name}\u2069`).join(', ') })}
      </Text>
      <Button variant="default" size="compact-md" loading={waiveProof.isPending} onClick={() => void askAndGoOn()}>
        {t('rollout.proof.waive')}
      </Button>
    </Group>
  )
}

function Actions({ rollout: { uuid, isPaused } }: { rollout: Rollout }) {
  const { t } = useTranslation('profile-editor')
  const confirm = useConfirm()
  const { pause, goOn, takeBack } = useRolloutActions()

  async function askAndTakeBack(): Promise<void> {
    const question = {
      title: t('rollout.ask.title'),
      body: t('rollout.ask.body'),
      action: t('rollout.takeBack'),
      isDangerous: true,
    }
    if (await confirm(question)) takeBack.mutate({ uuid })
  }
  return (
    <Group gap="xs">
      {isPaused ? (
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={goOn.isPending}
          onClick={() => goOn.mutate({ uuid })}
        >
          {t('rollout.continue')}
        </Button>
      ) : (
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconPlayerPause size={16} aria-hidden />}
          loading={pause.isPending}
          onClick={() => pause.mutate({ uuid })}
        >
          {t('rollout.pause')}
        </Button>
      )}
      <Button
        color="red.7"
        size="compact-md"
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        loading={takeBack.isPending}
        onClick={() => void askAndTakeBack()}
      >
        {t('rollout.takeBack')}
      </Button>
    </Group>
  )
}

/** Nothing that was typed is lost with a roll-out that was put back. */
function TakeText({ rollout, onTake }: { rollout: Rollout; onTake: Props['onTake'] }) {
  const { t } = useTranslation('profile-editor')
  const client = useQueryClient()

  async function take(): Promise<void> {
    const { config } = await client.fetchQuery(rolloutConfigQuery(rollout.uuid))
    onTake(JSON.stringify(config, null, 2))
  }
  return (
    <Button
      variant="default"
      size="compact-md"
      leftSection={<IconFileImport size={16} aria-hidden />}
      onClick={() => void take().catch(() => {})}
    >
      {t('rollout.take')}
    </Button>
  )
}
