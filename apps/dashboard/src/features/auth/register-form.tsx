import { MIN_PASSWORD_LENGTH } from '@causeway/contract'
import { Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { showBriefError, showSuccess } from '../../api/toasts.ts'
import { copyText } from '../../lib/clipboard.ts'
import { generatePassword } from '../../lib/passwords.ts'
import { useRegister } from './register.queries.ts'
import { PasswordField } from './parts/password-field.tsx'
import { registerProblems, type RegisterForm as Values, type RegisterProblem } from './register-form-rules.ts'

/** Creates the first administrator. */
export function RegisterForm() {
  const { t } = useTranslation('auth')
  const text = (problem: RegisterProblem | undefined) => problem && t(`errors.${problem}`, { count: MIN_PASSWORD_LENGTH })
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '', confirmPassword: '' },
    validate: (values) => {
      const problems = registerProblems(values)
      return {
        username: text(problems.username),
        password: text(problems.password),
        confirmPassword: text(problems.confirmPassword),
      }
    },
  })
  const register = useRegister(form)

  async function generate(): Promise<void> {
    const password = generatePassword()
    form.setValues({ password, confirmPassword: password })
    form.clearErrors()
    if (await copyText(password)) showSuccess(t('passwordCopied'))
    else showBriefError(t('passwordNotCopied'))
  }
  return (
    <form onSubmit={form.onSubmit(({ username, password }) => register.mutate({ username, password }))} noValidate>
      <Stack gap="sm">
        <div>
          <Title order={2}>{t('registerTitle')}</Title>
          <Text size="sm" c="dimmed">
            {t('registerHint')}
          </Text>
        </div>
        <TextInput
          label={t('username')}
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          required
          withAsterisk={false}
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <PasswordField
          label={t('password')}
          description={t('passwordHint', { count: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <PasswordField
          label={t('confirmPassword')}
          autoComplete="new-password"
          key={form.key('confirmPassword')}
          {...form.getInputProps('confirmPassword')}
        />
        <Button variant="default" onClick={() => void generate()}>
          {t('generatePassword')}
        </Button>
        <Button type="submit" loading={register.isPending}>
          {t('register')}
        </Button>
      </Stack>
    </form>
  )
}
