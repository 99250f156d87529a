import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, gibToBytes } from '../../../lib/numbers/bytes.ts'
import { numberProblem, type NumberEntry } from '../../../lib/numbers/number-entry.ts'
import { NumberField } from '../../../ui/inputs/number-field.tsx'
import { PeriodChoice } from '../form/period-choice.tsx'
import { useBulkActions } from '../users.queries.ts'
import { ADDED_GIB_RULE } from '../users.rules.ts'
import classes from './bulk.module.css'
import type { BulkRun } from './use-bulk-run.tsx'
import { toChanged, type UsersTarget } from './users-target.ts'

const FIRST_GIB = 50

/** More traffic for many: until the next reset, or for every period. */
export function BulkAddTraffic({ target, run }: { target: UsersTarget; run: BulkRun }) {
  const { t, i18n } = useTranslation('users')
  const { change } = useBulkActions()
  const [gib, setGib] = useState<NumberEntry>(FIRST_GIB)
  const [isOnce, setOnce] = useState(true)
  const taken = typeof gib === 'number' && numberProblem(gib, ADDED_GIB_RULE) === undefined ? gibToBytes(gib) : undefined
  const by = formatBytes(taken ?? 0, i18n.language)

  function send(bytes: number): void {
    const addition = { kind: 'addTraffic' as const, bytes, isOnce }
    const act = () => change.mutate({ ...toChanged(target), change: addition }, { onSuccess: run.finish })
    void run.whenAgreed('addTraffic', act, { title: t('bulk.addTraffic.question', { by }) })
  }
  return (
    <section className={classes['extend']} aria-label={t('bulk.addTraffic.title')}>
      <div className={classes['extendInputs']}>
        <NumberField label={t('bulk.addTraffic.title')} unit="GiB" rule={ADDED_GIB_RULE} w={130} value={gib} onChange={setGib} />
        <PeriodChoice isOnce={isOnce} onChange={setOnce} />
        <Button loading={change.isPending} disabled={taken === undefined} onClick={() => taken !== undefined && send(taken)}>
          {taken === undefined ? t('bulk.addTraffic.title') : t('bulk.addTraffic.action', { by })}
        </Button>
      </div>
      <Text size="sm" c="dimmed">
        {t(isOnce ? 'addTraffic.onceHint' : 'addTraffic.everyHint')}
      </Text>
    </section>
  )
}
