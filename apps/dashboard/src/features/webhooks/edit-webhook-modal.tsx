import { updateWebhook, type EventName, type Webhook } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { isSameSet } from '../../api/edit-merge.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { problemsOf, toForm, toPatch, type WebhookForm } from './webhook-form.ts'
import { useUpdateWebhook, webhookQuery } from './webhooks.queries.ts'

export function EditWebhookModal() {
  const { t } = useTranslation('webhooks')
  const dialog = useDialog('edit')
  const uuid = useLingering(dialog.value)
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('edit')} width={560}>
      {uuid !== undefined && (
        <EditOpen key={uuid} read={webhookQuery(uuid)} onLeave={dialog.close}>
          {(opened) => <EditWebhook opened={opened} onClose={dialog.close} />}
        </EditOpen>
      )}
    </ModalFrame>
  )
}

function EditWebhook({ opened, onClose }: { opened: Opened<Webhook>; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const isSame = isSameSet((name: EventName) => name)
  const edit = useEditForm<Webhook, WebhookForm>({
    opened,
    toForm,
    fields: {
      name: { label: t('field.name') },
      url: { label: t('field.url') },
      events: {
        label: t('field.events'),
        isSame: (one, other) => (one === null || other === null ? one === other : isSame(one, other)),
        inWords: (value) => (value === null ? t('events.all') : value.join(', ')),
      },
      expiryNames: { label: t('field.expiry'), inWords: (value) => t(`expiry.${value}`) },
    },
    validate: problemsOf,
  })
  const update = useUpdateWebhook(edit.form)
  return (
    <EditFrame
      writes={updateWebhook}
      edit={edit}
      onSave={(change) => update.mutateAsync(toPatch(opened.entity.uuid, change.values, change.changed))}
      onSaved={onClose}
    >
      <WebhookFields form={edit.form} />
    </EditFrame>
  )
}
