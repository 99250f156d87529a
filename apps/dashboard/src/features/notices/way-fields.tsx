import { mailSecurity, noticeLanguage, noticeWayKind } from '@causeway/contract'
import { PasswordInput, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PORT_RULE, type NumberRule } from '../../lib/numbers/number-entry.ts'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { PORTS, type WayForm } from './way-form.ts'
import classes from './notices.module.css'

const TOPIC_RULE: NumberRule = { decimals: 0, min: 1, max: 2 ** 53 - 1 }
/** As each calls itself. */
const LANGUAGES = { en: 'English', ru: 'Русский', fa: 'فارسی', zh: '中文' } as const

interface Props {
  // The form of a new way has a field more.
  form: Pick<UseFormReturnType<WayForm>, 'values' | 'getInputProps' | 'setFieldValue'>
  /** A secret that is left empty stays as it is. */
  isKept?: boolean
}

/** Required fields of a way. */
export function MainFields({ form, isKept = false }: Props) {
  const { t } = useTranslation('notices')
  const kept = isKept ? { placeholder: t('field.kept') } : { required: true }
  const { kind } = form.values
  if (kind === 'telegram')
    return (
      <>
        <PasswordInput
          label={t('field.token')}
          description={t('field.tokenHint')}
          autoComplete="off"
          dir="ltr"
          data-autofocus
          {...kept}
          {...form.getInputProps('token')}
        />
        <TextInput
          label={t('field.chat')}
          description={t('field.chatHint')}
          placeholder="-1001234567890"
          dir="ltr"
          required
          {...form.getInputProps('chat')}
        />
      </>
    )
  if (kind === 'webhook')
    return (
      <TextInput
        label={t('field.url')}
        description={t('field.urlHint')}
        placeholder="https://bot.example.com/notices"
        dir="ltr"
        type="url"
        required
        {...form.getInputProps('url')}
      />
    )
  return <MailFields form={form} isKept={isKept} />
}

function MailFields({ form, isKept = false }: Props) {
  const { t } = useTranslation('notices')
  return (
    <>
      <TextInput
        label={t('field.to')}
        description={t('field.toHint')}
        placeholder="ops@example.com"
        dir="ltr"
        required
        {...form.getInputProps('to')}
      />
      <TextInput label={t('field.from')} placeholder="panel@example.com" dir="ltr" required {...form.getInputProps('from')} />
      <TextInput label={t('field.host')} placeholder="smtp.example.com" dir="ltr" required {...form.getInputProps('host')} />
      <div className={classes['pair']}>
        <Select
          label={t('field.security')}
          allowDeselect={false}
          data={mailSecurity.options.map((value) => ({ value, label: t(`security.${value}`) }))}
          {...form.getInputProps('security')}
          onChange={(value) => {
            const { data } = mailSecurity.safeParse(value)
            if (data === undefined) return
            // A usual port goes with the way of encrypting.
            if (Object.values(PORTS).some((port) => port === form.values.port)) form.setFieldValue('port', PORTS[data])
            form.setFieldValue('security', data)
          }}
        />
        <NumberField label={t('field.port')} rule={PORT_RULE} isMachine required {...form.getInputProps('port')} />
      </div>
      <div className={classes['pair']}>
        <TextInput label={t('field.username')} autoComplete="off" dir="ltr" {...form.getInputProps('username')} />
        <PasswordInput
          label={t('field.password')}
          autoComplete="new-password"
          dir="ltr"
          {...(isKept ? { placeholder: t('field.kept') } : {})}
          {...form.getInputProps('password')}
        />
      </div>
    </>
  )
}

/** Optional fields of a way. */
export function OtherFields({ form, isKept = false }: Props) {
  const { t } = useTranslation('notices')
  const { kind } = form.values
  const kept = isKept ? { placeholder: t('field.kept') } : {}
  return (
    <>
      <TextInput label={t('field.name')} description={t('field.nameHint')} {...form.getInputProps('name')} />
      <Select
        label={t('field.language')}
        description={t('field.languageHint')}
        allowDeselect={false}
        data={noticeLanguage.options.map((value) => ({ value, label: LANGUAGES[value] }))}
        {...form.getInputProps('language')}
      />
      {kind === 'telegram' && (
        <>
          <NumberField
            label={t('field.topic')}
            description={t('field.topicHint')}
            rule={TOPIC_RULE}
            isMachine
            {...form.getInputProps('topic')}
          />
          <TextInput
            label={t('field.apiRoot')}
            placeholder="https://api.telegram.org"
            dir="ltr"
            {...form.getInputProps('apiRoot')}
          />
          <TextInput
            label={t('field.proxy')}
            description={t('field.proxyHint')}
            dir="ltr"
            {...kept}
            {...form.getInputProps('proxy')}
          />
        </>
      )}
      {kind === 'webhook' && (
        <PasswordInput
          label={t('field.secret')}
          description={t('field.secretHint')}
          autoComplete="off"
          dir="ltr"
          {...kept}
          {...form.getInputProps('secret')}
        />
      )}
    </>
  )
}

export const KINDS = noticeWayKind.options

export function More({ children }: { children: ReactNode }) {
  const { t } = useTranslation('notices')
  return (
    <details className={classes['more']}>
      <summary>{t('field.more')}</summary>
      <div className={classes['fields']}>{children}</div>
    </details>
  )
}
