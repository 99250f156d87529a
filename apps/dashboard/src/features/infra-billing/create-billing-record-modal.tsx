import type { BillingNode } from '@causeway/contract'
import { Checkbox, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../api/toasts.ts'
import { dayIn } from '../../lib/time/dates.ts'
import { dateFormat } from '../../lib/numbers/formats.ts'
import { DateField } from '../../ui/calendar/date-field.tsx'
import { FormFooter, ModalFrame, useFrameDirty } from '../../ui/frames/frames.tsx'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { LoadingRows } from '../../ui/frames/states.tsx'
import { useNumberSentence } from '../../ui/inputs/use-number-sentence.ts'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import {
  AMOUNT_RULE,
  emptyRecord,
  latestBilledAt,
  monthAfter,
  recordProblem,
  startOfDay,
  toRecordBody,
  type RecordForm,
} from './billing-forms.ts'
import { useTimeZone } from '../installation/parts/use-time-zone.ts'
import { FirstProvider } from './first-provider.tsx'
import { billingNodesQuery, useCreateRecord, useUpdateBillingNode } from './infra-billing.queries.ts'
import { ProviderPicker } from './parts/provider-picker.tsx'

const NEW = 'new'

/** A payment, also of a bill (`?record=<uuid of the billing node>`): then the next one is expected a month later. */
export function CreateBillingRecordModal() {
  const { t } = useTranslation('infra-billing')
  const dialog = useDialog('record')
  const uuid = useLingering(dialog.value)
  const bills = useQuery(billingNodesQuery())
  const zone = useTimeZone()
  const bill = bills.data?.billingNodes.find((one) => one.uuid === uuid)
  return (
    <ModalFrame
      isOpen={dialog.value !== undefined && zone !== undefined}
      onClose={dialog.close}
      title={t('record.create')}
      width={440}
    >
      {uuid !== NEW && bills.isPending && <LoadingRows count={3} />}
      {(uuid === NEW || !bills.isPending) && zone !== undefined && (
        <RecordFields bill={bill} zone={zone} onCreated={dialog.close} />
      )}
    </ModalFrame>
  )
}

interface FieldsProps {
  bill: BillingNode | undefined
  zone: string
  onCreated: () => void
}

function RecordFields({ bill, zone, onCreated }: FieldsProps) {
  const { t, i18n } = useTranslation('infra-billing')
  const { t: ui } = useTranslation('ui')
  const sentenceOf = useNumberSentence()
  const [today] = useState(() => dayIn(zone, new Date()))
  const form = useForm<RecordForm>({
    initialValues: emptyRecord(today, bill?.providerUuid),
    validate: (values) => {
      const problem = recordProblem(values, today)
      switch (problem) {
        case undefined:
          return {}
        case 'amountTooSmall':
          return { amount: t('record.amountTooSmall') }
        case 'amountUntaken':
          return { amount: sentenceOf(values.amount, AMOUNT_RULE) }
        case 'dateUntaken':
          return { billedAt: ui('calendar.untaken') }
        case 'dateMissing':
        case 'dateTooLate':
          return { billedAt: t(`record.${problem}`) }
      }
    },
  })
  const create = useCreateRecord(form)
  const move = useUpdateBillingNode()
  const [isMoved, setMoved] = useState(true)
  const next = bill && startOfDay(zone, monthAfter(dayIn(zone, new Date(bill.nextBillingAt)), bill.billingDay))
  useFrameDirty(form.isDirty() && !create.isSuccess)

  function send({ providerUuid, billedAt, amount }: RecordForm): void {
    if (providerUuid === null) showError(t('error'), t('record.providerMissing'))
    else if (billedAt !== null) create.mutate(toRecordBody({ providerUuid, billedAt, amount }, zone), { onSuccess: onPaid })
  }
  function onPaid(): void {
    if (bill && next !== undefined && isMoved) move.mutate({ uuid: bill.uuid, nextBillingAt: next })
    onCreated()
  }
  return (
    <form noValidate onSubmit={form.onSubmit(send)}>
      <Stack gap="sm" pb="lg">
        <FirstProvider />
        <ProviderPicker
          label={t('provider.one')}
          required
          data-autofocus={bill ? undefined : true}
          {...form.getInputProps('providerUuid')}
        />
        <DateField label={t('record.billedAt')} required maxDate={latestBilledAt(today)} {...form.getInputProps('billedAt')} />
        <NumberField
          label={t('record.amount')}
          required
          leftSection="$"
          rule={AMOUNT_RULE}
          fixedDecimals={AMOUNT_RULE.decimals}
          data-autofocus={bill ? true : undefined}
          {...form.getInputProps('amount')}
        />
        {bill && next !== undefined && (
          <Checkbox
            label={t('record.moves', {
              node: bill.node.name,
              date: dateFormat(i18n.language, { dateStyle: 'medium', timeZone: zone }).format(new Date(next)),
            })}
            checked={isMoved}
            onChange={(event) => setMoved(event.currentTarget.checked)}
          />
        )}
      </Stack>
      <FormFooter action={ui('create')} isBusy={create.isPending} />
    </form>
  )
}
