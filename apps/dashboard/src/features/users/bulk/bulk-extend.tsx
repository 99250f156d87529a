import { MOST_EXTENDED } from '@causeway/contract'
import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { numberProblem, type NumberEntry } from '../../../lib/numbers/number-entry.ts'
import { NumberField } from '../../../ui/inputs/number-field.tsx'
import { useBulkActions } from '../users.queries.ts'
import classes from './bulk.module.css'
import { ExtensionPreview } from './expiry-preview.tsx'
import type { BulkRun } from './use-bulk-run.tsx'
import { toChanged, type UsersTarget } from './users-target.ts'

type Unit = keyof typeof MOST_EXTENDED

/** Extends many users at once, each from their own expiry. */
export function BulkExtend({ target, run }: { target: UsersTarget; run: BulkRun }) {
  const { t } = useTranslation('users')
  const who = target.which
  const { extend } = useBulkActions()
  const [count, setCount] = useState<NumberEntry>(1)
  const [unit, setUnit] = useState<Unit>('months')
  const rule = { decimals: 0, min: 1, max: MOST_EXTENDED[unit] }
  const taken = typeof count === 'number' && numberProblem(count, rule) === undefined ? count : undefined
  const by = t(`bulk.extend.${unit}`, { count: taken ?? 0 })

  function send(count: number): void {
    const question = {
      title: who.all ? t('bulk.extend.allQuestion', { by }) : t('bulk.extend.question', { by }),
      note: <ExtensionPreview who={who} />,
    }
    void run.whenAgreed(
      'extend',
      () => extend.mutate({ ...toChanged(target), [unit]: count }, { onSuccess: run.finish }),
      question,
    )
  }
  return (
    <section className={classes['extend']} aria-label={t('bulk.extend.title')}>
      <div className={classes['extendInputs']}>
        <NumberField label={t('bulk.extend.title')} rule={rule} w={110} value={count} onChange={setCount} />
        <SegmentedControl
          aria-label={t('bulk.extend.unit')}
          data={[
            { value: 'days', label: t('bulk.extend.unitDays') },
            { value: 'months', label: t('bulk.extend.unitMonths') },
          ]}
          value={unit}
          onChange={(value) => setUnit(value === 'days' ? 'days' : 'months')}
        />
        <Button loading={extend.isPending} disabled={taken === undefined} onClick={() => taken !== undefined && send(taken)}>
          {taken === undefined ? t('bulk.extend.title') : t('bulk.extend.action', { by })}
        </Button>
      </div>
      <ExtensionPreview who={who} />
    </section>
  )
}
