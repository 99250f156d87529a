import { Button } from '@mantine/core'
import { IconHome } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { rememberScore } from './board/best-scores.ts'
import { createGameStore } from './board/game-store.ts'
import { Game } from './board/game.tsx'
import { MusicPlayer } from './music/music-player.tsx'
import { lockEgg } from './parts/egg.ts'
import classes from './proxy-defense-page.module.css'
import type { GameState } from './simulation/state.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'

/** The hidden game and its music. */
export default function ProxyDefensePage() {
  const { t } = useTranslation('proxy-defense')
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const [store] = useState(() => createGameStore(Math.random, remember))
  return (
    <div className={classes['page']}>
      <PageHeader
        title={t('title')}
        {...(isPhone ? {} : { description: t('description') })}
        actions={
          <>
            <Button
              variant="default"
              onClick={() => {
                lockEgg()
                void navigate({ to: '/dashboard/home', replace: true })
              }}
            >
              {t('reset')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconHome size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/dashboard/home" {...props} />}
            >
              {t('home')}
            </Button>
          </>
        }
      />
      <Game store={store} />
      <MusicPlayer />
    </div>
  )
}

function remember({ score, wave }: GameState): void {
  rememberScore({ score: Math.floor(score), wave, at: new Date().toISOString() })
}
