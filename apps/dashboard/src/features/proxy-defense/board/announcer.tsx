import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import classes from './board.module.css'
import type { Tiding } from './tidings.ts'
import { useGame } from './use-game.ts'

/** Announces the events on the board to screen readers. */
export function Announcer() {
  const { t } = useTranslation('proxy-defense')
  const tiding = useGame((played) => played.tiding)
  return (
    <p role="status" aria-label={t('announcer')} className={classes['unseen']}>
      {tiding !== null && sentence(t, tiding)}
    </p>
  )
}

function sentence(t: TFunction<'proxy-defense'>, tiding: Tiding): string {
  switch (tiding.kind) {
    case 'wave': {
      const { waveType, formation, enemyCount, isFlood } = tiding.info
      const facts = { type: t(`waveTypes.${waveType}`), formation: t(`formations.${formation}`), count: enemyCount }
      const words = `${t('waveNumber', { wave: tiding.wave })}: ${t('waveFacts', facts)}`
      return isFlood ? `${words}. ${t('events.data_flood')}` : words
    }
    case 'waveOver':
      return t('tidings.waveOver', tiding)
    case 'event':
      return `${t(`events.${tiding.event}`)}: ${t(`eventHints.${tiding.event}`)}`
    case 'built':
      return t('tidings.built', { tower: t(`towers.${tiding.tower}`), coins: tiding.coins })
    case 'towersLost':
      return t('tidings.towersLost', { count: tiding.count, left: tiding.left })
    case 'health':
      return t('tidings.health', { health: tiding.health, level: t(`levels.${tiding.level}`) })
    case 'over':
      return t('tidings.over', tiding)
  }
}
