import {
  createSubscriptionTemplate,
  deleteSubscriptionTemplate,
  patchSubscriptionTemplate,
  reorderSubscriptionTemplates,
  type SubscriptionTemplate,
  type TemplateType,
} from '@causeway/contract'
import { Button, Group, Menu, Select, Text } from '@mantine/core'
import { IconCopy, IconPencil, IconPlus, IconStar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { RenameModal, useLiveName } from '../../api/naming.tsx'
import { May } from '../../api/rights/may.tsx'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirm, useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { NameForm } from '../../ui/inputs/name-form.tsx'
import { OrderButton, OrderModal } from '../../ui/rows/order-modal.tsx'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { externalSquadsQuery } from '../external-squads/external-squads.queries.ts'
import {
  templatesQuery,
  useCreateTemplate,
  useDeleteTemplate,
  useMakeDefault,
  useRenameTemplate,
  useReorderTemplates,
} from './subscription-templates.queries.ts'

/** The templates of a type: which one is edited, and what can be done with it besides. */
export function TemplatePicker({ type, chosen }: { type: TemplateType; chosen: string | undefined }) {
  const { t } = useTranslation('subscription-templates')
  const all = useQuery(templatesQuery()).data?.templates ?? []
  const own = all.filter(({ templateType }) => templateType === type)
  const dialog = useDialog('template')
  const create = useDialog('create')
  const current = own.find(({ uuid, isDefault }) => (chosen === undefined ? isDefault : uuid === chosen))
  const named = own.map(({ uuid, name = '' }) => ({ uuid, name }))
  if (own.length === 0 || current === undefined) return null
  return (
    <Group gap="sm" mb="sm" align="end">
      <Select
        label={t('named.label')}
        data={own.map(({ uuid, name = '', isDefault }) => ({
          value: uuid,
          label: isDefault && name !== 'Default' ? t('named.isDefault', { name }) : name,
        }))}
        value={current.uuid}
        onChange={(uuid) =>
          uuid === null || own.some((one) => one.uuid === uuid && one.isDefault) ? dialog.close() : dialog.open(uuid)
        }
        allowDeselect={false}
        searchable={own.length > 7}
        miw={220}
      />
      <May call={createSubscriptionTemplate}>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => create.open('new')}>
          {t('named.new')}
        </Button>
      </May>
      <May call={reorderSubscriptionTemplates}>
        <OrderButton count={own.length} />
      </May>
      <May call={patchSubscriptionTemplate}>
        <TemplateMenu template={current} onGone={dialog.close} />
      </May>
      <OrderModal things={named} useReorder={useReorderTemplates} />
      <CreateTemplateModal type={type} own={own} onCreated={dialog.open} />
      <RenameModal
        things={named}
        title={(name) => t('named.renameTitle', { name })}
        words={{ label: t('named.name'), hint: t('named.nameHint'), action: t('named.rename') }}
        schema={createSubscriptionTemplate.body.shape.name}
        useRename={useRenameTemplate}
      />
    </Group>
  )
}

function TemplateMenu({ template, onGone }: { template: SubscriptionTemplate; onGone: () => void }) {
  const { t } = useTranslation('subscription-templates')
  const { uuid, name = '', isDefault = false } = template
  const confirm = useConfirm()
  const confirmDelete = useConfirmDelete()
  const makeDefault = useMakeDefault()
  const remove = useDeleteTemplate()
  const create = useDialog('create')
  const rename = useDialog('rename')

  async function askDefault(): Promise<void> {
    const question = {
      title: t('named.makeDefaultTitle', { name }),
      body: t('named.makeDefaultText'),
      action: t('named.makeDefault'),
    }
    if (await confirm(question)) makeDefault.mutate({ uuid })
  }
  async function askDelete(): Promise<void> {
    if (!(await confirmDelete(t('named.deleteTitle', { name }), <TemplateUse uuid={uuid} />))) return
    remove.mutate({ uuid }, { onSuccess: onGone })
  }
  return (
    <RowMenu label={t('named.actions', { name })} isBusy={makeDefault.isPending || remove.isPending}>
      <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => create.open(uuid)}>
        {t('named.duplicate')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconPencil size={16} aria-hidden />}
        disabled={name === 'Default'}
        onClick={() => rename.open(uuid)}
      >
        {t('named.rename')}
      </Menu.Item>
      <Menu.Item leftSection={<IconStar size={16} aria-hidden />} disabled={isDefault} onClick={() => void askDefault()}>
        {t('named.makeDefault')}
      </Menu.Item>
      {!isDefault && (
        <May call={deleteSubscriptionTemplate}>
          <Menu.Divider />
          <DeleteItem onDelete={() => void askDelete()} />
        </May>
      )}
    </RowMenu>
  )
}

/** Which external squads have it: their members get the default then. */
function TemplateUse({ uuid }: { uuid: string }) {
  const { t } = useTranslation('subscription-templates')
  const squads = useQuery(externalSquadsQuery()).data?.externalSquads ?? []
  const names = squads
    .filter(({ templates }) => templates.some(({ templateUuid }) => templateUuid === uuid))
    .map(({ name }) => name)
  return <Text size="sm">{names.length === 0 ? t('named.unused') : t('named.usedBy', { names: names.join(', ') })}</Text>
}

interface CreateProps {
  type: TemplateType
  own: readonly SubscriptionTemplate[]
  onCreated: (uuid: string) => void
}

/** Opened for `new`, or for the template whose content the new one starts with. */
function CreateTemplateModal({ type, own, onCreated }: CreateProps) {
  const { t } = useTranslation('subscription-templates')
  const dialog = useDialog('create')
  const source = own.find(({ uuid }) => uuid === dialog.value)
  const title = source ? t('named.duplicateTitle', { name: source.name }) : t('named.newTitle', { type: t(`titles.${type}`) })
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={title} width={440}>
      <CreateForm key={dialog.value} type={type} copyOf={source?.uuid} onCreated={onCreated} />
    </ModalFrame>
  )
}

function CreateForm({
  type,
  copyOf,
  onCreated,
}: {
  type: TemplateType
  copyOf: string | undefined
  onCreated: (uuid: string) => void
}) {
  const { t } = useTranslation('subscription-templates')
  const navigate = useDialog('create')
  const name = useLiveName(createSubscriptionTemplate.body.shape.name)
  const create = useCreateTemplate({
    onCreated: ({ uuid }) => {
      navigate.close()
      onCreated(uuid)
    },
    onFailure: name.showFailure,
  })
  return (
    <NameForm
      label={t('named.name')}
      hint={t('named.nameHint')}
      name={name}
      isBusy={create.isPending}
      isDone={create.isSuccess}
      onSubmit={() => create.mutate({ name: name.value, templateType: type, ...(copyOf === undefined ? {} : { copyOf }) })}
    />
  )
}
