import {
  createNoticeWay,
  noticeLanguage,
  updateNoticeWay,
  usualNotices,
  type CallInput,
  type MailSecurity,
  type NoticeCondition,
  type NoticeLanguage,
  type NoticeWay,
  type NoticeWayKind,
} from '@causeway/contract'
import { fieldErrorsOf } from '../../api/field-errors.ts'
import { numberOf, type NumberEntry } from '../../lib/numbers/number-entry.ts'

export type WayForm = {
  kind: NoticeWayKind
  name: string
  language: NoticeLanguage
  chat: string
  topic: NumberEntry
  apiRoot: string
  token: string
  proxy: string
  host: string
  port: NumberEntry
  security: MailSecurity
  username: string
  password: string
  from: string
  /** With commas between them. */
  to: string
  url: string
  secret: string
}
export type NewWayForm = WayForm & { conditions: NoticeCondition[] }

export const PORTS: Record<MailSecurity, number> = { tls: 465, starttls: 587, none: 25 }

export function emptyForm(language: string): NewWayForm {
  const known = noticeLanguage.safeParse(language.slice(0, 2))
  return {
    kind: 'telegram',
    name: '',
    language: known.success ? known.data : 'en',
    chat: '',
    topic: '',
    apiRoot: '',
    token: '',
    proxy: '',
    host: '',
    port: PORTS.tls,
    security: 'tls',
    username: '',
    password: '',
    from: '',
    to: '',
    url: '',
    secret: '',
    conditions: [...usualNotices],
  }
}

export function toForm({ kind, name, language, telegram, email, webhook }: NoticeWay): WayForm {
  const { conditions: _, ...empty } = emptyForm(language)
  return {
    ...empty,
    kind,
    name,
    chat: telegram?.chat ?? '',
    topic: telegram?.topic ?? '',
    apiRoot: telegram?.apiRoot ?? '',
    host: email?.host ?? '',
    port: email?.port ?? PORTS.tls,
    security: email?.security ?? 'tls',
    username: email?.username ?? '',
    from: email?.from ?? '',
    to: email?.to.join(', ') ?? '',
    url: webhook?.url ?? '',
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
/** Not a number where there is none yet, so that the contract says what is missing. */
const numberIn = (entry: NumberEntry) => numberOf(entry) ?? Number.NaN

function telegramOf({ chat, topic, apiRoot, token, proxy }: WayForm) {
  const number = topic === '' ? null : numberIn(topic)
  return { chat: chat.trim(), topic: number, apiRoot: orNull(apiRoot), token: token.trim(), proxy: orNull(proxy) }
}

function emailOf({ host, port, security, username, password, from, to }: WayForm) {
  const receivers = to.split(/[,;\s]+/).filter((address) => address !== '')
  return {
    host: host.trim(),
    port: numberIn(port),
    security,
    username: orNull(username),
    password: password === '' ? null : password,
    from: from.trim(),
    to: receivers,
  }
}

const webhookOf = ({ url, secret }: WayForm) => ({ url: url.trim(), secret: orNull(secret) })

export function toInput({ conditions, ...form }: NewWayForm): CallInput<typeof createNoticeWay> {
  const { kind, name, language } = form
  return {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    language,
    conditions,
    ...(kind === 'telegram' ? { telegram: telegramOf(form) } : {}),
    ...(kind === 'email' ? { email: emailOf(form) } : {}),
    ...(kind === 'webhook' ? { webhook: webhookOf(form) } : {}),
  }
}

/** Changed fields. A secret that is left empty stays. */
export function toPatch(uuid: string, form: WayForm, changed: ReadonlySet<keyof WayForm>): CallInput<typeof updateNoticeWay> {
  const those = <T extends object>(part: T) => {
    const entries = Object.entries(part).filter(([name]) => [...changed].some((field) => field === name))
    return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<T>) // some of those very members
  }
  const part = {
    telegram: form.kind === 'telegram' ? those(telegramOf(form)) : undefined,
    email: form.kind === 'email' ? those(emailOf(form)) : undefined,
    webhook: form.kind === 'webhook' ? those(webhookOf(form)) : undefined,
  }
  return {
    uuid,
    ...(changed.has('name') ? { name: form.name.trim() } : {}),
    ...(changed.has('language') ? { language: form.language } : {}),
    ...(part.telegram ? { telegram: part.telegram } : {}),
    ...(part.email ? { email: part.email } : {}),
    ...(part.webhook ? { webhook: part.webhook } : {}),
  }
}

/** The rules of the contract, by field. */
export function problemsOf(form: NewWayForm): Record<string, string> {
  return problemsIn(createNoticeWay.body.safeParse(toInput(form)).error?.issues)
}

const SECRETS = ['token', 'proxy', 'password', 'secret'] as const

/** As the change would be judged, where what is secret is not typed again. */
export function editProblemsOf(form: WayForm): Record<string, string> {
  const names = Object.keys(form) as (keyof WayForm)[] // keys of that very object
  const typed = names.filter((name) => !SECRETS.some((secret) => secret === name && form[name] === ''))
  const uuid = '00000000-0000-4000-8000-000000000000'
  return problemsIn(updateNoticeWay.body.safeParse(toPatch(uuid, form, new Set(typed))).error?.issues)
}

function problemsIn(issues: readonly { path: PropertyKey[]; code?: string; message: string }[] | undefined) {
  return fieldErrorsOf((issues ?? []).map((issue) => ({ ...issue, code: issue.code ?? 'custom', path: issue.path.map(String) })))
}
