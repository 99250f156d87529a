import { MultiSelect, SegmentedControl, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CreateModal } from '../../ui/frames/create-modal.tsx'
import { FormFooter, useFrameDirty } from '../../ui/frames/frames.tsx'
import { useCreateWay } from './notices.queries.ts'
import { CONDITION_GROUPS, inOrder } from './notices.rules.ts'
import { TestWay } from './test-way-modal.tsx'
import { emptyForm, problemsOf, toInput, type NewWayForm } from './way-form.ts'
import { KINDS, MainFields, More, OtherFields } from './way-fields.tsx'

/** A first notice in three fields: bot, chat and conditions. */
export function CreateWayModal() {
  const { t } = useTranslation('notices')
  return (
    <CreateModal title={t('way.create')} width={560}>
      {(close) => <CreateWay onClose={close} />}
    </CreateModal>
  )
}

function CreateWay({ onClose }: { onClose: () => void }) {
  const [uuid, setUuid] = useState<string>()
  return uuid === undefined ? <CreateForm onCreated={setUuid} /> : <TestWay uuid={uuid} onClose={onClose} />
}

function CreateForm({ onCreated }: { onCreated: (uuid: string) => void }) {
  const { t, i18n } = useTranslation('notices')
  const { t: ui } = useTranslation('ui')
  const form = useForm<NewWayForm>({ initialValues: emptyForm(i18n.language), validate: problemsOf })
  const create = useCreateWay(form, onCreated)
  useFrameDirty(form.isDirty())
  return (
    <form noValidate onSubmit={form.onSubmit((values) => create.mutate(toInput(values)))}>
      <Stack gap="md" mb="lg">
        <SegmentedControl
          fullWidth
          aria-label={t('field.kind')}
          data={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
          value={form.values.kind}
          onChange={(value) => form.setFieldValue('kind', KINDS.find((kind) => kind === value) ?? 'telegram')}
        />
        <MainFields form={form} />
        <MultiSelect
          label={t('field.conditions')}
          description={t('field.conditionsHint')}
          data={CONDITION_GROUPS.map(({ group, conditions }) => ({
            group: t(`group.${group}`),
            items: conditions.map((value) => ({ value, label: t(`condition.${value}`) })),
          }))}
          value={form.values.conditions}
          onChange={(chosen) => form.setFieldValue('conditions', inOrder(chosen))}
        />
        <More>
          <OtherFields form={form} />
        </More>
      </Stack>
      <FormFooter action={ui('create')} isBusy={create.isPending} />
    </form>
  )
}
