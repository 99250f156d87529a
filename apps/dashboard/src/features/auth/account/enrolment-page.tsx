import { Button, Group, Stack, Text } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { accountQuery } from '../../../api/rights/may.tsx'
import { proofStore } from '../../../api/proof.ts'
import { lazyPart } from '../../../lib/fetch-code.ts'
import { useStore } from '../../../lib/store.ts'
import { LoadingBar } from '../../../ui/frames/loading-bar.tsx'
import { PageTitle } from '../../../ui/frames/page-title.tsx'
import { ErrorState } from '../../../ui/frames/states.tsx'
import { useLogout } from '../parts/use-logout.ts'

import { secondFactorQuery } from './second-factor.queries.ts'
import { SecondFactorCards } from './second-factor-cards.tsx'
import classes from './account.module.css'

const ProofDialog = lazyPart(async () => (await import('../parts/proof-dialog.tsx')).ProofDialog)

/** Where a session is led whose account lacks the second factor that the installation requires. */
export default function EnrolmentPage() {
  const account = useQuery(accountQuery())
  if (account.isError && !account.data) return <ErrorState error={account.error} onRetry={() => void account.refetch()} />
  if (!account.data) return <LoadingBar />
  if (account.data.isSecondFactorDue !== true) return <Navigate to="/" replace />
  return (
    <ModalsProvider>
      <Enrolment username={account.data.username} />
    </ModalsProvider>
  )
}

function Enrolment({ username }: { username: string }) {
  const { t } = useTranslation('account')
  const { t: shell } = useTranslation()
  const client = useQueryClient()
  const logOut = useLogout()
  const settleProof = useStore(proofStore)
  const { data: factor } = useQuery(secondFactorQuery())
  const isSet = factor !== undefined && (factor.authenticatorSince !== null || factor.passkeys > 0)
  // All that was refused is asked for again.
  const onDone = () => void client.invalidateQueries()
  return (
    <main className={classes['enrolment']}>
      <PageTitle title={t('enrolment.title')} />
      <Stack gap="xs">
        <h1>{t('enrolment.title')}</h1>
        <Text c="dimmed">{t('enrolment.hint', { name: username })}</Text>
      </Stack>
      <SecondFactorCards onKept={onDone} />
      <Group justify="space-between">
        <Button variant="subtle" color="gray" onClick={logOut}>
          {shell('logout')}
        </Button>
        {isSet && <Button onClick={onDone}>{t('enrolment.continue')}</Button>}
      </Group>
      <Suspense fallback={null}>{settleProof && <ProofDialog onEnd={settleProof} />}</Suspense>
    </main>
  )
}
