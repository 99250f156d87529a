import { Button, Checkbox, Group, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FrameFooter, useFrameDirty } from '../../../ui/frames.tsx'
import { WholeNumberInput } from '../../../ui/inputs.tsx'
import { ExpiryField } from '../form/expiry-field.tsx'
import { TagField } from '../form/tag-field.tsx'
import type { BulkRun } from './use-bulk-run.tsx'
import { BULK_FIELDS, emptyBulkForm, toBulkFields, type BulkFieldName, type BulkForm } from '../form/user-form.ts'
import { useBulkActions } from '../users.queries.ts'
import { SETTABLE_STATUSES, STRATEGIES } from '../users.rules.ts'
import classes from './bulk.module.css'

interface Props {
  /** Whose fields; undefined means every user. */
  uuids: string[] | undefined
  run: BulkRun
}

/** Each field is changed only when it is ticked; ticked and left empty, it is cleared. */
export function BulkUpdateForm({ uuids, run }: Props) {
  const { t } = useTranslation('users')
  const [initialValues] = useState(() => emptyBulkForm(new Date()))
  const form = useForm<BulkForm>({ mode: 'controlled', initialValues })
  const bulk = useBulkActions(form)
  const values = form.getValues()
  const { chosen } = values
  useFrameDirty(chosen.length > 0 && !bulk.update.isSuccess && !bulk.updateAll.isSuccess)

  function send(): void {
    const title = uuids === undefined ? { title: t('bulk.updateAllQuestion') } : {}
    const update = () => {
      const fields = toBulkFields(form.getValues())
      if (uuids === undefined) bulk.updateAll.mutate(fields, { onSuccess: run.finish })
      else bulk.update.mutate({ uuids, fields }, { onSuccess: run.finish })
    }
    void run.whenAgreed('update', update, title)
  }

  const inputs: Record<BulkFieldName, ReactNode> = {
    status: (
      <Select
        aria-label={t('column.status')}
        data={SETTABLE_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps('status')}
      />
    ),
    trafficLimitBytes: (
      <WholeNumberInput
        aria-label={t('field.trafficLimit')}
        description={t('field.trafficLimitHint')}
        inputWrapperOrder={['input', 'description', 'error']}
        suffix=" GB"
        min={0}
        clampBehavior="strict"
        hideControls={false}
        {...form.getInputProps('trafficLimitGib')}
        error={form.errors['trafficLimitBytes']}
      />
    ),
    trafficLimitStrategy: (
      <Select
        aria-label={t('field.trafficLimitStrategy')}
        data={STRATEGIES.map((value) => ({ value, label: t(`strategy.${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps('trafficLimitStrategy')}
      />
    ),
    expireAt: (
      <ExpiryField
        isLabelHidden
        value={values.expireAt}
        error={form.errors['expireAt']}
        onChange={(at) => form.setFieldValue('expireAt', at)}
      />
    ),
    description: <Textarea aria-label={t('field.description')} autosize minRows={2} {...form.getInputProps('description')} />,
    telegramId: <WholeNumberInput aria-label={t('field.telegramId')} min={1} {...form.getInputProps('telegramId')} />,
    email: <TextInput aria-label={t('field.email')} type="email" {...form.getInputProps('email')} />,
    tag: (
      <TagField isLabelHidden value={values.tag} error={form.errors['tag']} onChange={(tag) => form.setFieldValue('tag', tag)} />
    ),
  }

  function toggle(name: BulkFieldName): void {
    form.setFieldValue('chosen', chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  }
  return (
    <form noValidate className={classes['panel']!} onSubmit={form.onSubmit(send)}>
      {BULK_FIELDS.map((name) => (
        <div key={name} className={classes['choice']}>
          <Checkbox label={t(`bulk.field.${name}`)} checked={chosen.includes(name)} onChange={() => toggle(name)} pt={6} />
          {chosen.includes(name) && inputs[name]}
        </div>
      ))}
      <FrameFooter>
        <Group>
          <Button
            type="submit"
            loading={bulk.update.isPending || bulk.updateAll.isPending}
            disabled={chosen.length === 0}
            title={chosen.length === 0 ? t('bulk.chooseField') : undefined}
          >
            {uuids === undefined ? t('bulk.updateAll') : t('bulk.updateSelected', { count: uuids.length })}
          </Button>
        </Group>
      </FrameFooter>
    </form>
  )
}
