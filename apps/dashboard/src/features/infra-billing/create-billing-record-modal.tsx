import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../api/toasts.ts'
import { DateField } from '../../ui/date-field.tsx'
import { FormFooter, ModalFrame, useFrameDirty } from '../../ui/frames.tsx'
import { NumberField } from '../../ui/inputs.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { emptyRecord, latestBilledAt, recordProblem, toRecordBody, type RecordForm } from './billing-forms.ts'
import { useCreateRecord } from './infra-billing.queries.ts'
import { ProviderPicker } from './parts/provider-picker.tsx'

const MIN_AMOUNT = 0.01
const DECIMALS = 2
/** The server holds no larger ones. */
const MAX_AMOUNT = 999_999_999_999.99

export function CreateBillingRecordModal() {
  const { t } = useTranslation('infra-billing')
  const dialog = useDialog('record')
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('record.create')} width={440}>
      <RecordFields onCreated={dialog.close} />
    </ModalFrame>
  )
}

function RecordFields({ onCreated }: { onCreated: () => void }) {
  const { t } = useTranslation('infra-billing')
  const { t: ui } = useTranslation('ui')
  const [now] = useState(() => new Date())
  const form = useForm<RecordForm>({
    initialValues: emptyRecord(now),
    validate: (values) => {
      const problem = recordProblem(values, now)
      if (problem === undefined) return {}
      return { [problem === 'amountTooSmall' ? 'amount' : 'billedAt']: t(`record.${problem}`) }
    },
  })
  const create = useCreateRecord(form)
  useFrameDirty(form.isDirty() && !create.isSuccess)

  function send({ providerUuid, billedAt, amount }: RecordForm): void {
    if (providerUuid === null) showError(t('error'), t('record.providerMissing'))
    else if (billedAt !== null) create.mutate(toRecordBody({ providerUuid, billedAt, amount }), { onSuccess: onCreated })
  }
  return (
    <form noValidate onSubmit={form.onSubmit(send)}>
      <Stack gap="sm" pb="lg">
        <ProviderPicker label={t('provider.one')} required data-autofocus {...form.getInputProps('providerUuid')} />
        <DateField label={t('record.billedAt')} required maxDate={latestBilledAt(now)} {...form.getInputProps('billedAt')} />
        <NumberField
          label={t('record.amount')}
          required
          prefix="$"
          min={MIN_AMOUNT}
          max={MAX_AMOUNT}
          allowNegative={false}
          decimalScale={DECIMALS}
          fixedDecimalScale
          hasThousands
          hideControls
          {...form.getInputProps('amount')}
        />
      </Stack>
      <FormFooter action={ui('create')} isBusy={create.isPending} />
    </form>
  )
}
