import { Button, Stack, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../lib/fetch-code.ts'
import { useLogin } from './auth.queries.ts'
import { PasswordField } from './parts/password-field.tsx'
import { loginProblems } from './auth.rules.ts'

const SecondStep = lazyPart(async () => (await import('./second-step/second-step.tsx')).SecondStep)

export function LoginForm() {
  const { t } = useTranslation('auth')
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validate: (values) => {
      const { username, password } = loginProblems(values)
      return { username: username && t(`errors.${username}`), password: password && t(`errors.${password}`) }
    },
  })
  const [isProven, setProven] = useState(false)
  const login = useLogin(form, () => setProven(true))
  if (isProven) {
    return (
      <Suspense>
        <SecondStep credentials={form.getValues()} onBack={() => setProven(false)} />
      </Suspense>
    )
  }
  return (
    <form onSubmit={form.onSubmit((values) => login.mutate(values))} noValidate>
      <Stack gap="sm">
        <Title order={2}>{t('loginTitle')}</Title>
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
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={login.isPending} mt="xs" fullWidth>
          {t('login')}
        </Button>
      </Stack>
    </form>
  )
}
