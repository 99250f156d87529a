import { useForm, type UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../../api/field-errors.ts'
import { fieldIssue, type UserForm } from './user-form.ts'

/** The form of a new user, checked when a field is left and before it is sent. */
export function useUserForm(initialValues: UserForm) {
  const validate = useUserChecks()
  return useForm<UserForm>({ mode: 'controlled', initialValues, validateInputOnBlur: true, validate })
}

export function useUserChecks() {
  const { t } = useTranslation('users')
  const check = (name: 'username' | 'email' | 'telegramId' | 'description' | 'tag') => (_: unknown, form: UserForm) => {
    const issue = fieldIssue(name, form)
    switch (issue?.kind) {
      case undefined:
        return null
      case 'required':
        return t('required')
      case 'tag':
        return t(`tagProblem.${issue.problem}`)
      case 'schema':
        return Object.values(fieldErrorsOf(issue.issues.map((one) => ({ ...one, path: [name] }))))[0] ?? null
    }
  }
  return {
    username: check('username'),
    email: check('email'),
    telegramId: check('telegramId'),
    description: check('description'),
    tag: check('tag'),
  }
}

/** Fields whose name on the wire is another one. */
const FORM_NAMES: Record<string, string> = { trafficLimitBytes: 'trafficLimitGib', activeInternalSquads: 'squadUuids' }

/** Takes the server's complaints, which use the names of the wire. */
export function wireErrorsTo(form: UseFormReturnType<UserForm>) {
  return {
    setErrors: (errors: Record<string, string>) =>
      form.setErrors(Object.fromEntries(Object.entries(errors).map(([name, text]) => [FORM_NAMES[name] ?? name, text]))),
  }
}
