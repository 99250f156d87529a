import { Stack, Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { HeadersField } from './headers-field.tsx'
import { KeyedTextarea, KeyedTextInput } from './keyed-input.tsx'
import { RemarkList } from './remark-list.tsx'
import {
  DEVICE_RULE,
  INTERVAL_RULE,
  settingsForm,
  type DeviceLimit,
  type FlagName,
  type SettingsEdit,
  type SettingsForm,
  type TabName,
} from './settings-form.ts'

const ANNOUNCE_MAX = 200

interface InputProps {
  edit: SettingsEdit
}

/** The input of each setting. A setting without one does not compile. */
const INPUTS: { [Name in keyof SettingsForm]: (props: InputProps) => ReactNode } = {
  profileTitle: TitleInput,
  supportLink: SupportLinkInput,
  profileUpdateInterval: IntervalInput,
  happAnnounce: AnnounceInput,
  happRouting: RoutingInput,
  isProfileWebpageUrlEnabled: flag('isProfileWebpageUrlEnabled'),
  serveJsonAtBaseSubscription: flag('serveJsonAtBaseSubscription'),
  addUsernameToBaseSubscription: flag('addUsernameToBaseSubscription'),
  randomizeHosts: flag('randomizeHosts'),
  isShowCustomRemarks: flag('isShowCustomRemarks'),
  expiredUsersRemarks: ({ edit }) => <RemarkList edit={edit} name="expiredUsersRemarks" />,
  limitedUsersRemarks: ({ edit }) => <RemarkList edit={edit} name="limitedUsersRemarks" />,
  disabledUsersRemarks: ({ edit }) => <RemarkList edit={edit} name="disabledUsersRemarks" />,
  emptyHostsRemarks: ({ edit }) => <RemarkList edit={edit} name="emptyHostsRemarks" />,
  emptySquadsRemarks: ({ edit }) => <RemarkList edit={edit} name="emptySquadsRemarks" />,
  hwidSettings: DevicesInput,
  hwidExceededRemarks: ({ edit }) => <RemarkList edit={edit} name="hwidExceededRemarks" />,
  hwidMissingRemarks: ({ edit }) => <RemarkList edit={edit} name="hwidMissingRemarks" />,
  customResponseHeaders: HeadersField,
}

const GAPS = { info: 'md', remarks: 'lg', headers: 'sm' } as const

/** The settings of one tab. */
export function SettingsFields({ edit, tab }: InputProps & { tab: TabName }) {
  return (
    <Stack gap={GAPS[tab]}>
      {settingsForm.names
        .filter((name) => settingsForm.extraOf(name).tab === tab)
        .map((name) => {
          const Input = INPUTS[name]
          return <Input key={name} edit={edit} />
        })}
    </Stack>
  )
}

function TitleInput({ edit: { form } }: InputProps) {
  const { t } = useTranslation('subscription-settings')
  return (
    <KeyedTextInput
      label={t('field.profileTitle')}
      description={t('hint.profileTitle')}
      value={form.values.profileTitle}
      onChange={(value) => form.setFieldValue('profileTitle', value)}
      error={form.errors['profileTitle']}
    />
  )
}

function SupportLinkInput({ edit: { form } }: InputProps) {
  const { t } = useTranslation('subscription-settings')
  return (
    <MachineTextInput label={t('field.supportLink')} description={t('hint.supportLink')} {...form.getInputProps('supportLink')} />
  )
}

function IntervalInput({ edit: { form } }: InputProps) {
  const { t } = useTranslation('subscription-settings')
  return (
    <NumberField
      label={t('field.profileUpdateInterval')}
      description={t('hint.profileUpdateInterval')}
      rule={INTERVAL_RULE}
      unit={t('hours')}
      maw={360}
      {...form.getInputProps('profileUpdateInterval')}
    />
  )
}

function AnnounceInput({ edit: { form } }: InputProps) {
  const { t } = useTranslation('subscription-settings')
  return (
    <KeyedTextarea
      label={t('field.happAnnounce')}
      description={t('hint.happAnnounce', { count: form.values.happAnnounce.length, max: ANNOUNCE_MAX })}
      placeholder={t('placeholder.happAnnounce')}
      value={form.values.happAnnounce}
      onChange={(value) => form.setFieldValue('happAnnounce', value)}
      error={form.errors['happAnnounce']}
    />
  )
}

function RoutingInput({ edit: { form } }: InputProps) {
  const { t } = useTranslation('subscription-settings')
  return (
    <MachineTextInput
      label={t('field.happRouting')}
      description={t('hint.happRouting')}
      placeholder="happ://routing/add/…"
      {...form.getInputProps('happRouting')}
    />
  )
}

function DevicesInput({ edit: { form } }: InputProps) {
  const { t } = useTranslation('subscription-settings')
  const { hwidSettings } = form.values
  const put = (change: Partial<DeviceLimit>) =>
    form.setFieldValue('hwidSettings', { ...form.getValues().hwidSettings, ...change })
  return (
    <>
      <Switch
        label={t('devices.limited')}
        description={t('devices.limitedHint')}
        checked={hwidSettings.isLimited}
        onChange={({ currentTarget }) => put({ isLimited: currentTarget.checked })}
      />
      <NumberField
        label={t('devices.fallback')}
        description={t('devices.fallbackHint')}
        rule={DEVICE_RULE}
        maw={360}
        value={hwidSettings.fallback}
        onChange={(fallback) => put({ fallback })}
        error={form.errors['hwidSettings']}
      />
      <TextInput
        label={t('devices.announce')}
        description={t('devices.announceHint')}
        maxLength={ANNOUNCE_MAX}
        value={hwidSettings.announce}
        onChange={({ currentTarget }) => put({ announce: currentTarget.value })}
      />
    </>
  )
}

function flag(name: FlagName) {
  return function FlagInput({ edit: { form } }: InputProps) {
    const { t } = useTranslation('subscription-settings')
    return (
      <Switch label={t(`field.${name}`)} description={t(`hint.${name}`)} {...form.getInputProps(name, { type: 'checkbox' })} />
    )
  }
}
