import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../ui/frames/page-title.tsx'

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <Center component="main" mih="100dvh" p="lg">
      <PageTitle title={t('notFound.title')} />
      <Stack align="center" maw={420} ta="center">
        <Title order={1}>{t('notFound.title')}</Title>
        <Text c="dimmed">{t('notFound.body')}</Text>
        <Button renderRoot={(props) => <Link to="/" {...props} />}>{t('notFound.action')}</Button>
      </Stack>
    </Center>
  )
}
