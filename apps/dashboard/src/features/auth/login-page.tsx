import { Badge, Center, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../lib/fetch-code.ts'
import { LANGUAGES } from '../../lib/languages.ts'
import { PRODUCT_NAME } from '../../lib/product.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { PageTitle } from '../../ui/frames/page-title.tsx'
import { EggButton } from '../proxy-defense/parts/egg-button.tsx'
import { isPasskeyOffered, signInLayout } from './auth.rules.ts'
import { authStatusQuery, type AuthStatus } from './auth.queries.ts'
import { LoginForm } from './login-form.tsx'
import classes from './login-page.module.css'

// Needed once in an installation's life.
const RegisterForm = lazyPart(async () => (await import('./register-form.tsx')).RegisterForm)
// Most installations have only the password.
const OtherMethods = lazyPart(async () => (await import('./other-methods.tsx')).OtherMethods)

/** Sign in, or on the very first visit create the administrator. */
export default function LoginPage() {
  const { t } = useTranslation('auth')
  const status = useQuery(authStatusQuery())
  const isRegistering = status.data !== undefined && signInLayout(status.data).form === 'register'
  return (
    <Center component="main" className={classes['page']!}>
      <PageTitle title={t(isRegistering ? 'registerTitle' : 'loginTitle')} />
      <Stack gap="lg" className={classes['column']!}>
        <Title order={1} className={classes['brand']!}>
          <EggButton>
            <BrandMark size="2.25rem" />
            {PRODUCT_NAME}
          </EggButton>
        </Title>
        {status.isPending && <Loader role="progressbar" aria-label={t('loading')} className={classes['loader']!} />}
        {status.isError && (
          <Badge color="red" variant="light" size="lg" className={classes['badge']!} role="alert">
            {t('notResponding')}
          </Badge>
        )}
        {status.data && <Methods status={status.data} />}
        <Languages />
      </Stack>
    </Center>
  )
}

/** A visitor may not read the language and can change it here. */
function Languages() {
  const { t, i18n } = useTranslation()
  return (
    <nav className={classes['languages']} aria-label={t('language')}>
      {LANGUAGES.map(({ code, name }) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-current={i18n.resolvedLanguage === code ? 'true' : undefined}
          onClick={() => void i18n.changeLanguage(code)}
        >
          {name}
        </button>
      ))}
    </nav>
  )
}

function Methods({ status }: { status: AuthStatus }) {
  const { t } = useTranslation('auth')
  const { form, hasTelegram, providers } = signInLayout(status)
  const hasOthers = hasTelegram || providers.length > 0 || isPasskeyOffered(status, location.hostname)
  if (form === 'none' && !hasOthers) return <Text ta="center">{t('closed')}</Text>
  return (
    <Paper className={classes['panel']!}>
      <Stack gap="md">
        {form === 'login' && <LoginForm />}
        {form === 'register' && (
          <Suspense fallback={<Loader role="progressbar" aria-label={t('loading')} className={classes['loader']!} />}>
            <RegisterForm />
          </Suspense>
        )}
        {hasOthers && (
          <Suspense fallback={<Loader role="progressbar" aria-label={t('loading')} className={classes['loader']!} />}>
            <OtherMethods status={status} />
          </Suspense>
        )}
      </Stack>
    </Paper>
  )
}
