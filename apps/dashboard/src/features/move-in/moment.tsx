import type { MoveIn } from '@causeway/contract'
import { Alert, Button, Text } from '@mantine/core'
import { IconCircle, IconCircleCheck, IconCircleMinus } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { NodeStateBadge } from '../nodes/parts/node-state-badge.tsx'
import { Card } from './card.tsx'
import { useMarkMoveIn } from './move-in.queries.ts'
import { doneSteps, skippedSteps, STEPS, type Step } from './move-in.rules.ts'
import classes from './move-in.module.css'

/** The moment of moving in five steps, the fourth with each node's state. */
export function Moment({ state }: { state: MoveIn }) {
  const { t } = useTranslation('move-in')
  const mark = useMarkMoveIn()
  const confirm = useConfirm()
  const done = doneSteps(state)
  const skipped = skippedSteps(done)
  const current = STEPS.find((step) => !done.has(step) && !skipped.includes(step))
  const times: Partial<Record<Step, string | null>> = { stop: state.stoppedAt, import: state.importedAt, start: state.startedAt }
  const isBusy = state.running !== null || mark.isPending
  const list = useFocusOfStep(current)
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
      <ol ref={list} className={classes['steps']}>
        {STEPS.map((step) => (
          <StepRow
            key={step}
            step={step}
            help={t(step === 'connect' && state.panel !== 'remnawave' ? 'connectAnew' : `step.${step}.help`)}
            progress={done.has(step) ? 'done' : skipped.includes(step) ? 'skipped' : 'open'}
            at={done.has(step) ? (times[step] ?? null) : null}
            isCurrent={step === current}
          >
            {step === 'stop' && !done.has('stop') && !done.has('start') && (
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
            {step === 'connect' && state.importedAt !== null && state.running === null && <Nodes state={state} />}
          </StepRow>
        ))}
      </ol>
      {done.size + skipped.length === STEPS.length && (
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

/** The button of a step goes once it is done: the keyboard goes on at the next step, unless it is elsewhere. */
function useFocusOfStep(current: Step | undefined) {
  const list = useRef<HTMLOListElement>(null)
  const before = useRef(current)
  useEffect(() => {
    const isNext = before.current !== current
    before.current = current
    const step = list.current?.querySelector('[aria-current]')
    if (isNext && document.activeElement === document.body && step instanceof HTMLElement) step.focus({ preventScroll: true })
  }, [current])
  return list
}

interface StepProps {
  step: Step
  help: string
  progress: keyof typeof PROGRESS
  at: string | null
  isCurrent: boolean
  children: ReactNode
}

const PROGRESS = {
  done: { Icon: IconCircleCheck, label: 'stepDone', color: 'var(--good)' },
  skipped: { Icon: IconCircleMinus, label: 'stepSkipped', color: 'var(--warn-mark)' },
  open: { Icon: IconCircle, label: 'stepOpen', color: 'var(--idle)' },
} as const

function StepRow({ step, help, progress, at, isCurrent, children }: StepProps) {
  const { t } = useTranslation('move-in')
  const { Icon, label, color } = PROGRESS[progress]
  return (
    <li className={classes['step']} aria-current={isCurrent ? 'step' : undefined} tabIndex={isCurrent ? -1 : undefined}>
      <Icon size={20} role="img" aria-hidden={false} aria-label={t(label)} color={color} />
      <div className={classes['body']}>
        <Text size="sm" fw={600}>
          {t(`step.${step}.name`)}
          {at !== null && (
            <Text span size="sm" c="dimmed" fw={400}>
              {' · '}
              <RelativeTime at={at} />
            </Text>
          )}
        </Text>
        <Text size="sm" c="dimmed">
          {help}
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
