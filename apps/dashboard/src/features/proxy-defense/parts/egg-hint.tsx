import '@mantine/core/styles.layer.css'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CLICKS_NEEDED, wishForGame } from './egg.ts'
import classes from './egg-hint.module.css'

interface Props {
  clicks: number
  /** Hidden until the visitor signs in. */
  onPlay: (() => void) | undefined
  onClose: () => void
}

/** Grows with the clicks, and at the last of them tells what was found. */
export function EggHint({ clicks, onPlay, onClose }: Props) {
  const { t } = useTranslation('proxy-defense')
  if (clicks >= CLICKS_NEEDED) return <EggModal onPlay={onPlay} onClose={onClose} />
  const left = CLICKS_NEEDED - clicks
  return (
    <span className={classes['hint']} role="status">
      <span className={classes['line']} style={{ width: `${clicks}%` }} />
      {left <= 10 ? t('egg.left', { count: left }) : t(`egg.${wordFor(clicks)}`)}
    </span>
  )
}

function wordFor(clicks: number): 'stirs' | 'goOn' | 'half' | 'near' {
  if (clicks >= 80) return 'near'
  if (clicks > 50) return 'half'
  return clicks >= 30 ? 'goOn' : 'stirs'
}

function EggModal({ onPlay, onClose }: Omit<Props, 'clicks'>) {
  const { t } = useTranslation('proxy-defense')
  function play(): void {
    if (onPlay) onPlay()
    else wishForGame()
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{t('egg.title')}</Text>}
      size={420}
      closeButtonProps={{ 'aria-label': t('egg.close') }}
    >
      <Stack gap="md">
        <Text size="sm">{t('egg.text')}</Text>
        {!onPlay && (
          <Text size="sm" c="dimmed">
            {t('egg.signIn')}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('egg.close')}
          </Button>
          <Button data-autofocus onClick={play}>
            {t('egg.play')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
