import { createInfraProvider, type Provider, updateInfraProvider } from '@causeway/contract'
import { Stack, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { fieldErrorsOf } from '../../api/field-errors.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { DrawerFrame, FormFooter, useFrameDirty } from '../../ui/frames/frames.tsx'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { emptyProvider, toProviderBody, toProviderForm, toProviderPatch, type ProviderForm } from './billing-forms.ts'
import { providerQuery, useCreateProvider, useUpdateProvider } from './infra-billing.queries.ts'

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
    initialValues: emptyProvider,
    validate: (values) =>
      fieldErrorsOf(createInfraProvider.body.required().safeParse(toProviderBody(values)).error?.issues ?? []),
  })
  const create = useCreateProvider(form)
  useFrameDirty(form.isDirty() && !create.isSuccess)
  return (
    <form noValidate onSubmit={form.onSubmit((values) => create.mutate(toProviderBody(values), { onSuccess: onDone }))}>
      <ProviderFields form={form} areLinksRequired />
      <FormFooter action={ui('create')} isBusy={create.isPending} />
    </form>
  )
}

function EditProvider({ opened, onDone }: { opened: Opened<Provider>; onDone: () => void }) {
  const { t } = useTranslation('infra-billing')
  const { uuid } = opened.entity
  const edit = useEditForm({
    opened,
    toForm: toProviderForm,
    fields: {
      name: { label: t('provider.name') },
      faviconLink: { label: t('provider.faviconLink') },
      loginUrl: { label: t('provider.loginUrl') },
    },
    validate: (values) => {
      const { name, ...links } = toProviderBody(values)
      const body = { uuid, name, faviconLink: links.faviconLink || null, loginUrl: links.loginUrl || null }
      return fieldErrorsOf(updateInfraProvider.body.safeParse(body).error?.issues ?? [])
    },
  })
  const update = useUpdateProvider(edit.form)
  return (
    <EditFrame edit={edit} onSave={(change) => update.mutateAsync(toProviderPatch(uuid, change))} onSaved={onDone}>
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
  return (
    <Stack gap="sm" pb="lg">
      <TextInput label={t('provider.name')} required data-autofocus {...form.getInputProps('name')} />
      <MachineTextInput
        label={t('provider.faviconLink')}
        description={t('provider.faviconHint')}
        {...link}
        {...form.getInputProps('faviconLink')}
      />
      <MachineTextInput
        label={t('provider.loginUrl')}
        description={t('provider.loginHint')}
        {...link}
        {...form.getInputProps('loginUrl')}
      />
    </Stack>
  )
}
