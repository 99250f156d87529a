import type { Plan } from '@causeway/contract'
import { Alert, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A bulk change may concern thousands. */
const NAMES_SHOWN = 20

/** A plan in words, what hurts first. */
export function PlanText({ plan, label }: { plan: Plan; label: string }) {
  const { t } = useTranslation('config-profiles')
  const { users, nodes } = plan
  const cores = (what: Plan['nodes'][number]['core']) => nodes.filter(({ core }) => core === what).map(({ name }) => name)
  const inbounds = (what: Plan['inbounds'][number]['change']) => plan.inbounds.filter(({ change }) => change === what)
  const hosts = (what: Plan['hosts'][number]['loses']) => plan.hosts.filter(({ loses }) => loses === what).map(({ name }) => name)
  const lines: [string, string[]][] = [
    [t('plan.restarts'), cores('restarts')],
    [t('plan.stops'), cores('stops')],
    [t('plan.moves'), cores('unknown')],
    [t('plan.added'), inbounds('added').map(({ tag }) => tag)],
    [t('plan.changed'), inbounds('changed').map(({ tag }) => tag)],
    [t('plan.goesOn'), inbounds('renamed').map(({ tag, before }) => `${before ?? ''} → ${tag}`)],
    [t('plan.removed'), inbounds('removed').map(({ tag }) => tag)],
    // The caller has already named a deleted one.
    [t('plan.hostsGone'), hosts('itself').length > 1 ? hosts('itself') : []],
    [t('plan.hosts'), hosts('inbound')],
    [t('plan.hostsLeave'), hosts('users')],
    [t('plan.squads'), plan.squads.map(({ name, tags }) => `${name} (${tags.join(', ')})`)],
    [
      t('plan.nodes'),
      nodes
        .filter(({ core, tags }) => core !== 'stops' && tags.length > 0)
        .map(({ name, tags }) => `${name} (${tags.join(', ')})`),
    ],
  ]
  const said = (misfits: Plan['overrides'][number]['misfits']) =>
    misfits.map(({ part, link, inbound }) => `${t(`plan.part.${part}`)}${link === '' ? '' : ` ${link} ≠ ${inbound}`}`).join(', ')
  const following = plan.follows.filter(({ isChosen }) => isChosen)
  const changes = ({ changes: all }: Plan['follows'][number]) =>
    all.map(({ part, from, to }) => `${t(`plan.part.${part}`)} ${from} → ${to || '–'}`).join(', ')
  lines.push(
    [t('plan.follows'), following.map((host) => `${host.name} (${changes(host)})`)],
    [t('plan.overrides'), plan.overrides.map(({ name, misfits }) => `${name} (${said(misfits)})`)],
    [t('plan.unsureHosts'), plan.unsureHosts.map(({ name }) => name)],
  )
  const told = lines.filter(([, names]) => names.length > 0)
  const isRunningOn = nodes.every(({ core }) => core === 'keeps')

  const sentencesOf = ({ all, some, online, unsure, reread, cut }: NonNullable<Plan['users']>) => [
    ...(all > 0 ? [t('plan.all', { count: all })] : []),
    ...(some > 0 ? [t('plan.some', { count: some })] : []),
    ...(all + some > 0 ? [t('plan.online', { count: online })] : []),
    ...(unsure > 0 ? [t('plan.unsureUsers', { count: unsure })] : []),
    ...(reread > 0 ? [t('plan.reread', { count: reread })] : []),
    // Said only where it is proven, from hosts and inbounds as they will be.
    ...(all + some + unsure + reread === 0 ? [t('plan.nobody')] : []),
    ...(cut > 0 ? [t('plan.cut', { count: cut })] : []),
  ]
  const sentences = users ? sentencesOf(users) : []

  function listed(names: string[]): string {
    const shown = names.slice(0, NAMES_SHOWN).join(', ')
    const count = names.length - NAMES_SHOWN
    return count > 0 ? t('plan.more', { names: shown, count }) : shown
  }
  return (
    <Stack gap="sm" role="group" aria-label={label}>
      {plan.problems.length > 0 && (
        <Alert color="red" variant="light" title={t('plan.refused')}>
          {plan.problems.join(' ')}
        </Alert>
      )}
      <Text size="sm" fw={600} {...(users && users.all > 0 ? { c: 'var(--bad)' } : {})}>
        {sentences.join(' ')}
      </Text>
      {plan.notes.length > 0 && (
        <Alert color="gray" variant="light" dir="auto">
          {plan.notes.join(' ')}
        </Alert>
      )}
      {isRunningOn && plan.problems.length === 0 && <Text size="sm">{t('plan.noRestart')}</Text>}
      {told.length > 0 && (
        <dl style={{ margin: 0, display: 'grid', gap: '0.5rem' }}>
          {told.map(([what, names]) => (
            <div key={what}>
              <Text component="dt" size="xs" c="dimmed">
                {what}
              </Text>
              <Text component="dd" size="sm" m={0} dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {listed(names)}
              </Text>
            </div>
          ))}
        </dl>
      )}
    </Stack>
  )
}
