import { ActionIcon, Tooltip } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { healthLevel } from '../simulation/ratings.ts'
import { readBest } from './best-scores.ts'
import classes from './board.module.css'
import { useGame, useGameStore } from './use-game.ts'

/** The figures of the game in one line. */
export function Hud() {
  const { t, i18n } = useTranslation('proxy-defense')
  const store = useGameStore()
  const health = useGame(({ game }) => Math.ceil(game.health))
  const coins = useGame(({ game }) => Math.floor(game.coins))
  const score = useGame(({ game }) => Math.floor(game.score))
  const wave = useGame(({ game }) => game.wave)
  const intensity = useGame(({ game }) => game.currentWaveInfo?.intensity)
  const left = useGame(({ game }) => game.enemies.length)
  const coming = useGame(({ game }) => game.globalEvents.scheduledEvents.find((event) => event.wave <= game.wave + 1)?.type)
  const isPaused = useGame((played) => played.isPaused)
  const isRunning = useGame(({ game }) => game.isGameStarted && !game.isGameOver)
  const level = healthLevel(health)
  const best = Math.max(readBest()[0]?.score ?? 0, score)
  const number = (value: number) => numberFormat(i18n.language).format(value)
  return (
    <div className={classes['hud']} role="group" aria-label={t('figures')}>
      <dl className={classes['figures']}>
        <div className={classes['figure']} data-wide>
          <dt>{t('health')}</dt>
          <dd>
            <span className={classes['value']}>{number(health)}</span>
            <span className={classes['level']} data-level={level}>
              {t(`levels.${level}`)}
            </span>
            <span className={classes['bar']} aria-hidden>
              <span data-level={level} style={{ width: `${health}%` }} />
            </span>
          </dd>
        </div>
        <Figure name={t('coins')} value={number(coins)} />
        <Figure name={t('wave')} value={number(wave)} note={intensity && t(`intensities.${intensity}`)} />
        <Figure name={t('enemiesLeft')} value={number(left)} note={coming && t('eventComes', { event: t(`events.${coming}`) })} />
        <Figure name={t('score')} value={number(score)} note={t('best', { score: number(best) })} />
      </dl>
      <Tooltip label={t(isPaused ? 'resume' : 'pause')}>
        <ActionIcon
          size="lg"
          variant="default"
          aria-label={t(isPaused ? 'resume' : 'pause')}
          aria-keyshortcuts="P"
          disabled={!isRunning}
          onClick={() => store.setPaused(!isPaused)}
        >
          {isPaused ? <IconPlayerPlay size={18} /> : <IconPlayerPause size={18} />}
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

function Figure({ name, value, note }: { name: string; value: string; note?: string | undefined }) {
  return (
    <div className={classes['figure']}>
      <dt>{name}</dt>
      <dd>
        <span className={classes['value']}>{value}</span>
        {note !== undefined && <span className={classes['note']}>{note}</span>}
      </dd>
    </div>
  )
}
