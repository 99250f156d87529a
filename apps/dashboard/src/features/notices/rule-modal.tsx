import { updateNoticeRule, type NoticeRule, type NoticeWay } from '@causeway/contract'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { FormFooter, ModalFrame, useFrameDirty } from '../../ui/frames/frames.tsx'
import { LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { ruleQuery, useCreateRule, useUpdateRule, waysQuery } from './notices.queries.ts'
import { RuleFields } from './rule-fields.tsx'
import { emptyRule, problemsOf, toForm, toInput, toPatch, type RuleForm } from './rule-form.ts'

const NEW = 'new'

/** A new rule (`?rule=new`), or one that is edited. */
export function RuleModal() {
  const { t } = useTranslation('notices')
  const dialog = useDialog('rule')
  const uuid = useLingering(dialog.value)
  const ways = useQuery(waysQuery()).data?.ways
  return (
    <ModalFrame
      isOpen={dialog.value !== undefined}
      onClose={dialog.close}
      title={uuid === NEW ? t('rule.create') : t('rule.edit')}
      width={560}
    >
      {ways === undefined && <LoadingRows />}
      {ways !== undefined && uuid === NEW && <CreateRule ways={ways} onClose={dialog.close} />}
      {ways !== undefined && uuid !== undefined && uuid !== NEW && (
        <EditOpen key={uuid} read={ruleQuery(uuid)} onLeave={dialog.close}>
          {(opened) => <EditRule opened={opened} ways={ways} onClose={dialog.close} />}
        </EditOpen>
      )}
    </ModalFrame>
  )
}

interface CreateProps {
  ways: readonly NoticeWay[]
  onClose: () => void
}

function CreateRule({ ways, onClose }: CreateProps) {
  const { t: ui } = useTranslation('ui')
  const form = useForm<RuleForm>({ initialValues: emptyRule(ways.map(({ uuid }) => uuid)), validate: problemsOf })
  const create = useCreateRule(form, onClose)
  useFrameDirty(form.isDirty() && !create.isSuccess)
  return (
    <form noValidate onSubmit={form.onSubmit((values) => create.mutate(toInput(values)))}>
      <RuleFields form={form} ways={ways} isNew />
      <FormFooter action={ui('create')} isBusy={create.isPending} />
    </form>
  )
}

function EditRule({ opened, ways, onClose }: CreateProps & { opened: Opened<NoticeRule> }) {
  const { t } = useTranslation('notices')
  const nameOf = (uuid: string) => ways.find((way) => way.uuid === uuid)?.name ?? uuid
  const edit = useEditForm<NoticeRule, RuleForm>({
    opened,
    toForm,
    fields: {
      condition: { label: t('field.condition') },
      amount: { label: t('field.amount') },
      ways: { label: t('field.ways'), inWords: (value) => value.map(nameOf).join(', ') },
      quietFrom: { label: t('field.quietFrom') },
      quietTo: { label: t('field.quietTo') },
      zone: { label: t('field.zone'), inWords: (value) => value ?? t('field.zoneUsual') },
      mostPerHour: { label: t('field.mostPerHour') },
      digest: { label: t('field.digest'), inWords: (value) => t(`digest.${value}`) },
    },
    validate: problemsOf,
  })
  const update = useUpdateRule(edit.form)
  return (
    <EditFrame
      writes={updateNoticeRule}
      edit={edit}
      onSave={({ values, changed }) => update.mutateAsync(toPatch(opened.entity.uuid, values, changed))}
      onSaved={onClose}
    >
      <RuleFields form={edit.form} ways={ways} />
    </EditFrame>
  )
}
