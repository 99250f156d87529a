import { MOST_EXTENDED } from '@causeway/contract'
import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WholeNumberInput } from '../../../ui/inputs.tsx'
import { useBulkActions } from '../users.queries.ts'
import classes from './bulk.module.css'
import { ExtensionPreview, type WhoExpires } from './expiry-preview.tsx'
import type { BulkRun } from './use-bulk-run.tsx'

type Unit = keyof typeof MOST_EXTENDED

/** The daily task of those who sell access: more time for many, each from their own expiry. */
export function BulkExtend({ who, run }: { who: WhoExpires; run: BulkRun }) {
  const { t } = useTranslation('users')
  const { extend } = useBulkActions()
  const [count, setCount] = useState<number | ''>(1)
  const [unit, setUnit] = useState<Unit>('months')
  const by = t(`bulk.extend.${unit}`, { count: count || 0 })

  function send(): void {
    const question = {
      title: who.all ? t('bulk.extend.allQuestion', { by }) : t('bulk.extend.question', { by }),
      note: <ExtensionPreview who={who} />,
    }
    void run.whenAgreed('extend', () => extend.mutate({ ...who, [unit]: count }, { onSuccess: run.finish }), question)
  }
  return (
    <section className={classes['extend']} aria-label={t('bulk.extend.title')}>
      <div className={classes['extendInputs']}>
        <WholeNumberInput
          label={t('bulk.extend.title')}
          min={1}
          max={MOST_EXTENDED[unit]}
          clampBehavior="strict"
          hideControls={false}
          w={110}
          value={count}
          onChange={(value) => setCount(value === '' ? '' : Number(value))}
        />
        <SegmentedControl
          aria-label={t('bulk.extend.unit')}
          data={[
            { value: 'days', label: t('bulk.extend.unitDays') },
            { value: 'months', label: t('bulk.extend.unitMonths') },
          ]}
          value={unit}
          onChange={(value) => setUnit(value === 'days' ? 'days' : 'months')}
        />
        <Button loading={extend.isPending} disabled={count === ''} onClick={send}>
          {t('bulk.extend.action', { by })}
        </Button>
      </div>
      <ExtensionPreview who={who} />
    </section>
  )
}
