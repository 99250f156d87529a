import { trafficLimitStrategy } from '@causeway/contract'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { EditFields } from '../../../api/edit-merge.ts'
import { fieldErrorsOf } from '../../../api/field-errors.ts'
import { exactTime } from '../../../lib/time/dates.ts'
import { isUntaken } from '../../../lib/untaken.ts'
import { numberOf } from '../../../lib/numbers/number-entry.ts'
import { useNumberSentence } from '../../../ui/inputs/use-number-sentence.ts'
import { FIELD_NAMES, fieldIssue, isSameOf, isTelegramName, toInstant, type FieldName, type UserForm } from './user-form.ts'
import { externalSquadsQuery } from '../../external-squads/external-squads.queries.ts'
import { internalSquadsQuery } from '../../internal-squads/internal-squads.queries.ts'

/** The form of a new user, checked when a field is left and before it is sent. */
export function useUserForm(initialValues: UserForm) {
  const validate = useUserChecks()
  return useForm<UserForm>({ mode: 'controlled', initialValues, validateInputOnBlur: true, validate })
}

/** What a user has already is never a reason not to save something else. */
export function useUserChecks(original?: UserForm) {
  const { t } = useTranslation(['users', 'ui'])
  const sentenceOf = useNumberSentence()
  const check = (name: FieldName) => (_: unknown, form: UserForm) => {
    // A limit is given up knowingly: where none was before, no question would come.
    if (name === 'trafficLimitBytes' && original === undefined && form[name] === '') return t('ui:number.missing')
    const issue = original?.[name] === form[name] ? undefined : fieldIssue(name, form)
    switch (issue?.kind) {
      case undefined:
        return null
      case 'required':
        return t('required')
      case 'number':
        if (name === 'telegramId' && isUntaken(issue.entry) && isTelegramName(issue.entry.typed)) return t('users:telegramName')
        return sentenceOf(issue.entry, issue.rule)
      case 'date':
        return t('ui:calendar.untaken')
      case 'tag':
        return t(`tagProblem.${issue.problem}`)
      case 'schema':
        return Object.values(fieldErrorsOf(issue.issues.map((one) => ({ ...one, path: [name] }))))[0] ?? null
    }
  }
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, check(name)]))
}

/** What the edit form says of a user's fields. */
export function useUserEditFields(): EditFields<UserForm> {
  const { t, i18n } = useTranslation('users')
  const squads = useQuery(internalSquadsQuery()).data?.internalSquads ?? []
  const external = useQuery(externalSquadsQuery()).data?.externalSquads ?? []
  const nameOf = (uuid: string) => squads.find((squad) => squad.uuid === uuid)?.name ?? uuid
  const inWords: { [Name in FieldName]?: (value: UserForm[Name]) => string } = {
    trafficLimitBytes: (limit) => (numberOf(limit) ? `${numberOf(limit)} GiB` : '∞'),
    trafficLimitStrategy: (strategy) => t(`strategy.${trafficLimitStrategy.parse(strategy)}`),
    expireAt: (at) => exactTime(new Date(toInstant(at)), i18n.language),
    hwidDeviceLimit: ({ isOff, limit }) =>
      isOff ? t('deviceLimit.off') : limit === '' ? t('deviceLimit.fallback') : String(numberOf(limit)),
    activeInternalSquads: (uuids) => uuids.map(nameOf).join(', ') || '–',
    externalSquadUuid: (uuid) => external.find((squad) => squad.uuid === uuid)?.name ?? (uuid || '–'),
  }
  const field = (name: FieldName) => {
    const isSame = isSameOf(name)
    const words = inWords[name]
    return { label: t(`fieldName.${name}`), ...(isSame && { isSame }), ...(words && { inWords: words }) }
  }
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, field(name)])) as EditFields<UserForm> // one for each name
}
