import { Stack, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { HeadersField } from './headers-field.tsx'
import { KeyedTextarea, KeyedTextInput } from './keyed-input.tsx'
import { RemarkList } from './remark-list.tsx'
import {
  INTERVAL_RULE,
  settingsForm,
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

function flag(name: FlagName) {
  return function FlagInput({ edit: { form } }: InputProps) {
    const { t } = useTranslation('subscription-settings')
    return (
      <Switch label={t(`field.${name}`)} description={t(`hint.${name}`)} {...form.getInputProps(name, { type: 'checkbox' })} />
    )
  }
}
