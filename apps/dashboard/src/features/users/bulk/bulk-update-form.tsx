import { settableStatus } from '@causeway/contract'
import { Button, Checkbox, Group, Select, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUntaken } from '../../../lib/untaken.ts'
import { FrameFooter, useFrameDirty } from '../../../ui/frames/frames.tsx'
import { MovedBackNote } from './expiry-preview.tsx'
import type { BulkRun } from './use-bulk-run.tsx'
import { toChanged, type UsersTarget } from './users-target.ts'
import { BULK_FIELD_NAMES, emptyForm, toBulkFields, toInstant, type FieldName, type UserForm } from '../form/user-form.ts'
import { UserInput } from '../form/user-inputs.tsx'
import { useUserChecks } from '../form/use-user-form.ts'
import { useBulkActions } from '../users.queries.ts'
import classes from './bulk.module.css'

interface Props {
  target: UsersTarget
  run: BulkRun
}

/** The status is no field of the form: elsewhere it is changed by commands. */
type Choice = 'status' | FieldName
const CHOICES: readonly Choice[] = ['status', ...BULK_FIELD_NAMES]

/** Each field is changed only when it is ticked; ticked and left empty, it is cleared. */
export function BulkUpdateForm({ target, run }: Props) {
  const { t } = useTranslation('users')
  const [initialValues] = useState(() => emptyForm(new Date()))
  const [chosen, setChosen] = useState<readonly Choice[]>([])
  const checks = useUserChecks()
  const names = BULK_FIELD_NAMES.filter((name) => chosen.includes(name))
  const form = useForm<UserForm>({
    mode: 'controlled',
    initialValues,
    // What is not chosen is not sent, whatever stands in it.
    validate: (values) => Object.fromEntries(names.map((name) => [name, checks[name]?.(values[name], values)])),
  })
  const [status, setStatus] = useState<(typeof settableStatus.options)[number]>('ACTIVE')
  const bulk = useBulkActions(form)
  useFrameDirty(chosen.length > 0 && !bulk.change.isSuccess && !bulk.updateAll.isSuccess)
  const who = target.which
  const isForAll = who.all === true

  function send(): void {
    const question = {
      ...(isForAll ? { title: t('bulk.updateAllQuestion') } : {}),
      more: (
        <>
          {chosen.includes('trafficLimitBytes') && form.getValues().trafficLimitBytes === 0 && (
            <Text size="sm" c="var(--warn)" role="note">
              {t('bulk.unlimited')}
            </Text>
          )}
          {chosen.includes('expireAt') && <MovedBackNote who={who} expireAt={toInstant(form.getValues().expireAt)} />}
        </>
      ),
    }
    const update = () => {
      const fields = { ...toBulkFields(form.getValues(), names), ...(chosen.includes('status') ? { status } : {}) }
      if (isForAll) bulk.updateAll.mutate(fields, { onSuccess: run.finish })
      else bulk.change.mutate({ ...toChanged(target), change: { kind: 'update', fields } }, { onSuccess: run.finish })
    }
    void run.whenAgreed('update', update, question)
  }

  function toggle(name: Choice): void {
    setChosen(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  }
  return (
    <form noValidate className={classes['panel']!} onSubmit={form.onSubmit(send)}>
      {CHOICES.map((name) => (
        <div key={name} className={classes['choice']}>
          <Checkbox label={t(`fieldName.${name}`)} checked={chosen.includes(name)} onChange={() => toggle(name)} pt={6} />
          {chosen.includes(name) &&
            (name === 'status' ? (
              <Select
                aria-label={t('column.status')}
                data={settableStatus.options.map((value) => ({ value, label: t(`status.${value}`) }))}
                allowDeselect={false}
                value={status}
                onChange={(value) => setStatus(settableStatus.options.find((one) => one === value) ?? status)}
                error={form.errors['status']}
              />
            ) : (
              <div>
                <UserInput name={name} form={form} isBulk />
                {name === 'expireAt' && !isUntaken(form.values.expireAt) && (
                  <MovedBackNote who={who} expireAt={toInstant(form.values.expireAt)} />
                )}
              </div>
            ))}
        </div>
      ))}
      <FrameFooter>
        <Group>
          <Button
            type="submit"
            loading={bulk.change.isPending || bulk.updateAll.isPending}
            disabled={chosen.length === 0}
            title={chosen.length === 0 ? t('bulk.chooseField') : undefined}
          >
            {isForAll ? t('bulk.updateAll') : t('bulk.updateSelected', { count: target.count })}
          </Button>
        </Group>
      </FrameFooter>
    </form>
  )
}
