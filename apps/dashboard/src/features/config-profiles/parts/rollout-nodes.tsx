import type { Rollout, RolloutNode } from '@causeway/contract'
import { Button, Code, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../../api/server-sentences.ts'
import { CountryFlag } from '../../../ui/country-flag.tsx'
import { StatusBadge, StatusDot, type StatusColor } from '../../../ui/status-badge.tsx'
import { nodesInMotion, shownState, wavesOf, type ShownState } from '../rollouts/rollouts.rules.ts'
import classes from '../rollouts/rollouts.module.css'

/** A roll-out, or an update of nodes. Its page needs the texts `profile-editor`. */
type Shown = Pick<Rollout, 'state' | 'nodes'>

/** The nodes of a roll-out by waves, each with what became of it. */
export function RolloutNodes({ rollout }: { rollout: Shown }) {
  const { t } = useTranslation('profile-editor')
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rollout.nodes : nodesInMotion(rollout)
  const isFolded = nodesInMotion(rollout).length < rollout.nodes.length
  return (
    <>
      <DrawnWaves rollout={rollout} />
      <ol className={classes['waves']}>
        {wavesOf({ nodes: shown }).map((nodes) => (
          <li key={nodes[0]?.wave}>
            <Text size="xs" c="dimmed">
              {t('rollout.wave', { number: nodes[0]?.wave ?? 1 })}
            </Text>
            <ul className={classes['nodes']} aria-label={t('rollout.wave', { number: nodes[0]?.wave ?? 1 })}>
              {nodes.map((node) => (
                <NodeLine key={node.uuid} rollout={rollout} node={node} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {isFolded && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('rollout.fewer') : t('rollout.all', { count: rollout.nodes.length })}
        </Button>
      )}
    </>
  )
}

/** The waves as a line of dots, one for each node; the list below says the same in words. */
function DrawnWaves({ rollout }: { rollout: Shown }) {
  return (
    <div className={classes['drawn']} aria-hidden>
      {wavesOf(rollout).map((nodes) => (
        <span key={nodes[0]?.wave} className={classes['dots']}>
          {nodes.map((node) => {
            const state = shownState(rollout, node)
            return <StatusDot key={node.uuid} color={nodeColors[state]} isPulsing={state === 'watched' || state === 'starting'} />
          })}
        </span>
      ))}
    </div>
  )
}

const nodeColors: Record<ShownState, StatusColor> = {
  waiting: 'gray',
  skipped: 'gray',
  starting: 'blue',
  watched: 'blue',
  unproven: 'yellow',
  good: 'teal',
  failed: 'red',
  putBack: 'yellow',
  untouched: 'gray',
  left: 'gray',
}

function NodeLine({ rollout, node }: { rollout: Shown; node: RolloutNode }) {
  const { t } = useTranslation('profile-editor')
  const state = shownState(rollout, node)
  const { usersBefore, usersBack, failure, said } = node
  return (
    <li className={classes['node']}>
      <CountryFlag code={node.countryCode} />
      <bdi className={classes['name']}>{node.name}</bdi>
      <StatusBadge color={nodeColors[state]} label={t(`rollout.node.${state}`)} isPulsing={state === 'watched'} />
      {(state === 'watched' || state === 'unproven' || state === 'good') && (
        <Text size="xs" c="dimmed" component="span">
          {/* Others than before may have come, too. */}
          {usersBefore > 0
            ? t('rollout.back', { count: usersBefore, back: Math.min(usersBack, usersBefore) })
            : usersBack > 0
              ? t('rollout.came', { count: usersBack })
              : t('rollout.nobody')}
        </Text>
      )}
      {failure !== null && (
        <div className={classes['why']}>
          <Text size="sm">{t(`rollout.failure.${failure}`, { count: usersBefore, back: usersBack })}</Text>
          {said !== null && (
            <Code block dir="ltr" className={classes['said']}>
              {inOurWords(said)}
            </Code>
          )}
        </div>
      )}
    </li>
  )
}
