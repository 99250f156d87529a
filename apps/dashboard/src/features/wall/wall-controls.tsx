import { ActionIcon } from '@mantine/core'
import { useFullscreenDocument } from '@mantine/hooks'
import { IconMaximize, IconMinimize, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import classes from './wall.module.css'

/** Seen only while a pointer moves over them or the keyboard is on them: a monitor shows no buttons. */
export function WallControls({ isSession }: { isSession: boolean }) {
  const { t } = useTranslation('wall')
  const { fullscreen, toggle } = useFullscreenDocument()
  const Icon = fullscreen ? IconMinimize : IconMaximize
  return (
    <div className={classes['controls']}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t(fullscreen ? 'leaveFullScreen' : 'fullScreen')}
        title={t(fullscreen ? 'leaveFullScreen' : 'fullScreen')}
        onClick={() => void toggle()}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
      {isSession && (
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t('leave')}
          title={t('leave')}
          renderRoot={(props) => <Link to="/dashboard/home" {...props} />}
        >
          <IconX size={18} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}
