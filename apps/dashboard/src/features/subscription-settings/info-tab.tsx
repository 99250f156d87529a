import { Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { KeyedTextarea, KeyedTextInput } from './keyed-input.tsx'
import { INTERVAL_RULE } from './settings-form.ts'
import type { SettingsEdit } from './use-settings-fields.ts'

const ANNOUNCE_MAX = 200
const SWITCHES = [
  'isProfileWebpageUrlEnabled',
  'serveJsonAtBaseSubscription',
  'addUsernameToBaseSubscription',
  'randomizeHosts',
] as const

/** What apps show of a subscription beside its servers. */
export function InfoTab({ edit: { form } }: { edit: SettingsEdit }) {
  const { t } = useTranslation('subscription-settings')
  return (
    <Stack gap="md">
      <KeyedTextInput
        label={t('field.profileTitle')}
        description={t('hint.profileTitle')}
        value={form.values.profileTitle}
        onChange={(value) => form.setFieldValue('profileTitle', value)}
        error={form.errors['profileTitle']}
      />
      <MachineTextInput
        label={t('field.supportLink')}
        description={t('hint.supportLink')}
        {...form.getInputProps('supportLink')}
      />
      <NumberField
        label={t('field.profileUpdateInterval')}
        description={t('hint.profileUpdateInterval')}
        rule={INTERVAL_RULE}
        unit={t('hours')}
        maw={360}
        {...form.getInputProps('profileUpdateInterval')}
      />
      <KeyedTextarea
        label={t('field.happAnnounce')}
        description={t('hint.happAnnounce', { count: form.values.happAnnounce.length, max: ANNOUNCE_MAX })}
        placeholder={t('placeholder.happAnnounce')}
        value={form.values.happAnnounce}
        onChange={(value) => form.setFieldValue('happAnnounce', value)}
        error={form.errors['happAnnounce']}
      />
      <MachineTextInput
        label={t('field.happRouting')}
        description={t('hint.happRouting')}
        placeholder="happ://routing/add/…"
        {...form.getInputProps('happRouting')}
      />
      {SWITCHES.map((name) => (
        <Switch
          key={name}
          label={t(`field.${name}`)}
          description={t(`hint.${name}`)}
          {...form.getInputProps(name, { type: 'checkbox' })}
        />
      ))}
    </Stack>
  )
}
