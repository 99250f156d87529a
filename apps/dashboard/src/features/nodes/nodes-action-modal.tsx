import type { Node } from '@causeway/contract'
import { Button, Progress, Text } from '@mantine/core'
import { IconCheck, IconClock, IconLoader2, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../api/call-error.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { FrameFooter, ModalFrame, useIsStillOpen } from '../../ui/frames/frames.tsx'
import { useLingering } from '../../ui/use-lingering.ts'
import { Planned } from '../config-profiles/parts/planned.tsx'
import classes from './nodes.module.css'
import { useNodeAction } from './nodes.queries.ts'
import type { NodeAction } from './nodes.rules.ts'

interface NodesAction {
  action: NodeAction
  nodes: readonly Node[]
}

/** Asks, does it to one node after the other, and says of each what became of it. */
export function NodesActionModal({ asked, onClose }: { asked: NodesAction | undefined; onClose: () => void }) {
  const { t } = useTranslation('nodes')
  const kept = useLingering(asked)
  return (
    <ModalFrame
      isOpen={asked !== undefined}
      onClose={onClose}
      width={520}
      title={kept && t(`bulk.title.${kept.action}`, { count: kept.nodes.length })}
    >
      {kept && <Run {...kept} onClose={onClose} />}
    </ModalFrame>
  )
}

type Outcome = { kind: 'waiting' | 'running' | 'done' } | { kind: 'failed'; why: string }
const ICONS = { waiting: IconClock, running: IconLoader2, done: IconCheck, failed: IconX } as const
const WAITING: Outcome = { kind: 'waiting' }

function Run({ action, nodes, onClose }: NodesAction & { onClose: () => void }) {
  const { t, i18n } = useTranslation('nodes')
  const { t: ui } = useTranslation('ui')
  const { t: api } = useTranslation('api')
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>()
  const { tell, refresh } = useNodeAction(action)
  const isOpen = useIsStillOpen()
  const number = numberFormat(i18n.language)
  const of = (kind: Outcome['kind']) => [...(outcomes?.values() ?? [])].filter((one) => one.kind === kind).length
  const [done, failed] = [of('done'), of('failed')]
  const isRunning = outcomes !== undefined && of('waiting') + of('running') > 0
  const online = nodes.reduce((sum, node) => sum + (node.usersOnline ?? 0), 0)

  /** One after the other: if a whole fleet restarted in the same second, all users would reconnect at once. */
  async function run(some: readonly Node[]): Promise<void> {
    const note = (uuid: string, outcome: Outcome) => setOutcomes((before) => new Map(before).set(uuid, outcome))
    for (const { uuid } of some) note(uuid, WAITING)
    for (const { uuid } of some) {
      // Closing the dialog stops the rest.
      if (!isOpen.current) break
      note(uuid, { kind: 'running' })
      try {
        await tell({ uuid })
        note(uuid, { kind: 'done' })
      } catch (error) {
        const said = error instanceof CallError ? error.serverMessage : undefined
        note(uuid, { kind: 'failed', why: said ?? api('unknownError') })
      }
    }
    refresh()
  }
  return (
    <>
      <Text size="sm" mb="sm">
        {t(`bulk.body.${action}`, { online: t('usersOnline', { count: online }) })}
      </Text>
      {action === 'disable' && outcomes === undefined && (
        <Planned change={{ saveNodes: { uuids: nodes.map(({ uuid }) => uuid), isDisabled: true } }} />
      )}
      {outcomes && (
        <>
          <Progress
            value={((done + failed) / nodes.length) * 100}
            color={failed > 0 ? 'red' : 'cyan'}
            aria-label={t('bulk.progressLabel')}
            mb={4}
          />
          <Text size="sm" mb="sm" role="status">
            {t('bulk.progress', { done: number.format(done), total: number.format(nodes.length) })}
            {failed > 0 && ` ${t('bulk.failed', { count: failed })}`}
          </Text>
        </>
      )}
      <ul className={classes['outcomes']} aria-label={t('title')}>
        {nodes.map(({ uuid, name, countryCode }) => {
          const outcome = outcomes?.get(uuid)
          const Icon = outcome && ICONS[outcome.kind]
          return (
            <li key={uuid} data-outcome={outcome?.kind}>
              {Icon && <Icon size={16} role="img" aria-label={t(`bulk.outcome.${outcome.kind}`)} />}
              <CountryFlag code={countryCode} />
              <bdi>{name}</bdi>
              {outcome?.kind === 'failed' && <span dir="auto">{outcome.why}</span>}
            </li>
          )
        })}
      </ul>
      <FrameFooter>
        <Button variant="default" onClick={onClose} disabled={isRunning}>
          {outcomes ? ui('close') : ui('cancel')}
        </Button>
        {(outcomes === undefined || isRunning) && (
          <Button loading={isRunning} onClick={() => void run(nodes)}>
            {t(`bulk.action.${action}`)}
          </Button>
        )}
        {!isRunning && failed > 0 && (
          <Button onClick={() => void run(nodes.filter(({ uuid }) => outcomes?.get(uuid)?.kind === 'failed'))}>
            {t('bulk.again')}
          </Button>
        )}
      </FrameFooter>
    </>
  )
}
