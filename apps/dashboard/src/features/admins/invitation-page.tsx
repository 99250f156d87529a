import { MIN_PASSWORD_LENGTH } from '@causeway/contract'
import { Alert, Button, Center, Divider, Loader, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PRODUCT_NAME } from '../../lib/product.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { PageTitle } from '../../ui/frames/page-title.tsx'
import { PasswordField } from '../auth/parts/password-field.tsx'
import { useCeremony } from '../auth/parts/use-ceremony.ts'
import { createInvitedPasskey, invitationQuery, useAccept } from './admins.queries.ts'
import { useRoleName } from './use-role-name.ts'
import classes from './admins.module.css'

/** Where the link of an invitation leads: the invited choose their name and password. */
export default function InvitationPage() {
  const { t } = useTranslation('admins')
  const { token } = useParams({ from: '/auth/invitation/$token' })
  const read = useQuery(invitationQuery(token))
  return (
    <Center component="main" className={classes['welcome']!}>
      <PageTitle title={t('accept.title')} />
      <Stack gap="lg" className={classes['column']!}>
        <Title order={1} className={classes['brand']!}>
          <BrandMark size="2.25rem" />
          {PRODUCT_NAME}
        </Title>
        {read.isPending && <Loader role="progressbar" aria-label={t('accept.title')} mx="auto" />}
        {read.isError && (
          <Paper className={classes['panel']!}>
            <Stack>
              <Title order={2}>{t('accept.bad')}</Title>
              <Alert color="yellow">{read.error.message}</Alert>
              <Button variant="default" renderRoot={(props) => <Link to="/auth/login" {...props} />}>
                {t('accept.toLogin')}
              </Button>
            </Stack>
          </Paper>
        )}
        {read.data && (
          <Paper className={classes['panel']!}>
            <AcceptForm token={token} role={read.data.role} invitedBy={read.data.invitedBy} />
          </Paper>
        )}
      </Stack>
    </Center>
  )
}

interface AcceptProps {
  token: string
  role: { ref: string; name: string | null }
  invitedBy: string
}

function AcceptForm({ token, role, invitedBy }: AcceptProps) {
  const { t } = useTranslation(['admins', 'auth'])
  const nameOf = useRoleName()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '', confirmPassword: '' },
    validate: {
      username: (value) => (value.trim().length < 3 ? t('auth:errors.usernameTooShort') : null),
      password: (value) =>
        value.length < MIN_PASSWORD_LENGTH ? t('auth:errors.passwordTooShort', { count: MIN_PASSWORD_LENGTH }) : null,
      confirmPassword: (value, values) => (value === values.password ? null : t('auth:errors.passwordsDoNotMatch')),
    },
  })
  const accept = useAccept(form)
  const onSuccess = () => window.location.assign('/')
  const enteredName = () => form.getValues().username.trim()
  const create = useCeremony(
    () => createInvitedPasskey(token, enteredName()),
    (response) => response && accept.mutate({ token, username: enteredName(), response }, { onSuccess }),
  )
  const hasFailed = create.error !== undefined || (create.isDone && create.result === undefined)
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ username, password }) =>
        accept.mutate({ token, username: username.trim(), password }, { onSuccess }),
      )}
    >
      <Stack gap="sm">
        <div>
          <Title order={2}>{t('accept.title')}</Title>
          <Text size="sm" c="dimmed">
            {t('accept.hint', { name: invitedBy, role: nameOf(role) })}
          </Text>
        </div>
        <TextInput
          label={t('auth:username')}
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <PasswordField
          label={t('auth:password')}
          description={t('auth:passwordHint', { count: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <PasswordField
          label={t('auth:confirmPassword')}
          autoComplete="new-password"
          key={form.key('confirmPassword')}
          {...form.getInputProps('confirmPassword')}
        />
        <Button type="submit" loading={accept.isPending} mt="xs" fullWidth>
          {t('accept.action')}
        </Button>
        <Divider label={t('auth:or')} />
        <Button
          variant="default"
          leftSection={<IconFingerprint size={18} aria-hidden />}
          loading={create.isPending}
          onClick={() => !form.validateField('username').hasError && void create.start()}
        >
          {t('accept.passkey')}
        </Button>
        {hasFailed && (
          <Text size="sm" c="red" role="alert">
            {create.error?.message ?? t('accept.passkeyAborted')}
          </Text>
        )}
      </Stack>
    </form>
  )
}
