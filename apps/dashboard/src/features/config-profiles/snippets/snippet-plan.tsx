import { REASON_MAX_LENGTH, type CallInput, type planChange } from '@causeway/contract'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalFrame } from '../../../ui/frames/frames.tsx'
import { ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { planQuery } from '../config-profiles.queries.ts'
import { PlanText } from '../parts/plan-text.tsx'
import { RolloutChoice, type StagedStart } from '../rollouts/rollout-choice.tsx'
import { candidatesQuery } from '../rollouts/rollouts.queries.ts'

interface Question {
  snippet: NonNullable<CallInput<typeof planChange>['saveSnippet']>
  /** Written before it opens; it can be changed. */
  reason: string
  uuid: string
  /** There are nodes to begin with. */
  hasNodes: boolean
}

export interface Decision {
  reason: string
  /** Nothing where it goes everywhere at once. */
  staged: { firstNodeUuid?: string } | undefined
}

/** Asks before a save, saying which nodes start anew. Resolves to nothing when the person thought better of it. */
export function useSnippetPlan(): { ask: (of: Question) => Promise<Decision | undefined>; dialog: ReactNode } {
  const { t } = useTranslation('config-profiles')
  const [asked, setAsked] = useState<Question & { answer: (decision: Decision | undefined) => void }>()
  function settle(decision: Decision | undefined): void {
    asked?.answer(decision)
    setAsked(undefined)
  }
  return {
    ask: (of) => new Promise((answer) => setAsked({ ...of, answer })),
    dialog: (
      <ModalFrame isOpen={asked !== undefined} onClose={() => settle(undefined)} title={t('plan.title')} width={640}>
        {asked && <PlanForm {...asked} onDecided={settle} />}
      </ModalFrame>
    ),
  }
}

function PlanForm({
  snippet,
  uuid,
  hasNodes,
  reason: given,
  onDecided,
}: Question & { onDecided: (decision: Decision | undefined) => void }) {
  const { t } = useTranslation('profile-editor')
  const { t: profiles } = useTranslation('config-profiles')
  const { t: ui } = useTranslation('ui')
  const [reason, setReason] = useState(given)
  const [how, setHow] = useState<StagedStart>({ isStaged: false, firstNode: undefined })
  const plan = useQuery(planQuery({ saveSnippet: snippet }))
  const candidates = useQuery({ ...candidatesQuery(uuid, true), enabled: how.isStaged })
  const canBegin = !how.isStaged || (candidates.data !== undefined && candidates.data.first !== null)

  function decide(): void {
    const { isStaged, firstNode } = how
    const staged = isStaged ? (firstNode === undefined ? {} : { firstNodeUuid: firstNode }) : undefined
    onDecided({ reason: reason.trim(), staged })
  }
  return (
    <Stack gap="md">
      {plan.isError && <ErrorState error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.isPending && <LoadingRows count={3} />}
      {plan.data && <PlanText plan={plan.data} label={profiles('plan.title')} />}
      {hasNodes && <RolloutChoice uuid={uuid} isOfSnippet value={how} onChange={setHow} />}
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
        <Button disabled={plan.isPending || !canBegin || (plan.data?.problems.length ?? 0) > 0} onClick={decide}>
          {how.isStaged ? t('rollout.begin') : profiles('plan.save')}
        </Button>
      </Group>
    </Stack>
  )
}
