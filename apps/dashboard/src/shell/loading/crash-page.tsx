import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/frames/page-title.tsx'

/** Shown when rendering throws. Loaded with the first screen, as nothing may be loadable by then. */
export function CrashPage() {
  const { t } = useTranslation()
  return (
    <Center component="main" mih="100dvh" p="lg">
      <PageTitle title={t('crash.title')} />
      <Stack align="center" maw={420} ta="center">
        <Text c="dimmed" fw={600}>
          500
        </Text>
        <Title order={1}>{t('crash.title')}</Title>
        <Text c="dimmed">{t('crash.body')}</Text>
        <Button onClick={() => window.location.reload()}>{t('crash.action')}</Button>
      </Stack>
    </Center>
  )
}
