import { Button, Center, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useConnection } from '../../api/connection.ts'
import { LoadingBar } from '../../ui/frames/loading-bar.tsx'
import { useTries } from './use-tries.ts'

/** In the place of a page whose code or texts are on their way. It is loaded with the first screen, so it is plain. */
export function Coming() {
  const { isAway, nextTryAt } = useConnection()
  return isAway ? <AwayPage nextTryAt={nextTryAt} /> : <LoadingBar />
}

function AwayPage({ nextTryAt }: { nextTryAt: number }) {
  const { t } = useTranslation()
  const { isTrying, tryNow } = useTries(nextTryAt)
  return (
    <Center mih={220} p="lg">
      <Stack align="center" gap="sm" maw={420} ta="center">
        <Text fw={600}>{t('away.title')}</Text>
        <Text c="dimmed">{t('away.page')}</Text>
        <Button variant="default" loading={isTrying} onClick={() => void tryNow()}>
          {t('away.tryPage')}
        </Button>
      </Stack>
    </Center>
  )
}
