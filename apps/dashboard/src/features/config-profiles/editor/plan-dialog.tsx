import type { Plan, RenamedTag } from '@causeway/contract'
import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalFrame } from '../../../ui/frames.tsx'
import { ErrorState, LoadingRows } from '../../../ui/states.tsx'
import { planQuery } from '../config-profiles.queries.ts'

/** What is decided before a save. */
export interface Decision {
  renamed: RenamedTag[]
  reason: string
}

interface Asked {
  uuid: string
  config: Record<string, unknown>
  answer: (decision: Decision | undefined) => void
}

/** Asks before a save, saying what it will do. `ask` resolves to nothing when the person thought better of it. */
export function usePlanDialog(): { ask: (of: Omit<Asked, 'answer'>) => Promise<Decision | undefined>; dialog: ReactNode } {
  const { t } = useTranslation('profile-editor')
  const [asked, setAsked] = useState<Asked>()
  function settle(decision: Decision | undefined): void {
    asked?.answer(decision)
    setAsked(undefined)
  }
  return {
    ask: (of) => new Promise((answer) => setAsked({ ...of, answer })),
    dialog: (
      <ModalFrame isOpen={asked !== undefined} onClose={() => settle(undefined)} title={t('plan.title')} width={640}>
        {asked && <PlanForm uuid={asked.uuid} config={asked.config} onDecided={settle} />}
      </ModalFrame>
    ),
  }
}

interface FormProps extends Omit<Asked, 'answer'> {
  onDecided: (decision: Decision | undefined) => void
}

function PlanForm({ uuid, config, onDecided }: FormProps) {
  const { t } = useTranslation('profile-editor')
  const { t: ui } = useTranslation('ui')
  const [reason, setReason] = useState('')
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set())
  const first = useQuery(planQuery({ saveProfile: { uuid, config } }))
  const likely = first.data?.likelyRenamed ?? []
  const renamed = likely.filter(({ from }) => !others.has(from))
  const second = useQuery({ ...planQuery({ saveProfile: { uuid, config, renamed } }), enabled: renamed.length > 0 })
  const shown = renamed.length > 0 ? second : first

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
      {shown.isError && <ErrorState error={shown.error} onRetry={() => void shown.refetch()} />}
      {shown.isPending && <LoadingRows />}
      {shown.data && <PlanText plan={shown.data} />}
      <TextInput
        label={t('plan.reason')}
        description={t('plan.reasonHint')}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => onDecided(undefined)}>
          {ui('cancel')}
        </Button>
        {/* Where the plan itself fails, saving stays possible: the server checks again. */}
        <Button disabled={shown.isPending} onClick={() => onDecided({ renamed, reason: reason.trim() })}>
          {t('plan.save')}
        </Button>
      </Group>
    </Stack>
  )
}

/** The plan in words, what hurts first. */
function PlanText({ plan }: { plan: Plan }) {
  const { t } = useTranslation('profile-editor')
  const { users, nodes } = plan
  const cores = (what: Plan['nodes'][number]['core']) => nodes.filter(({ core }) => core === what).map(({ name }) => name)
  const lines: [string, string[]][] = [
    [t('plan.restarts'), cores('restarts')],
    [t('plan.stops'), cores('stops')],
    [t('plan.added'), plan.inbounds.filter(({ change }) => change === 'added').map(({ tag }) => tag)],
    [t('plan.changed'), plan.inbounds.filter(({ change }) => change === 'changed').map(({ tag }) => tag)],
    [
      t('plan.goesOn'),
      plan.inbounds.filter(({ change }) => change === 'renamed').map(({ tag, before }) => `${before ?? ''} → ${tag}`),
    ],
    [t('plan.removed'), plan.inbounds.filter(({ change }) => change === 'removed').map(({ tag }) => tag)],
    [t('plan.hosts'), plan.hosts.map(({ name }) => name)],
    [t('plan.squads'), plan.squads.map(({ name, tags }) => `${name} (${tags.join(', ')})`)],
    [t('plan.nodes'), nodes.filter(({ tags }) => tags.length > 0).map(({ name, tags }) => `${name} (${tags.join(', ')})`)],
  ]
  const told = lines.filter(([, names]) => names.length > 0)
  return (
    <Stack gap="sm" role="group" aria-label={t('plan.title')}>
      {plan.problems.length > 0 && (
        <Alert color="red" variant="light" title={t('plan.refused')}>
          {plan.problems.join(' ')}
        </Alert>
      )}
      <Text size="sm" fw={600} {...(users.all > 0 ? { c: 'var(--bad)' } : {})}>
        {users.all + users.some === 0
          ? t('plan.nobody')
          : `${t('plan.all', { count: users.all })} ${t('plan.some', { count: users.some })} ${t('plan.online', { count: users.online })}`}
      </Text>
      {told.length === 0 && plan.problems.length === 0 && <Text size="sm">{t('plan.nothing')}</Text>}
      {told.length > 0 && (
        <dl style={{ margin: 0, display: 'grid', gap: '0.5rem' }}>
          {told.map(([what, names]) => (
            <div key={what}>
              <Text component="dt" size="xs" c="dimmed">
                {what}
              </Text>
              <Text component="dd" size="sm" m={0} dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {names.join(', ')}
              </Text>
            </div>
          ))}
        </dl>
      )}
    </Stack>
  )
}
