import { updateNoticeWay, type NoticeWay } from '@causeway/contract'
import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import type { EditFields } from '../../api/edit-merge.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { useUpdateWay, wayQuery } from './notices.queries.ts'
import { editProblemsOf, toForm, toPatch, type WayForm } from './way-form.ts'
import { MainFields, OtherFields } from './way-fields.tsx'

export function EditWayModal() {
  const { t } = useTranslation('notices')
  const dialog = useDialog('edit')
  const uuid = useLingering(dialog.value)
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('way.edit')} width={560}>
      {uuid !== undefined && (
        <EditOpen key={uuid} read={wayQuery(uuid)} onLeave={dialog.close}>
          {(opened) => <EditWay opened={opened} onClose={dialog.close} />}
        </EditOpen>
      )}
    </ModalFrame>
  )
}

function EditWay({ opened, onClose }: { opened: Opened<NoticeWay>; onClose: () => void }) {
  const { t } = useTranslation('notices')
  const fields: EditFields<WayForm> = {
    kind: { label: t('field.kind') },
    name: { label: t('field.name') },
    language: { label: t('field.language') },
    chat: { label: t('field.chat') },
    topic: { label: t('field.topic') },
    apiRoot: { label: t('field.apiRoot') },
    token: { label: t('field.token') },
    proxy: { label: t('field.proxy') },
    host: { label: t('field.host') },
    port: { label: t('field.port') },
    security: { label: t('field.security'), inWords: (value) => t(`security.${value}`) },
    username: { label: t('field.username') },
    password: { label: t('field.password') },
    from: { label: t('field.from') },
    to: { label: t('field.to') },
    url: { label: t('field.url') },
    secret: { label: t('field.secret') },
  }
  const edit = useEditForm<NoticeWay, WayForm>({ opened, toForm, fields, validate: editProblemsOf })
  const update = useUpdateWay(edit.form)
  return (
    <EditFrame
      writes={updateNoticeWay}
      edit={edit}
      onSave={({ values, changed }) => update.mutateAsync(toPatch(opened.entity.uuid, values, changed))}
      onSaved={onClose}
    >
      <Stack gap="md" mb="lg">
        <MainFields form={edit.form} isKept />
        <OtherFields form={edit.form} isKept />
      </Stack>
    </EditFrame>
  )
}
