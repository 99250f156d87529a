import { oauth2Provider } from '@causeway/contract'
import { Anchor, Center, Loader, Stack, Text, Title } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endSession, wantedAddress } from '../../api/session.ts'
import { PageTitle } from '../../ui/frames/page-title.tsx'
import { isLinking, useLink } from './account/identities.queries.ts'
import { useOAuth2Callback } from './other-methods.queries.ts'
import { secondStepOf, type Started } from './second-step/second-step.queries.ts'
import { Proofs } from './second-step/second-step.tsx'

const route = getRouteApi('/oauth2/callback/$provider')

/** Any site can link to this page: the provider's message is cut. */
const MOST_SAID = 300

/** Where a provider sends the visitor back to: trades the code for a session. */
export default function OAuth2CallbackPage() {
  const { t } = useTranslation('auth')
  const { t: second } = useTranslation('second-step')
  const { t: account } = useTranslation('account')
  const { provider } = route.useParams()
  const { code, state, iss, error, error_description: description } = route.useSearch()
  const navigate = useNavigate()
  const { mutate } = useOAuth2Callback()
  const { mutate: link } = useLink()
  const hasStarted = useRef(false)
  const [secondStep, setSecondStep] = useState<Started>()
  const known = oauth2Provider.safeParse(provider).data

  // The exchange begins by arriving here, not by an event of the page; a code is good for one exchange only.
  useEffect(() => {
    if (hasStarted.current || !code || !state || !known) return
    hasStarted.current = true
    if (isLinking(state)) {
      const toAccount = () => void navigate({ to: '/dashboard/account', replace: true })
      return link({ provider: known, code, state, ...(iss ? { iss } : {}) }, { onSettled: toAccount })
    }
    mutate(
      { provider: known, code, state, ...(iss ? { iss } : {}) },
      {
        onSuccess: () => void navigate({ href: wantedAddress() }),
        onError: (failure) => {
          const asked = secondStepOf(failure)
          if (asked) return setSecondStep(asked)
          endSession()
          void navigate({ to: '/auth/login' })
        },
      },
    )
  }, [known, code, state, iss, mutate, link, navigate])

  if (secondStep) {
    return (
      <Center component="main" mih="100dvh" p="lg">
        <PageTitle title={second('title')} />
        <Stack w="100%" maw={380} gap="sm">
          <Title order={1} fz="xl">
            {second('title')}
          </Title>
          <Proofs started={secondStep} onDone={() => void navigate({ href: wantedAddress() })} />
        </Stack>
      </Center>
    )
  }
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
              {isLinking(state) ? account('identities.linking') : t('authenticating')}
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
