import { PAYMENT_BOUNDS, type BillingNode } from '@causeway/contract'
import { Checkbox, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../api/toasts.ts'
import { dateFormat } from '../../lib/formats.ts'
import { DateField } from '../../ui/date-field.tsx'
import { FormFooter, ModalFrame, useFrameDirty } from '../../ui/frames.tsx'
import { NumberField } from '../../ui/inputs.tsx'
import { LoadingRows } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import {
  emptyRecord,
  latestBilledAt,
  monthAfter,
  recordProblem,
  startOfDay,
  toRecordBody,
  type RecordForm,
} from './billing-forms.ts'
import { FirstProvider } from './first-provider.tsx'
import { billingNodesQuery, useCreateRecord, useUpdateBillingNode } from './infra-billing.queries.ts'
import { ProviderPicker } from './parts/provider-picker.tsx'

const DECIMALS = 2

const NEW = 'new'

/** A payment, also of a bill (`?record=<uuid of the billing node>`): then the next one is expected a month later. */
export function CreateBillingRecordModal() {
  const { t } = useTranslation('infra-billing')
  const dialog = useDialog('record')
  const uuid = useLingering(dialog.value)
  const bills = useQuery(billingNodesQuery())
  const bill = bills.data?.billingNodes.find((one) => one.uuid === uuid)
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('record.create')} width={440}>
      {uuid !== NEW && bills.isPending ? <LoadingRows count={3} /> : <RecordFields bill={bill} onCreated={dialog.close} />}
    </ModalFrame>
  )
}

function RecordFields({ bill, onCreated }: { bill: BillingNode | undefined; onCreated: () => void }) {
  const { t, i18n } = useTranslation('infra-billing')
  const { t: ui } = useTranslation('ui')
  const [now] = useState(() => new Date())
  const form = useForm<RecordForm>({
    initialValues: emptyRecord(now, bill?.providerUuid),
    validate: (values) => {
      const problem = recordProblem(values, now)
      if (problem === undefined) return {}
      return { [problem === 'amountTooSmall' ? 'amount' : 'billedAt']: t(`record.${problem}`) }
    },
  })
  const create = useCreateRecord(form)
  const move = useUpdateBillingNode()
  const [isMoved, setMoved] = useState(true)
  const next = bill && startOfDay(monthAfter(bill.nextBillingAt))
  useFrameDirty(form.isDirty() && !create.isSuccess)

  function send({ providerUuid, billedAt, amount }: RecordForm): void {
    if (providerUuid === null) showError(t('error'), t('record.providerMissing'))
    else if (billedAt !== null) create.mutate(toRecordBody({ providerUuid, billedAt, amount }), { onSuccess: onPaid })
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
        <DateField label={t('record.billedAt')} required maxDate={latestBilledAt(now)} {...form.getInputProps('billedAt')} />
        <NumberField
          label={t('record.amount')}
          required
          prefix="$"
          min={PAYMENT_BOUNDS.least}
          max={PAYMENT_BOUNDS.most}
          allowNegative={false}
          decimalScale={DECIMALS}
          fixedDecimalScale
          hasThousands
          hideControls
          data-autofocus={bill ? true : undefined}
          {...form.getInputProps('amount')}
        />
        {bill && next !== undefined && (
          <Checkbox
            label={t('record.moves', {
              node: bill.node.name,
              date: dateFormat(i18n.language, { dateStyle: 'medium' }).format(new Date(next)),
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
