import type { MoveIn } from '@causeway/contract'
import { Alert, Button, Text } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { NodeStateBadge } from '../nodes/parts/node-state-badge.tsx'
import { Card } from './card.tsx'
import { useMarkMoveIn } from './move-in.queries.ts'
import { doneSteps, STEPS, type Step } from './move-in.rules.ts'
import classes from './move-in.module.css'

/** The moment of moving in five steps, the fourth with each node's state. */
export function Moment({ state }: { state: MoveIn }) {
  const { t } = useTranslation('move-in')
  const mark = useMarkMoveIn()
  const confirm = useConfirm()
  const done = doneSteps(state)
  const current = STEPS.find((step) => !done.has(step))
  const isBusy = state.running !== null || mark.isPending
  async function start(): Promise<void> {
    const isSure =
      done.has('import') ||
      (await confirm({ title: t('start.title'), body: t('start.body'), action: t('start.action'), isDangerous: true }))
    if (isSure) mark.mutate({ mark: 'start' })
  }
  return (
    <Card title={t('moment')}>
      <Text size="sm" c="dimmed">
        {t('momentHelp')}
      </Text>
      <ol className={classes['steps']}>
        {STEPS.map((step) => (
          <StepRow key={step} step={step} isDone={done.has(step)} isCurrent={step === current}>
            {step === 'stop' && !done.has('stop') && (
              <Button size="compact-sm" disabled={isBusy} onClick={() => mark.mutate({ mark: 'stopped' })}>
                {t('step.stop.action')}
              </Button>
            )}
            {step === 'start' && !done.has('start') && (
              <Button
                size="compact-sm"
                variant={current === 'start' ? 'filled' : 'default'}
                disabled={isBusy || state.importedAt === null}
                onClick={() => void start()}
              >
                {t('step.start.action')}
              </Button>
            )}
            {step === 'connect' && state.importedAt !== null && <Nodes state={state} />}
          </StepRow>
        ))}
      </ol>
      {done.size === STEPS.length && (
        <Alert color="teal" role="status" title={t('done.title')}>
          {t('done.help')}
          {state.endedAt === null && (
            <div>
              <Button size="compact-sm" mt="xs" variant="default" disabled={isBusy} onClick={() => mark.mutate({ mark: 'end' })}>
                {t('done.action')}
              </Button>
            </div>
          )}
        </Alert>
      )}
    </Card>
  )
}

interface StepProps {
  step: Step
  isDone: boolean
  isCurrent: boolean
  children: ReactNode
}

function StepRow({ step, isDone, isCurrent, children }: StepProps) {
  const { t } = useTranslation('move-in')
  const Icon = isDone ? IconCircleCheck : IconCircle
  return (
    <li className={classes['step']} aria-current={isCurrent ? 'step' : undefined}>
      <Icon
        size={20}
        role="img"
        aria-hidden={false}
        aria-label={t(isDone ? 'stepDone' : 'stepOpen')}
        color={isDone ? 'var(--good)' : 'var(--idle)'}
      />
      <div className={classes['body']}>
        <Text size="sm" fw={600}>
          {t(`step.${step}.name`)}
        </Text>
        <Text size="sm" c="dimmed">
          {t(`step.${step}.help`)}
        </Text>
        {children}
      </div>
    </li>
  )
}

function Nodes({ state: { nodes, isHeld } }: { state: MoveIn }) {
  const { t, i18n } = useTranslation('move-in')
  if (nodes.length === 0) return <Text size="sm">{t('noNodes')}</Text>
  return (
    <ul className={classes['nodes']}>
      {nodes.map((node) => (
        <li key={node.uuid}>
          <span className={classes['node']}>
            <CountryFlag code={node.countryCode} /> <bdi>{node.name}</bdi>
          </span>
          {isHeld ? <Text size="sm">{t('leftAlone')}</Text> : <NodeStateBadge node={node} />}
          {!isHeld && node.bytes !== null && (
            <span className={classes['figures']}>{t('booked', { bytes: formatBytes(node.bytes, i18n.language) })}</span>
          )}
          {!isHeld && !node.isConnected && node.message !== null && (
            <Text size="sm" c="red" className={classes['reason']!}>
              <bdi>{inOurWords(node.message)}</bdi>
            </Text>
          )}
        </li>
      ))}
    </ul>
  )
}
