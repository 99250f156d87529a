import { trafficLimitStrategy } from '@causeway/contract'
import { Checkbox, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { isUntaken } from '../../../lib/untaken.ts'
import { NumberField, type NumberFieldProps } from '../../../ui/inputs/number-field.tsx'
import { useTimeZone } from '../../installation/parts/use-time-zone.ts'
import { hwidSettingsQuery } from '../users.queries.ts'
import { ExpiryField } from './expiry-field.tsx'
import { TagField } from './tag-field.tsx'
import { isTelegramName, NUMBER_RULES, type FieldName, type UserForm } from './user-form.ts'
import { ExternalSquadInput } from '../../external-squads/parts/external-squad-input.tsx'
import { SquadListInput } from '../../internal-squads/parts/squad-list-input.tsx'

export type UserFormApi = UseFormReturnType<UserForm>

interface Props {
  name: FieldName
  form: UserFormApi
  /** What stands beside it says already what it is, and the change is one of many users. */
  isBulk?: boolean
  /** The user exists: the name given at creation stays, and the expiry is extended from what it is. */
  isNameFixed?: boolean
}

/** The input of one field of a user, wherever it is entered. What is plain text needs none of its own. */
export function UserInput(props: Props) {
  const { t } = useTranslation('users')
  const { name, form, isBulk = false } = props
  const label = t(`field.${name}`)
  const common = { ...(isBulk ? { 'aria-label': label } : { label }), ...form.getInputProps(name) }
  const Own = OWN_INPUTS[name]
  return Own ? <Own {...props} common={common} /> : <TextInput autoComplete="off" {...common} />
}

interface OwnProps extends Props {
  /** Label, value and handlers. */
  common: ReturnType<UserFormApi['getInputProps']>
}

const OWN_INPUTS: { [Name in FieldName]?: (props: OwnProps) => ReactNode } = {
  username: NameInput,
  description: ({ common }) => <Textarea autosize minRows={2} maxRows={6} {...common} />,
  telegramId: TelegramIdInput,
  email: ({ common }) => <TextInput type="email" inputMode="email" autoComplete="off" {...common} />,
  hwidDeviceLimit: DeviceLimitInput,
  tag: ({ form, isBulk = false }) => (
    <TagField
      isLabelHidden={isBulk}
      value={form.values.tag}
      original={form.getInitialValues().tag}
      error={form.errors['tag']}
      onChange={(tag) => form.setFieldValue('tag', tag)}
      onBlur={() => form.validateField('tag')}
    />
  ),
  trafficLimitBytes: TrafficLimitInput,
  trafficLimitStrategy: StrategyInput,
  expireAt: ({ form, isBulk = false, isNameFixed = false }) => (
    <ExpiryField
      isLabelHidden={isBulk}
      current={isNameFixed ? initialExpiry(form) : undefined}
      value={form.values.expireAt}
      error={form.errors['expireAt']}
      onChange={(at) => form.setFieldValue('expireAt', at)}
    />
  ),
  activeInternalSquads: SquadsInput,
  externalSquadUuid: ({ form, isBulk = false }) => (
    <ExternalSquadInput
      isLabelHidden={isBulk}
      value={form.values.externalSquadUuid}
      error={form.errors['externalSquadUuid']}
      onChange={(uuid) => form.setFieldValue('externalSquadUuid', uuid)}
    />
  ),
}

function initialExpiry(form: UserFormApi): string | undefined {
  const { expireAt } = form.getInitialValues()
  return isUntaken(expireAt) ? undefined : expireAt
}

function NameInput({ common, isNameFixed = false }: OwnProps) {
  const { t } = useTranslation('users')
  return (
    <TextInput
      description={isNameFixed ? t('field.usernameFixed') : t('field.usernameHint')}
      required={!isNameFixed}
      readOnly={isNameFixed}
      disabled={isNameFixed}
      autoComplete="off"
      spellCheck={false}
      data-autofocus={isNameFixed ? undefined : true}
      // Where the form comes later than its dialog.
      autoFocus={!isNameFixed}
      {...common}
    />
  )
}

function TelegramIdInput({ common }: OwnProps) {
  const { t } = useTranslation('users')
  const explain = (typed: string) => (isTelegramName(typed) ? t('telegramName') : undefined)
  return <NumberField isMachine rule={NUMBER_RULES.telegramId} explain={explain} {...common} />
}

function DeviceLimitInput({ form }: OwnProps) {
  const { t, i18n } = useTranslation('users')
  const settings = useQuery(hwidSettingsQuery()).data
  return (
    <Stack gap={6}>
      <NumberField
        label={t('field.hwidDeviceLimit')}
        rule={NUMBER_RULES.hwidDeviceLimit}
        description={t('field.hwidDeviceLimitHint')}
        placeholder={settings?.isDeviceLimitEnabled ? numberFormat(i18n.language).format(settings.fallbackDeviceLimit) : ''}
        disabled={form.values.hwidDeviceLimit.isOff}
        value={form.values.hwidDeviceLimit.limit}
        onChange={(limit) => form.setFieldValue('hwidDeviceLimit', { ...form.values.hwidDeviceLimit, limit })}
        error={form.errors['hwidDeviceLimit']}
      />
      <Checkbox label={t('field.deviceLimitOff')} {...form.getInputProps('hwidDeviceLimit.isOff', { type: 'checkbox' })} />
    </Stack>
  )
}

/** Without a label the hint stands below. */
const BULK_LIMIT: Pick<NumberFieldProps, 'inputWrapperOrder'> = { inputWrapperOrder: ['input', 'description', 'error'] }

function TrafficLimitInput({ common, isBulk = false }: OwnProps) {
  const { t } = useTranslation('users')
  return (
    <NumberField
      description={t('field.trafficLimitHint')}
      unit="GiB"
      rule={NUMBER_RULES.trafficLimitBytes}
      {...(isBulk ? BULK_LIMIT : {})}
      {...common}
    />
  )
}

function StrategyInput({ common, isBulk = false }: OwnProps) {
  const { t } = useTranslation(['users', 'ui'])
  const zone = useTimeZone()
  const hint = [t('field.trafficLimitStrategyHint'), ...(zone === undefined ? [] : [t('ui:zone', { zone })])].join('. ')
  return (
    <Select
      {...(isBulk ? {} : { description: hint })}
      data={trafficLimitStrategy.options.map((value) => ({ value, label: t(`strategy.${value}`) }))}
      allowDeselect={false}
      {...common}
    />
  )
}

function SquadsInput({ form }: OwnProps) {
  const { t } = useTranslation('users')
  return (
    <SquadListInput
      label={t('field.activeInternalSquads')}
      hint={t('field.squadsHint')}
      value={form.values.activeInternalSquads}
      error={form.errors['activeInternalSquads']}
      onChange={(uuids) => form.setFieldValue('activeInternalSquads', uuids)}
    />
  )
}
