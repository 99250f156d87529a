import { Button, Center, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconInbox, IconPlugOff, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptySketch, type Sketch } from './empty-sketch.tsx'

interface EmptyProps {
  title: string
  hint?: string
  icon?: TablerIcon
  /** In place of an icon, where nothing has been made yet. */
  sketch?: Sketch
  action?: ReactNode
}

/** Nothing to show, and what to do about it. */
export function EmptyState({ title, hint, icon: Icon = IconInbox, sketch, action }: EmptyProps) {
  return (
    <Center mih={220} p="lg">
      <Stack align="center" gap="xs" maw={420} ta="center">
        {sketch ? <EmptySketch of={sketch} /> : <Icon size={32} stroke={1.25} color="var(--mantine-color-dimmed)" aria-hidden />}
        <Text fw={600}>{title}</Text>
        {hint !== undefined && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  )
}

interface ErrorProps {
  /** `isAbsent`: of a route that this server does not have. */
  error: Error & { isAbsent?: boolean }
  onRetry: () => void
}

/** A read failed. The toast has said why; here is the way on. To what a server does not have there is none. */
export function ErrorState({ error, onRetry }: ErrorProps) {
  const { t } = useTranslation('ui')
  if (error.isAbsent === true) return <EmptyState icon={IconPlugOff} title={t('absent')} hint={error.message} />
  return (
    <Center mih={220} p="lg" role="alert">
      <Stack align="center" gap="xs" maw={480} ta="center">
        <IconAlertTriangle size={32} stroke={1.25} color="var(--bad)" aria-hidden />
        <Text fw={600}>{t('loadFailed')}</Text>
        <Text size="sm" c="dimmed">
          {error.message}
        </Text>
        <Button variant="default" onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      </Stack>
    </Center>
  )
}

/** Rows in the shape of a list that is coming. */
export function LoadingRows({ count = 8, height = 44 }: { count?: number; height?: number }) {
  const { t } = useTranslation('ui')
  return (
    <Stack gap={1} aria-busy role="status" aria-label={t('loading')}>
      {Array.from({ length: count }, (_, row) => (
        <Skeleton key={row} height={height} radius="sm" />
      ))}
    </Stack>
  )
}

/** Cards in the shape of a grid that is coming. */
export function LoadingCards({
  count = 4,
  height = 120,
  className,
}: {
  count?: number
  height?: number
  className?: string | undefined
}) {
  const { t } = useTranslation('ui')
  return (
    <div className={className} aria-busy role="status" aria-label={t('loading')}>
      {Array.from({ length: count }, (_, card) => (
        <Skeleton key={card} height={height} />
      ))}
    </div>
  )
}
