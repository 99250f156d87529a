import {
  amountOf,
  createNoticeRule,
  type CallInput,
  type NoticeCondition,
  type NoticeDigest,
  type NoticeRule,
  type updateNoticeRule,
} from '@causeway/contract'
import { fieldErrorsOf } from '../../api/field-errors.ts'
import { numberOf, type NumberEntry } from '../../lib/numbers/number-entry.ts'
import { digestOf } from './notices.rules.ts'

export type RuleForm = {
  condition: NoticeCondition
  amount: NumberEntry
  ways: string[]
  /** Empty: no quiet hours. */
  quietFrom: string
  quietTo: string
  zone: string | null
  mostPerHour: NumberEntry
  digest: NoticeDigest
}

export function emptyRule(ways: readonly string[]): RuleForm {
  return { ...usual('nodeDown'), ways: [...ways], quietFrom: '', quietTo: '', zone: null, mostPerHour: '' }
}

/** Usual values of a condition. */
export function usual(condition: NoticeCondition): Pick<RuleForm, 'condition' | 'amount' | 'digest'> {
  return { condition, amount: amountOf(condition)?.usual ?? '', digest: digestOf(condition) }
}

export function toForm({ condition, amount, ways, quietFrom, quietTo, zone, mostPerHour, digest }: NoticeRule): RuleForm {
  return {
    condition,
    amount: amount ?? '',
    ways,
    quietFrom: quietFrom ?? '',
    quietTo: quietTo ?? '',
    zone,
    mostPerHour: mostPerHour ?? '',
    digest,
  }
}

const orNull = (text: string) => (text === '' ? null : text)

export function toInput({
  condition,
  amount,
  ways,
  quietFrom,
  quietTo,
  zone,
  mostPerHour,
  digest,
}: RuleForm): CallInput<typeof createNoticeRule> {
  return {
    condition,
    amount: amountOf(condition) === null ? null : (numberOf(amount) ?? null),
    ways,
    quietFrom: orNull(quietFrom),
    quietTo: orNull(quietTo),
    zone,
    mostPerHour: numberOf(mostPerHour) ?? null,
    digest,
  }
}

/** Changed fields. */
export function toPatch(uuid: string, form: RuleForm, changed: ReadonlySet<keyof RuleForm>): CallInput<typeof updateNoticeRule> {
  const { condition: _, ...fields } = toInput(form)
  const some = Object.entries(fields).filter(([name]) => [...changed].some((field) => field === name))
  return { uuid, ...Object.fromEntries(some) }
}

/** The rules of the contract, by field. */
export function problemsOf(form: RuleForm): Record<string, string> {
  const { error } = createNoticeRule.body.safeParse(toInput(form))
  return fieldErrorsOf((error?.issues ?? []).map(({ path, ...issue }) => ({ ...issue, path: path.map(String) })))
}
