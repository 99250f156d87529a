import type { Node, User } from '@causeway/contract'
import { Button, CloseButton, Text } from '@mantine/core'
import { readLocalStorageValue } from '@mantine/hooks'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnproven } from '../../api/proof.ts'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { configProfilesQuery } from '../config-profiles/config-profiles.queries.ts'
import { hostsQuery } from '../hosts/hosts.queries.ts'
import { internalSquadsQuery } from '../internal-squads/internal-squads.queries.ts'
import { agentCommand } from '../nodes/agent-command.rules.ts'
import { nodesQuery, publicKeyQuery } from '../nodes/nodes.queries.ts'
import { ShowKey } from '../nodes/parts/show-key.tsx'
import { NodeStateBadge } from '../nodes/parts/node-state-badge.tsx'
import classes from './first-steps.module.css'
import { doneSteps, FIRST_STEPS, MOST_USERS_AT_FIRST, type FirstStep } from './first-steps.rules.ts'
import { Coming } from './home-head.tsx'
import { HomeSection } from './home-section.tsx'
import { newestUserQuery, QUERY_TIMES, systemStatsQuery } from './home.queries.ts'

/** Kept by the browser: empty until the steps are dismissed. */
const DISMISSED = 'firstStepsDismissed'

/** Where a step leads: the dialog that makes the missing thing, with the only choice picked. */
const WAYS = {
  profile: '/dashboard/management/config-profiles',
  squad: '/dashboard/management/internal-squads',
  node: '/dashboard/management/nodes',
  host: '/dashboard/management/hosts',
  user: '/dashboard/management/users',
} as const

/** The steps from an empty server to the first user online. They tick themselves, and disappear when done or dismissed. */
export function FirstSteps() {
  const { data: stats, isPending } = useQuery(systemStatsQuery())
  const [isDismissed, setDismissed] = useState(() => readLocalStorageValue<boolean>({ key: DISMISSED }) ?? false)

  function dismiss(): void {
    localStorage.setItem(DISMISSED, 'true')
    setDismissed(true)
  }
  if (isDismissed) return null
  if (!stats) return isPending && <Coming />
  if (stats.users.totalUsers > MOST_USERS_AT_FIRST) return null
  const { totalUsers } = stats.users
  return <Steps hasOnline={stats.onlineStats.neverOnline < totalUsers} onDismiss={dismiss} />
}

interface StepsProps {
  hasOnline: boolean
  onDismiss: () => void
}

function Steps({ hasOnline, onDismiss }: StepsProps) {
  const { t } = useTranslation('home')
  const live = { refetchInterval: QUERY_TIMES.stats.refetchInterval }
  const reads = [
    useQuery(configProfilesQuery()),
    useQuery(internalSquadsQuery()),
    useQuery({ ...nodesQuery(), ...QUERY_TIMES.stats }),
    useQuery({ ...hostsQuery(), ...live }),
    useQuery({ ...newestUserQuery(), ...live }),
  ] as const
  const [{ data: profiles }, { data: squads }, { data: nodes }, { data: hosts }, { data: newest }] = reads
  if (!profiles || !squads || !nodes || !hosts || !newest) return reads.some(({ isPending }) => isPending) && <Coming />
  const [user] = newest.users
  const isInUse = hasOnline || Boolean(user?.subLastOpenedAt)
  const done = doneSteps({
    profiles: profiles.total,
    squads: squads.total,
    nodes,
    hosts: hosts.length,
    users: newest.total,
    isInUse,
  })
  if (done.size === FIRST_STEPS.length) return null
  const current = FIRST_STEPS.find((step) => !done.has(step))
  return (
    <HomeSection
      title={t('firstSteps.title')}
      aside={<CloseButton size="sm" aria-label={t('firstSteps.dismiss')} onClick={onDismiss} />}
    >
      <ol className={classes['steps']}>
        {FIRST_STEPS.map((step) => (
          <Step
            key={step}
            step={step}
            isDone={done.has(step)}
            isCurrent={step === current}
            // A node that was added still lacks its agent.
            hasWay={step !== 'node' || nodes.length === 0}
          >
            {step === 'node' && <Agents nodes={nodes} />}
            {step === 'link' && user && !isInUse && <OpenLink user={user} />}
          </Step>
        ))}
      </ol>
      {newest.total === 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('firstSteps.fromElsewhere')} <Link to="/dashboard/utils/move-in">{t('firstSteps.moveIn')}</Link>
        </Text>
      )}
    </HomeSection>
  )
}

interface StepProps {
  step: FirstStep
  isDone: boolean
  isCurrent: boolean
  hasWay: boolean
  children: ReactNode
}

function Step({ step, isDone, isCurrent, hasWay, children }: StepProps) {
  const { t } = useTranslation('home')
  const Icon = isDone ? IconCircleCheck : IconCircle
  const hasOwnPlace = step === 'profile' || step === 'squad'
  return (
    <li className={classes['step']} data-done={isDone || undefined} aria-current={isCurrent ? 'step' : undefined}>
      <Icon
        size={20}
        role="img"
        aria-hidden={false}
        aria-label={t(isDone ? 'firstSteps.done' : 'firstSteps.open')}
        color={isDone ? 'var(--good)' : 'var(--idle)'}
      />
      <div className={classes['body']}>
        <div className={classes['line']}>
          {hasOwnPlace ? (
            <Link to={WAYS[step]} className={classes['name']}>
              {t(`firstSteps.${step}.name`)}
            </Link>
          ) : (
            <span className={classes['name']}>{t(`firstSteps.${step}.name`)}</span>
          )}
          {!isDone && hasWay && step !== 'link' && (
            <Button
              size="compact-sm"
              variant={isCurrent ? 'filled' : 'default'}
              renderRoot={(props) => <Link to={WAYS[step]} search={hasOwnPlace ? {} : { create: 'first' }} {...props} />}
            >
              {t(`firstSteps.${step}.action`)}
            </Button>
          )}
        </div>
        {!isDone && (
          <Text size="sm" c="dimmed">
            {t(`firstSteps.${step}.hint`)}
          </Text>
        )}
        {children}
      </div>
    </li>
  )
}

/** Nodes with their states, and the command for those whose agent has not been heard of. */
function Agents({ nodes }: { nodes: readonly Node[] }) {
  const { t } = useTranslation('home')
  const { data: key, isPending, error } = useQuery(publicKeyQuery())
  const silent = nodes.find(({ isConnected }) => !isConnected)
  if (nodes.length === 0) return null
  const command = key && agentCommand('checkout', { pubKey: key.pubKey, port: silent?.port ?? 2222 })
  return (
    <div className={classes['agents']} role="status">
      {nodes.map((node) => (
        <div key={node.uuid} className={classes['line']}>
          <bdi>{node.name}</bdi>
          <NodeStateBadge node={node} />
        </div>
      ))}
      {silent && isPending && <Coming />}
      {silent && isUnproven(error) && <ShowKey />}
      {silent && command !== undefined && <CopyField label={t('firstSteps.node.command')} value={command} />}
    </div>
  )
}

function OpenLink({ user }: { user: User }) {
  const { t } = useTranslation('home')
  return (
    <div className={classes['link']}>
      <QrCode text={user.subscriptionUrl} label={t('firstSteps.link.of', { name: user.username })} />
      <CopyField label={t('firstSteps.link.of', { name: user.username })} value={user.subscriptionUrl} />
    </div>
  )
}
