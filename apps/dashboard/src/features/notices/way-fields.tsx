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

/** Fields of one line, each labelled and explained by the texts of its name. */
const LINES = {
  token: { isSecret: true, hint: 'field.tokenHint' },
  chat: { hint: 'field.chatHint', placeholder: '-1001234567890' },
  apiRoot: { placeholder: 'https://api.telegram.org' },
  proxy: { isKept: true, hint: 'field.proxyHint' },
  to: { hint: 'field.toHint', placeholder: 'ops@example.com' },
  from: { placeholder: 'panel@example.com' },
  host: { placeholder: 'smtp.example.com' },
  username: {},
  password: { isSecret: true, autoComplete: 'new-password' },
  url: { hint: 'field.urlHint', placeholder: 'https://bot.example.com/notices', type: 'url' },
  secret: { isSecret: true, hint: 'field.secretHint' },
} as const satisfies Partial<Record<keyof WayForm, Line>>

interface Line {
  hint?: 'field.tokenHint' | 'field.chatHint' | 'field.proxyHint' | 'field.toHint' | 'field.urlHint' | 'field.secretHint'
  placeholder?: string
  type?: 'url'
  autoComplete?: 'new-password'
  /** Is typed unseen, and stays as it is where it is left empty. */
  isSecret?: boolean
  /** Is typed in sight, and stays as it is likewise. */
  isKept?: boolean
}

type LineProps = Props & { name: keyof typeof LINES; required?: boolean; isFirst?: boolean }

function LineField({ form, name, isKept = false, required = false, isFirst = false }: LineProps) {
  const { t } = useTranslation('notices')
  const line: Line = LINES[name]
  const mayStay = isKept && (line.isSecret === true || line.isKept === true)
  const placeholder = mayStay ? t('field.kept') : line.placeholder
  const Input = line.isSecret ? PasswordInput : TextInput
  return (
    <Input
      label={t(`field.${name}`)}
      dir="ltr"
      autoComplete={line.autoComplete ?? 'off'}
      required={required && !mayStay}
      {...(line.hint ? { description: t(line.hint) } : {})}
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(line.type ? { type: line.type } : {})}
      {...(isFirst ? { 'data-autofocus': true } : {})}
      {...form.getInputProps(name)}
    />
  )
}

/** Required fields of a way. */
export function MainFields(props: Props) {
  const { kind } = props.form.values
  if (kind === 'telegram')
    return (
      <>
        <LineField {...props} name="token" required isFirst />
        <LineField {...props} name="chat" required />
      </>
    )
  return kind === 'webhook' ? <LineField {...props} name="url" required /> : <MailFields {...props} />
}

function MailFields(props: Props) {
  const { t } = useTranslation('notices')
  const { form } = props
  return (
    <>
      <LineField {...props} name="to" required />
      <LineField {...props} name="from" required />
      <LineField {...props} name="host" required />
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
        <LineField {...props} name="username" />
        <LineField {...props} name="password" />
      </div>
    </>
  )
}

/** Optional fields of a way. */
export function OtherFields(props: Props) {
  const { t } = useTranslation('notices')
  const { form } = props
  const { kind } = form.values
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
          <LineField {...props} name="apiRoot" />
          <LineField {...props} name="proxy" />
        </>
      )}
      {kind === 'webhook' && <LineField {...props} name="secret" />}
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
