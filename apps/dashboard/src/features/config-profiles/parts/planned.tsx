import type { CallInput, Plan, planChange } from '@causeway/contract'
import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError, isAbsent } from '../../../api/call-error.ts'
import type { Change, SendChange } from '../../../api/use-edit-form.ts'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { LoadingRows } from '../../../ui/frames/states.tsx'
import { planQuery } from '../config-profiles.queries.ts'
import { PlanText } from './plan-text.tsx'

type PlannedChange = CallInput<typeof planChange>

/** The consequences of a change for the fleet, below the sentence that announces it: for confirmations. */
export function Planned({ change, children }: { change: PlannedChange; children?: ReactNode }) {
  return (
    <>
      {children !== undefined && <div style={{ marginBottom: '0.75rem' }}>{children}</div>}
      {/* It is asked also where the texts of no page with plans are there, as by the search. */}
      <Suspense fallback={<LoadingRows count={1} />}>
        <PlanOf change={change} />
      </Suspense>
    </>
  )
}

function PlanOf({ change }: { change: PlannedChange }) {
  const { t } = useTranslation('config-profiles')
  const plan = useQuery(planQuery(change))
  if (plan.isPending) return <LoadingRows count={1} />
  if (plan.isSuccess) return <PlanText plan={plan.data} label={t('plan.does')} />
  return isAbsent(plan.error) ? null : <Unknown />
}

function Unknown() {
  const { t } = useTranslation('config-profiles')
  return (
    <Text size="sm" c="var(--warn)" role="status">
      {t('plan.unknown')}
    </Text>
  )
}

/** Asks only where a plan takes something away. Resolves to whether it was asked, and the answer. */
export function usePlanned() {
  const { t } = useTranslation('config-profiles')
  const client = useQueryClient()
  const confirm = useConfirm()

  async function ask(
    change: PlannedChange,
    words = { title: t('plan.title'), action: t('plan.save') },
  ): Promise<'free' | 'agreed' | 'refused'> {
    const plan = await client.fetchQuery(planQuery(change)).catch(whyUnknown)
    if (plan === 'signedOut') return 'refused'
    if (plan === 'none' || (typeof plan === 'object' && !takesAway(plan))) return 'free'
    const body = typeof plan === 'object' ? <PlanText plan={plan} label={words.title} /> : <Unknown />
    return (await confirm({ ...words, body, isDangerous: true })) ? 'agreed' : 'refused'
  }

  /** A save that asks first where its plan takes something away; `planOf` gives none for what never does. */
  function saving<Entity, Form>(
    planOf: (change: Change<Form>) => PlannedChange | undefined,
    send: SendChange<Entity, Form>,
  ): SendChange<Entity, Form> {
    return async (change, isFresh) => {
      const planned = planOf(change)
      const answer = planned === undefined ? 'free' : await ask(planned)
      // While the person thinks, a colleague may save.
      if (answer === 'refused' || (answer === 'agreed' && !(await isFresh()))) return undefined
      return send(change, isFresh)
    }
  }
  return { ask, saving }
}

/** No user is cut off, even for a moment, and no host vanishes: no confirmation is needed. */
function takesAway({ problems, users, hosts, overrides, nodes }: Plan): boolean {
  const isCut = nodes.some(({ isConnected, core }) => isConnected && core !== 'keeps')
  // A caller without users.read gets no count, so the dialog asks.
  const isLost = users === null || users.all + users.some + users.unsure + users.reread > 0
  return problems.length + hosts.length + overrides.length > 0 || isLost || isCut
}

function whyUnknown(error: unknown): 'none' | 'signedOut' | 'unknown' {
  // A server without plans saves as it always did.
  if (isAbsent(error)) return 'none'
  return error instanceof CallError && error.hadSession ? 'signedOut' : 'unknown'
}
