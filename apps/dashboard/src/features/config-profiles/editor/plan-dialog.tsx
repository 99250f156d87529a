import { REASON_MAX_LENGTH, type RenamedTag } from '@causeway/contract'
import { orderSections } from '@causeway/xray'
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalFrame } from '../../../ui/frames/frames.tsx'
import { ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { planQuery } from '../config-profiles.queries.ts'
import { PlanText } from '../parts/plan-text.tsx'
import { RolloutChoice, type StagedStart } from '../rollouts/rollout-choice.tsx'
import { candidatesQuery } from '../rollouts/rollouts.queries.ts'

/** What is decided before a save. */
export interface Decision {
  renamed: RenamedTag[]
  /** Hosts that change with their inbounds. */
  followingHosts: string[]
  reason: string
  /** Nothing where it goes everywhere at once. */
  staged: { firstNodeUuid?: string } | undefined
}

interface PlanRequest {
  uuid: string
  /** There are nodes to begin with. */
  hasNodes: boolean
  config: Record<string, unknown>
  /** Written before it opens; it can be changed. */
  reason?: string
  answer: (decision: Decision | undefined) => void
}

/** Asks before a save, saying what it will do. `ask` resolves to nothing when the person thought better of it. */
export function usePlanDialog(): { ask: (of: Omit<PlanRequest, 'answer'>) => Promise<Decision | undefined>; dialog: ReactNode } {
  const { t } = useTranslation('config-profiles')
  const [asked, setAsked] = useState<PlanRequest>()
  function settle(decision: Decision | undefined): void {
    asked?.answer(decision)
    setAsked(undefined)
  }
  return {
    ask: (of) => new Promise((answer) => setAsked({ ...of, answer })),
    dialog: (
      <ModalFrame isOpen={asked !== undefined} onClose={() => settle(undefined)} title={t('plan.title')} width={640}>
        {asked && (
          <PlanForm
            uuid={asked.uuid}
            hasNodes={asked.hasNodes}
            config={asked.config}
            reason={asked.reason ?? ''}
            onDecided={settle}
          />
        )}
      </ModalFrame>
    ),
  }
}

interface FormProps extends Omit<PlanRequest, 'answer'> {
  onDecided: (decision: Decision | undefined) => void
}

function PlanForm({ uuid, hasNodes, config, reason: given = '', onDecided }: FormProps) {
  const { t } = useTranslation('profile-editor')
  const { t: profiles } = useTranslation('config-profiles')
  const { t: ui } = useTranslation('ui')
  const [reason, setReason] = useState(given)
  const [how, setHow] = useState<StagedStart>({ isStaged: false, firstNode: undefined })
  const [isFollowing, setFollowing] = useState(true)
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set())
  const first = useQuery(planQuery({ saveProfile: { uuid, config } }))
  const likely = first.data?.likelyRenamed ?? []
  const renamed = likely.filter(({ from }) => !others.has(from))
  const second = useQuery({ ...planQuery({ saveProfile: { uuid, config, renamed } }), enabled: renamed.length > 0 })
  const bare = renamed.length > 0 ? second : first
  const follows = bare.data?.follows ?? []
  const followingHosts = isFollowing ? follows.map((host) => host.uuid) : []
  const saved = { uuid, config, ...(renamed.length > 0 ? { renamed } : {}), followingHosts }
  const third = useQuery({ ...planQuery({ saveProfile: saved }), enabled: followingHosts.length > 0 })
  const shown = followingHosts.length > 0 ? third : bare
  const candidates = useQuery({ ...candidatesQuery(uuid), enabled: how.isStaged })
  const sections = Object.keys(orderSections(config))
  const isReordered = Object.keys(config).some((key, index) => sections[index] !== key)
  const isRefused = (shown.data?.problems.length ?? 0) > 0
  const canBegin = !how.isStaged || (candidates.data !== undefined && candidates.data.first !== null)

  function decide(): void {
    const { isStaged, firstNode } = how
    const staged = isStaged ? (firstNode === undefined ? {} : { firstNodeUuid: firstNode }) : undefined
    onDecided({ renamed, followingHosts, reason: reason.trim(), staged })
  }
  function choose(from: string, isSame: boolean): void {
    setOthers((before) => new Set(isSame ? [...before].filter((tag) => tag !== from) : [...before, from]))
  }
  return (
    <Stack gap="md">
      {likely.map(({ from, to }) => (
        <Checkbox
          key={from}
          label={t('plan.renamed', { from, to })}
          description={t('plan.renamedHint')}
          checked={!others.has(from)}
          onChange={(event) => choose(from, event.currentTarget.checked)}
        />
      ))}
      {follows.length > 0 && (
        <Checkbox
          label={t('plan.follow')}
          description={t('plan.followHint')}
          checked={isFollowing}
          onChange={(event) => setFollowing(event.currentTarget.checked)}
        />
      )}
      {shown.isError && <ErrorState error={shown.error} onRetry={() => void shown.refetch()} />}
      {shown.isPending && <LoadingRows count={3} />}
      {shown.data && <PlanText plan={shown.data} label={profiles('plan.title')} />}
      {isReordered && (
        <Text size="sm" c="dimmed">
          {t('plan.reordered', { order: sections.join(', ') })}
        </Text>
      )}
      {hasNodes && <RolloutChoice uuid={uuid} value={how} onChange={setHow} />}
      <TextInput
        label={t('plan.reason')}
        description={t('plan.reasonHint')}
        maxLength={REASON_MAX_LENGTH}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => onDecided(undefined)}>
          {ui('cancel')}
        </Button>
        {/* Where the plan itself fails, saving stays possible: the server checks again. What it refuses stands above. */}
        <Button disabled={shown.isPending || !canBegin || isRefused} onClick={decide}>
          {how.isStaged ? t('rollout.begin') : profiles('plan.save')}
        </Button>
      </Group>
    </Stack>
  )
}
