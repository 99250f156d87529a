import type { AccessFinding, AccessStep, AccessVerdict, getUserAccess, Reply, User } from '@causeway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCornerDownRight, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { ErrorState } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { ExtendMenu } from '../form/extend-menu.tsx'
import { useUserCommands } from '../use-user-commands.tsx'
import { userAccessQuery } from '../users.queries.ts'
import classes from './user-overview.module.css'

const ICONS = { good: IconCheck, warning: IconAlertTriangle, bad: IconX, follows: IconCornerDownRight } as const

/** Why a user can or cannot connect: a verdict per step, and beside a failed one the button that fixes it. */
export function AccessChain({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const access = useQuery(userAccessQuery(user.uuid))
  if (access.isPending) return <Skeleton height={270} aria-busy />
  if (access.isError) return <ErrorState error={access.error} onRetry={() => void access.refetch()} />
  const { steps, astray } = access.data
  return (
    <>
      <p className={classes['verdict']}>{t(answerKey(access.data))}</p>
      <ol className={classes['chain']}>
        {steps.map((step) => (
          <Step key={step.finding} step={step} user={user} />
        ))}
      </ol>
      {astray.length > 0 && (
        <ul className={classes['astray']}>
          {astray.map((host) => (
            <AstrayHost key={host.uuid} host={host} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Partly and not yet are neither a plain yes nor a plain no. */
function answerKey({ canConnect, steps }: Pick<Reply<typeof getUserAccess>, 'canConnect' | 'steps'>) {
  const has = (wanted: AccessVerdict) => steps.some(({ verdict }) => verdict === wanted)
  if (has('bad')) return 'access.cannot'
  if (!canConnect) return 'access.soon'
  return has('warning') ? 'access.partly' : 'access.can'
}

/** A host whose links do not lead in, with what they say and what the inbound takes. */
function AstrayHost({ host }: { host: Reply<typeof getUserAccess>['astray'][number] }) {
  const { t } = useTranslation('users')
  return (
    <li>
      <Link to="/dashboard/management/hosts" search={{ edit: host.uuid }}>
        <bdi>{host.remark}</bdi>
      </Link>{' '}
      {host.misfits.map(({ part, link, inbound }) => (
        <span key={part}>
          {t(`access.part.${part}`)}
          {link !== '' && <bdi dir="ltr">{` ${link} ≠ ${inbound}`}</bdi>}
        </span>
      ))}
    </li>
  )
}

function Step({ step, user }: { step: AccessStep; user: User }) {
  const { t, i18n } = useTranslation('users')
  const Icon = ICONS[step.verdict]
  const number = numberFormat(i18n.language)
  const { count = 0, of = 0 } = step
  return (
    <li className={classes['step']} data-verdict={step.verdict}>
      <Icon size={16} role="img" aria-label={t(`access.verdict.${step.verdict}`)} />
      <span className={classes['stepText']}>
        {t(`access.finding.${step.finding}`, { shown: number.format(count), all: number.format(of) })}
      </span>
      {(step.verdict === 'warning' || step.verdict === 'bad') && <Fix finding={step.finding} user={user} />}
    </li>
  )
}

/** The fix of a step, where this page has one. */
function Fix({ finding, user }: { finding: AccessFinding; user: User }): ReactNode {
  const { t } = useTranslation('users')
  const navigate = useNavigate()
  const commands = useUserCommands(user, () => {})
  const devices = useDialog('devices')
  const nodes = useDialog('nodes')
  const qr = useDialog('qr')
  const edit = () => void navigate({ to: '.', search: (old) => ({ ...old, user: undefined, edit: user.uuid }) })
  switch (finding) {
    case 'status.disabled':
      return <FixButton label={t('menu.enable')} isBusy={commands.isBusy} onClick={() => void commands.toggle()} />
    case 'expiry.passed':
      return <ExtendMenu user={user} isCompact />
    case 'limit.usedUp':
      return (
        <>
          <FixButton label={t('menu.resetTraffic')} isBusy={commands.isBusy} onClick={() => void commands.resetTraffic()} />
          <FixButton label={t('access.fix.raise')} onClick={edit} />
        </>
      )
    case 'devices.full':
      return <FixButton label={t('menu.devices')} onClick={() => devices.open(user.uuid)} />
    case 'squads.none':
      return <FixButton label={t('access.fix.squad')} onClick={edit} />
    case 'inbounds.none':
      return <FixLink label={t('access.fix.squads')} to="/dashboard/management/internal-squads" />
    case 'inbounds.onNoNode':
      return <FixLink label={t('access.fix.nodes')} to="/dashboard/management/nodes" />
    case 'hosts.none':
    case 'hosts.someAstray':
    case 'hosts.allAstray':
      return <FixLink label={t('access.fix.hosts')} to="/dashboard/management/hosts" />
    case 'nodes.none':
    case 'nodes.some':
    case 'nodes.allDown':
      return <FixButton label={t('menu.nodes')} onClick={() => nodes.open(user.uuid)} />
    case 'subscription.never':
    case 'subscription.beforeChange':
    case 'subscription.beforeRevoke':
      return <FixButton label={t('menu.qr')} onClick={() => qr.open(user.uuid)} />
    // Said and mended at another step, or nothing is wrong.
    case 'status.expired':
    case 'status.limited':
    case 'nodes.noneThere':
    case 'status.active':
    case 'expiry.ahead':
    case 'expiry.endless':
    case 'limit.unlimited':
    case 'limit.room':
    case 'devices.unlimited':
    case 'devices.room':
    case 'squads.some':
    case 'inbounds.some':
    case 'hosts.some':
    case 'hosts.forwarded':
    // It ends by itself.
    case 'nodes.onTheWay':
    case 'nodes.all':
    case 'subscription.opened':
      return null
  }
}

interface FixButtonProps {
  label: string
  isBusy?: boolean
  onClick: () => void
}

function FixButton({ label, isBusy = false, onClick }: FixButtonProps) {
  return (
    <Button size="compact-xs" variant="default" loading={isBusy} onClick={onClick}>
      {label}
    </Button>
  )
}

type Page = '/dashboard/management/internal-squads' | '/dashboard/management/nodes' | '/dashboard/management/hosts'

function FixLink({ label, to }: { label: string; to: Page }) {
  return (
    <Button size="compact-xs" variant="default" component={Link} to={to}>
      {label}
    </Button>
  )
}
