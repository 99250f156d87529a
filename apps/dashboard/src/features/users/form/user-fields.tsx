import { Checkbox, MultiSelect, Select, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../lib/formats.ts'
import { WholeNumberInput } from '../../../ui/inputs.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { TagField } from './tag-field.tsx'
import type { UserForm } from './user-form.ts'
import { hwidSettingsQuery, squadsQuery } from '../users.queries.ts'
import { STRATEGIES } from '../users.rules.ts'
import classes from './user-form.module.css'

export type UserFormApi = UseFormReturnType<UserForm>

interface Props {
  form: UserFormApi
  /** The name is given at creation and stays. */
  isNameFixed?: boolean
}

/** The fields of a user, shared by create and edit: two columns where there is room. */
export function UserFields({ form, isNameFixed = false }: Props) {
  const { t, i18n } = useTranslation('users')
  const squads = useQuery(squadsQuery)
  const settings = useQuery(hwidSettingsQuery)
  const number = numberFormat(i18n.language)
  const values = form.getValues()
  return (
    <div className={classes['columns']}>
      <div className={classes['column']}>
        <Card title={t('card.identity')}>
          <TextInput
            label={t('field.username')}
            description={isNameFixed ? t('field.usernameFixed') : t('field.usernameHint')}
            required={!isNameFixed}
            readOnly={isNameFixed}
            disabled={isNameFixed}
            autoComplete="off"
            spellCheck={false}
            data-autofocus={isNameFixed ? undefined : true}
            {...form.getInputProps('username')}
          />
          <Textarea label={t('field.description')} autosize minRows={2} maxRows={6} {...form.getInputProps('description')} />
        </Card>
        <Card title={t('card.contact')}>
          <WholeNumberInput label={t('field.telegramId')} {...form.getInputProps('telegramId')} />
          <TextInput
            label={t('field.email')}
            type="email"
            inputMode="email"
            autoComplete="off"
            {...form.getInputProps('email')}
          />
        </Card>
        <Card title={t('card.deviceAndTag')}>
          <WholeNumberInput
            label={t('field.hwidDeviceLimit')}
            description={t('field.hwidDeviceLimitHint')}
            placeholder={settings.data?.isDeviceLimitEnabled ? number.format(settings.data.fallbackDeviceLimit) : ''}
            min={1}
            disabled={values.isDeviceLimitOff}
            hideControls={false}
            {...form.getInputProps('hwidDeviceLimit')}
          />
          <Checkbox label={t('field.deviceLimitOff')} {...form.getInputProps('isDeviceLimitOff', { type: 'checkbox' })} />
          <TagField
            value={values.tag}
            error={form.errors['tag']}
            onChange={(tag) => form.setFieldValue('tag', tag)}
            onBlur={() => form.validateField('tag')}
          />
        </Card>
      </div>
      <div className={classes['column']}>
        <Card title={t('card.traffic')}>
          <WholeNumberInput
            label={t('field.trafficLimit')}
            description={t('field.trafficLimitHint')}
            suffix=" GB"
            min={0}
            // A limit set through the API need not be whole; it must not be rounded just by being looked at.
            allowDecimal={!Number.isInteger(form.getInitialValues().trafficLimitGib || 0)}
            hideControls={false}
            {...form.getInputProps('trafficLimitGib')}
          />
          <Select
            label={t('field.trafficLimitStrategy')}
            description={t('field.trafficLimitStrategyHint')}
            data={STRATEGIES.map((value) => ({ value, label: t(`strategy.${value}`) }))}
            allowDeselect={false}
            {...form.getInputProps('trafficLimitStrategy')}
          />
        </Card>
        <Card title={t('card.access')}>
          <ExpiryField
            value={values.expireAt}
            error={form.errors['expireAt']}
            onChange={(at) => form.setFieldValue('expireAt', at)}
          />
          <MultiSelect
            label={t('field.squads')}
            description={t('field.squadsHint')}
            data={(squads.data?.internalSquads ?? []).map(({ uuid, name, info }) => ({
              value: uuid,
              label: t('squadWithInbounds', { name, count: info.inboundsCount }),
            }))}
            searchable
            clearable
            nothingFoundMessage={t('nothingFound')}
            {...form.getInputProps('squadUuids')}
            // Until their names are known the squads would be shown as uuids.
            {...(squads.data ? {} : { value: [], disabled: true })}
          />
        </Card>
      </div>
    </div>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes['card']}>
      <legend className={classes['legend']}>{title}</legend>
      {children}
    </fieldset>
  )
}
