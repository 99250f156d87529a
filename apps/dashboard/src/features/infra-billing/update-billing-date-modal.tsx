import type { BillingNode } from '@causeway/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DateEntry } from '../../lib/time/date-entry.ts'
import { dayIn } from '../../lib/time/dates.ts'
import { isUntaken } from '../../lib/untaken.ts'
import { DateField } from '../../ui/calendar/date-field.tsx'
import { FormFooter, ModalFrame, useFrameDirty } from '../../ui/frames/frames.tsx'
import { EmptyState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { useTimeZone } from '../installation/parts/use-time-zone.ts'
import { BillingDate } from './billing-date.tsx'
import { datePresets, latestNextBilling, startOfDay } from './billing-forms.ts'
import { billingNodesQuery, useUpdateBillingNode } from './infra-billing.queries.ts'

const PRESETS = ['today', 'tomorrow', 'nextMonth'] as const

export function UpdateBillingDateModal() {
  const { t } = useTranslation('infra-billing')
  const dialog = useDialog('date')
  const uuid = useLingering(dialog.value)
  const bills = useQuery(billingNodesQuery())
  const zone = useTimeZone()
  const bill = bills.data?.billingNodes.find((one) => one.uuid === uuid)
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('bill.changeDate')} width={440}>
      {(bills.isPending || zone === undefined) && <LoadingRows count={3} />}
      {bills.data && !bill && <EmptyState title={t('bill.gone')} />}
      {bill && zone !== undefined && <DateForm key={bill.uuid} bill={bill} zone={zone} onDone={dialog.close} />}
    </ModalFrame>
  )
}

function DateForm({ bill, zone, onDone }: { bill: BillingNode; zone: string; onDone: () => void }) {
  const { t } = useTranslation('infra-billing')
  const [today] = useState(() => dayIn(zone, new Date()))
  const [day, setDay] = useState<DateEntry>(null)
  const update = useUpdateBillingNode()
  const presets = datePresets(today)
  const isTaken = day !== null && !isUntaken(day)
  useFrameDirty(day !== null && !update.isSuccess)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isTaken) update.mutate({ uuid: bill.uuid, nextBillingAt: startOfDay(zone, day) }, { onSuccess: onDone })
      }}
    >
      <Stack gap="sm" pb="lg">
        <Group justify="space-between">
          <Text fw={600}>{t('bill.of', { node: bill.node.name, provider: bill.provider.name })}</Text>
          <BillingDate at={bill.nextBillingAt} />
        </Group>
        <DateField
          label={t('bill.newDate')}
          required
          clearLabel={t('bill.clearDate')}
          maxDate={latestNextBilling(today)}
          value={day}
          onChange={setDay}
          data-autofocus
        />
        <Group gap={4}>
          {PRESETS.map((name) => (
            <Button key={name} size="compact-sm" variant="default" onClick={() => setDay(presets[name])}>
              {t(`date.${name}`)}
            </Button>
          ))}
        </Group>
      </Stack>
      <FormFooter action={t('bill.update')} isBusy={update.isPending} isDisabled={!isTaken} />
    </form>
  )
}
