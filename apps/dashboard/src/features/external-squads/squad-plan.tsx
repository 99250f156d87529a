import type { CallInput, ExternalSquad, ExternalSquadPlan, planExternalSquad } from '@causeway/contract'
import { Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Change, SendChange } from '../../api/use-edit-form.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { LoadingRows } from '../../ui/frames/states.tsx'
import { externalSquadPlanQuery } from './external-squads.queries.ts'
import type { SquadForm } from './external-squad-form.ts'

const APPS_SHOWN = 12
type Asked = CallInput<typeof planExternalSquad>
type Patch = NonNullable<Asked['edit']>

/** Effects of a change on subscriptions, below the sentence that announces it: for confirmations. */
export function PlannedSquad({ asked, children }: { asked: Asked; children: ReactNode }) {
  const { t } = useTranslation('external-squads')
  const plan = useQuery(externalSquadPlanQuery(asked))
  return (
    <Stack gap="sm">
      <div>{children}</div>
      {plan.isPending && <LoadingRows count={2} />}
      {plan.isError && (
        <Text size="sm" c="var(--warn)" role="status">
          {t('plan.unknown')}
        </Text>
      )}
      {plan.data && <SquadPlanText plan={plan.data} />}
    </Stack>
  )
}

/** A save that asks first where users get another subscription. */
export function usePlannedSave(squad: ExternalSquad) {
  const { t } = useTranslation('external-squads')
  const client = useQueryClient()
  const confirm = useConfirm()

  async function isAgreed(edit: Patch): Promise<'free' | 'agreed' | 'refused'> {
    const asked = { uuid: squad.uuid, change: 'save' as const, edit }
    // A change that would be refused is refused by the save, at its field.
    const plan = await client.fetchQuery(externalSquadPlanQuery(asked)).catch(() => undefined)
    if (!plan || plan.users === 0 || isSame(plan)) return 'free'
    const question = { title: t('plan.title', { name: squad.name }), action: t('plan.action') }
    return (await confirm({ ...question, body: <SquadPlanText plan={plan} /> })) ? 'agreed' : 'refused'
  }
  return function saving(
    patchOf: (change: Change<SquadForm>) => Patch,
    send: (patch: Patch) => Promise<ExternalSquad>,
  ): SendChange<ExternalSquad, SquadForm> {
    return async (change, isFresh) => {
      const patch = patchOf(change)
      const answer = await isAgreed(patch)
      if (answer === 'refused' || (answer === 'agreed' && !(await isFresh()))) return undefined
      return send(patch)
    }
  }
}

function isSame({ changes, statuses, devices, page }: ExternalSquadPlan): boolean {
  return changes.length + statuses.length === 0 && devices === null && page === null
}

function SquadPlanText({ plan }: { plan: ExternalSquadPlan }) {
  const { t, i18n } = useTranslation('external-squads')
  const { t: of } = useTranslation('subscription-preview')
  const { users, active, apps, changes, statuses, devices, page, leaving } = plan
  const kind = (name: ExternalSquadPlan['changes'][number]['before']) =>
    name === 'refused' ? t('plan.refused') : of(`format.${name}`)
  const formats = changes.filter(({ before, after }) => before !== after)
  const limit = (count: number | null) => (count ? t('devices.limited', { count }) : t('devices.unlimited'))
  const number = numberFormat(i18n.language)
  const pageName = (name: string | null) => name ?? t('plan.defaultPage')
  const lines: [string, string[]][] = [
    [
      t('plan.apps', { count: changes.length, total: apps }),
      changes.length === apps ? [t('plan.allApps')] : unique(changes.map(({ app }) => plainName(app))),
    ],
    [t('plan.formats'), unique(formats.map(({ app, before, after }) => `${plainName(app)}: ${kind(before)} → ${kind(after)}`))],
    [t('plan.headers'), unique(changes.flatMap(({ headers }) => headers))],
    [t('plan.statuses'), statuses.map((status) => of(`status.${status}`))],
    [t('part.devices'), devices ? [`${limit(devices.before)} → ${limit(devices.after)}`] : []],
    [t('part.page'), page ? [`${pageName(page.before)} → ${pageName(page.after)}`] : []],
    [
      t('plan.leaving'),
      leaving.map(({ name, users: count }) => `${name} (${t('membersCounted', { count, shown: number.format(count) })})`),
    ],
  ]
  function listed(names: string[]): string {
    const count = names.length - APPS_SHOWN
    const shown = names.slice(0, APPS_SHOWN).join(', ')
    return count > 0 ? t('plan.more', { names: shown, count }) : shown
  }
  if (users === 0) return <Text size="sm">{t('plan.none')}</Text>
  if (isSame(plan) && leaving.length === 0) return <Text size="sm">{t('plan.same')}</Text>
  return (
    <Stack gap="sm" role="group" aria-label={t('plan.does')}>
      <Text size="sm" fw={600}>
        {t('plan.users', { count: users })} {t('plan.active', { count: active })}
      </Text>
      <dl style={{ margin: 0, display: 'grid', gap: '0.5rem' }}>
        {lines
          .filter(([, names]) => names.length > 0)
          .map(([what, names]) => (
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
      {devices !== null && devices.full > 0 && (
        <Text size="sm" c="var(--warn)">
          {t('plan.full', { count: devices.full })}
        </Text>
      )}
    </Stack>
  )
}

/** Without what tells versions of an app apart, which would read as a name of its own in a list. */
const plainName = (app: string) => app.split(',')[0] ?? app
const unique = (names: readonly string[]) => [...new Set(names)]
