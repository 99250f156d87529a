import { Select, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../api/toasts.ts'
import { dayIn } from '../../lib/time/dates.ts'
import { isUntaken } from '../../lib/untaken.ts'
import { DateField } from '../../ui/calendar/date-field.tsx'
import { FormFooter, ModalFrame, useFrameDirty } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useTimeZone } from '../installation/parts/use-time-zone.ts'
import { earliestNextBilling, toBillBody, type BillForm } from './billing-forms.ts'
import { FirstProvider } from './first-provider.tsx'
import { billingNodesQuery, useCreateBillingNode } from './infra-billing.queries.ts'
import { ProviderPicker } from './parts/provider-picker.tsx'

const EMPTY: BillForm = { providerUuid: null, nodeUuid: null, nextBillingAt: null }

export function CreateBillingNodeModal() {
  const { t } = useTranslation('infra-billing')
  const dialog = useDialog('bill')
  const zone = useTimeZone()
  return (
    <ModalFrame
      isOpen={dialog.value !== undefined && zone !== undefined}
      onClose={dialog.close}
      title={t('bill.create')}
      width={440}
    >
      {zone !== undefined && <BillFields zone={zone} onCreated={dialog.close} />}
    </ModalFrame>
  )
}

function BillFields({ zone, onCreated }: { zone: string; onCreated: () => void }) {
  const { t } = useTranslation('infra-billing')
  const { t: ui } = useTranslation('ui')
  const [today] = useState(() => dayIn(zone, new Date()))
  const bills = useQuery(billingNodesQuery())
  const form = useForm<BillForm>({
    initialValues: EMPTY,
    validate: { nextBillingAt: (day) => (isUntaken(day) ? ui('calendar.untaken') : day ? null : t('bill.dateMissing')) },
  })
  const create = useCreateBillingNode(form)
  useFrameDirty(form.isDirty() && !create.isSuccess)

  function send({ providerUuid, nodeUuid, nextBillingAt }: BillForm): void {
    if (providerUuid === null || nodeUuid === null) showError(t('error'), t('bill.partsMissing'))
    else if (nextBillingAt !== null)
      create.mutate(toBillBody({ providerUuid, nodeUuid, nextBillingAt }, zone), { onSuccess: onCreated })
  }
  return (
    <form noValidate onSubmit={form.onSubmit(send)}>
      <Stack gap="sm" pb="lg">
        <FirstProvider />
        <ProviderPicker label={t('provider.one')} required data-autofocus {...form.getInputProps('providerUuid')} />
        <Select
          label={t('bill.node')}
          description={bills.data?.totalAvailableBillingNodes === 0 ? t('bill.allBilled') : undefined}
          required
          searchable
          data={(bills.data?.availableBillingNodes ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))}
          {...form.getInputProps('nodeUuid')}
        />
        <DateField
          label={t('bill.nextBillingAt')}
          required
          minDate={earliestNextBilling(today)}
          {...form.getInputProps('nextBillingAt')}
        />
      </Stack>
      <FormFooter action={ui('create')} isBusy={create.isPending} />
    </form>
  )
}
