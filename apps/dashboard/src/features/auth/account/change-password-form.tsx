import { MIN_PASSWORD_LENGTH } from '@causeway/contract'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accountQuery } from '../../../api/rights/may.tsx'
import { showBriefError, showSuccess } from '../../../api/toasts.ts'
import { copyText } from '../../../lib/clipboard.ts'
import { generatePassword } from '../../../lib/passwords.ts'
import { FormFooter, useFrameDirty } from '../../../ui/frames/frames.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { useChangePassword } from './account.queries.ts'
import { passwordProblems, type PasswordForm } from './account.rules.ts'

const EMPTY: PasswordForm = { currentPassword: '', password: '', confirmPassword: '' }

/** Sets a new password with the current one. */
export function ChangePasswordForm({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation('account')
  const { t: auth } = useTranslation('auth')
  const { data: account } = useQuery(accountQuery())
  const form = useForm<PasswordForm>({
    initialValues: EMPTY,
    validate: (values) =>
      Object.fromEntries(
        Object.entries(passwordProblems(values)).map(([field, problem]) => [
          field,
          problem === 'passwordUnchanged' ? t('password.unchanged') : auth(`errors.${problem}`, { count: MIN_PASSWORD_LENGTH }),
        ]),
      ),
  })
  const change = useChangePassword(form)
  useFrameDirty(form.isDirty() && !change.isSuccess)

  async function generate(): Promise<void> {
    const password = generatePassword()
    form.setValues({ password, confirmPassword: password })
    form.clearErrors()
    if (await copyText(password)) showSuccess(auth('passwordCopied'))
    else showBriefError(auth('passwordNotCopied'))
  }
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ currentPassword, password }) =>
        change.mutate({ currentPassword, password }, { onSuccess: onChanged }),
      )}
    >
      <Stack gap="md" mb="lg">
        {account?.isPasswordLoginAllowed === false && <Alert color="yellow">{t('password.off')}</Alert>}
        {/* Password stores of browsers ask for the name beside the password. */}
        <input type="text" name="username" autoComplete="username" value={account?.username ?? ''} readOnly hidden />
        <PasswordField
          label={t('password.current')}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('currentPassword')}
        />
        <PasswordField
          label={t('password.new')}
          description={auth('passwordHint', { count: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordField label={t('password.again')} autoComplete="new-password" {...form.getInputProps('confirmPassword')} />
        <Text size="sm" c="dimmed">
          {t('password.ends')}
        </Text>
      </Stack>
      <FormFooter action={t('password.action')} isBusy={change.isPending}>
        <Button variant="default" onClick={() => void generate()}>
          {auth('generatePassword')}
        </Button>
      </FormFooter>
    </form>
  )
}
