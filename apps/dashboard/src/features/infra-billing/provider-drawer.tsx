import { createInfraProvider, type Provider, updateInfraProvider } from '@causeway/contract'
import { Stack, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { fieldErrorsOf } from '../../api/field-errors.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { DrawerFrame, FormFooter, useFrameDirty } from '../../ui/frames/frames.tsx'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { providerQuery, useCreateProvider, useUpdateProvider } from './infra-billing.queries.ts'
import { providerForm, toCreateProvider, type ProviderForm } from './provider-form.ts'

const WIDTH = 480
const NEW = 'new'

/** Makes a provider, or shows one and changes it. */
export function ProviderDrawer() {
  const { t } = useTranslation('infra-billing')
  const dialog = useDialog('provider')
  const uuid = useLingering(dialog.value)
  const title = uuid === NEW ? t('provider.create') : t('provider.edit')
  return (
    <DrawerFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={title} width={WIDTH}>
      {uuid === NEW && <CreateForm onDone={dialog.close} />}
      {uuid !== undefined && uuid !== NEW && (
        <EditOpen key={uuid} read={providerQuery(uuid)} onLeave={dialog.close}>
          {(opened) => <EditProvider opened={opened} onDone={dialog.close} />}
        </EditOpen>
      )}
    </DrawerFrame>
  )
}

function CreateForm({ onDone }: { onDone: () => void }) {
  const { t: ui } = useTranslation('ui')
  const form = useForm<ProviderForm>({
    initialValues: providerForm.empty(),
    validate: (values) =>
      fieldErrorsOf(createInfraProvider.body.required().safeParse(toCreateProvider(values)).error?.issues ?? []),
  })
  const create = useCreateProvider(form)
  useFrameDirty(form.isDirty() && !create.isSuccess)
  return (
    <form noValidate onSubmit={form.onSubmit((values) => create.mutate(toCreateProvider(values), { onSuccess: onDone }))}>
      <ProviderFields form={form} areLinksRequired />
      <FormFooter action={ui('create')} isBusy={create.isPending} />
    </form>
  )
}

function EditProvider({ opened, onDone }: { opened: Opened<Provider>; onDone: () => void }) {
  const { t } = useTranslation('infra-billing')
  const { uuid } = opened.entity
  const edit = useEditForm<Provider, ProviderForm>({
    opened,
    toForm: providerForm.fromEntity,
    fields: providerForm.editFields(t),
    validate: (values) =>
      fieldErrorsOf(updateInfraProvider.body.safeParse({ uuid, ...providerForm.toWire(values) }).error?.issues ?? []),
  })
  const update = useUpdateProvider(edit.form)
  return (
    <EditFrame
      writes={updateInfraProvider}
      edit={edit}
      onSave={({ values, changed }) => update.mutateAsync({ uuid, ...providerForm.toWire(values, changed) })}
      onSaved={onDone}
    >
      <ProviderFields form={edit.form} />
    </EditFrame>
  )
}

interface FieldsProps {
  form: UseFormReturnType<ProviderForm>
  areLinksRequired?: boolean
}

function ProviderFields({ form, areLinksRequired = false }: FieldsProps) {
  const { t } = useTranslation('infra-billing')
  const link = { required: areLinksRequired, type: 'url', placeholder: 'https://' } as const
  const inputs: { [Name in keyof ProviderForm]: (common: { label: string }) => ReactNode } = {
    name: (common) => <TextInput required data-autofocus {...common} />,
    faviconLink: (common) => <MachineTextInput description={t('provider.faviconHint')} {...link} {...common} />,
    loginUrl: (common) => <MachineTextInput description={t('provider.loginHint')} {...link} {...common} />,
  }
  return (
    <Stack gap="sm" pb="lg">
      {providerForm.names.map((name) => (
        <Fragment key={name}>{inputs[name]({ label: providerForm.labelOf(name, t), ...form.getInputProps(name) })}</Fragment>
      ))}
    </Stack>
  )
}
