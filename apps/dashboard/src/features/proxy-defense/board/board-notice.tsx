import { useTranslation } from 'react-i18next'
import classes from './board.module.css'
import { useGame } from './use-game.ts'

const WAVE_NOTICE_MS = 3500

/** One line over the board: what befalls it, what comes next, or what has just begun. */
export function BoardNotice() {
  const { t } = useTranslation('proxy-defense')
  const event = useGame(({ game }) => game.globalEvents.activeEvents[0]?.type)
  const wave = useGame(({ game }) => game.wave)
  const isBetween = useGame(({ game }) => game.nextWaveInMs !== null)
  const info = useGame(({ game }) => game.currentWaveInfo)
  const isFresh = useGame(({ game }) => game.elapsedMs - (game.currentWaveInfo?.startedAtMs ?? 0) < WAVE_NOTICE_MS)
  const isOver = useGame(({ game }) => game.isGameOver)
  if (isOver || info === null) return null
  if (event !== undefined) {
    return (
      <p className={classes['notice']} data-event={event} aria-hidden>
        <strong>{t(`events.${event}`)}</strong> {t(`eventHints.${event}`)}
      </p>
    )
  }
  if (!isBetween && !isFresh) return null
  return (
    <p className={classes['notice']} aria-hidden>
      <strong>{t('waveNumber', { wave })}</strong>{' '}
      {isBetween
        ? t('waveComes')
        : t('waveFacts', {
            type: t(`waveTypes.${info.waveType}`),
            formation: t(`formations.${info.formation}`),
            count: info.enemyCount,
          })}
    </p>
  )
}
