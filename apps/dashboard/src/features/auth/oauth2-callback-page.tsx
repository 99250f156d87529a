import { oauth2Provider } from '@causeway/contract'
import { Anchor, Center, Loader, Stack, Text, Title } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { endSession, wantedAddress } from '../../api/session.ts'
import { PageTitle } from '../../ui/frames/page-title.tsx'
import { useOAuth2Callback } from './other-methods.queries.ts'

const route = getRouteApi('/oauth2/callback/$provider')

/** Any site can link to this page: the provider's message is cut. */
const MOST_SAID = 300

/** Where a provider sends the visitor back to: trades the code for a session. */
export default function OAuth2CallbackPage() {
  const { t } = useTranslation('auth')
  const { provider } = route.useParams()
  const { code, state, error, error_description: description } = route.useSearch()
  const navigate = useNavigate()
  const { mutate } = useOAuth2Callback()
  const hasStarted = useRef(false)
  const known = oauth2Provider.safeParse(provider).data

  // The exchange begins by arriving here, not by an event of the page; a code is good for one exchange only.
  useEffect(() => {
    if (hasStarted.current || !code || !state || !known) return
    hasStarted.current = true
    mutate(
      { provider: known, code, state },
      {
        onSuccess: () => void navigate({ href: wantedAddress() }),
        onError: () => {
          endSession()
          void navigate({ to: '/auth/login' })
        },
      },
    )
  }, [known, code, state, mutate, navigate])

  const canGoOn = known !== undefined && code && state
  const said = (description || error)?.slice(0, MOST_SAID)
  return (
    <Center component="main" mih="100dvh" p="lg">
      <PageTitle title={t('callbackTitle')} />
      <Stack align="center" maw={420} ta="center">
        {!canGoOn ? (
          <Stack align="center" gap="xs" role="alert">
            <Title order={1} fz="md" fw={400}>
              {known ? t(said ? 'declined' : 'incomplete', { name: t(known) }) : t('unknownProvider')}
            </Title>
            {known && said && (
              <Text dir="auto" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {said}
              </Text>
            )}
          </Stack>
        ) : (
          <Stack align="center" role="status">
            <Loader aria-hidden />
            <Title order={1} fz="md" fw={400} c="dimmed">
              {t('authenticating')}
            </Title>
          </Stack>
        )}
        {/* After declining at the provider there is no code, and nothing will follow. */}
        {!canGoOn && (
          <Anchor component={Link} to="/auth/login">
            {t('backToLogin')}
          </Anchor>
        )}
      </Stack>
    </Center>
  )
}
