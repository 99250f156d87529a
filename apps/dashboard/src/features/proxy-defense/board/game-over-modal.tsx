import { Button, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFormat, numberFormat } from '../../../lib/numbers/formats.ts'
import { ratingOf } from '../simulation/ratings.ts'
import type { GameState } from '../simulation/state.ts'
import { readBest } from './best-scores.ts'
import classes from './game-over-modal.module.css'

const SHOWN = [
  'enemiesKilled',
  'towersBuilt',
  'healthLost',
  'coinsSpent',
  'totalCoinsEarned',
  'totalInterestEarned',
  'serverDefenseDamageDealt',
] as const

interface Props {
  game: GameState
  onAgain: () => void
  onClose: () => void
}

/** How it went, and how it went before. */
export function GameOverModal({ game, onAgain, onClose }: Props) {
  const { t, i18n } = useTranslation('proxy-defense')
  const { t: ui } = useTranslation('ui')
  const [best] = useState(readBest)
  const number = (value: number) => numberFormat(i18n.language, { maximumFractionDigits: 0 }).format(value)
  const day = dateFormat(i18n.language, { dateStyle: 'medium' })
  const score = Math.floor(game.score)
  const own = best.findIndex((entry) => entry.score === score && entry.wave === game.wave)
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{t('over.title')}</Text>}
      size={460}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <Stack gap="md">
        <div className={classes['head']}>
          <Text className={classes['rating']!}>{t(`ratings.${ratingOf(game.score)}`)}</Text>
          <Text className={classes['score']!}>{number(score)}</Text>
          <Text size="sm" c="dimmed">
            {own === 0 ? t('over.newBest') : t('over.points', { wave: number(game.wave) })}
          </Text>
        </div>
        <dl className={classes['stats']}>
          {SHOWN.map((name) => (
            <div key={name}>
              <dt>{t(`stats.${name}`)}</dt>
              <dd>{number(game.stats[name])}</dd>
            </div>
          ))}
        </dl>
        {best.length > 0 && (
          <section aria-labelledby="best-scores">
            <h3 id="best-scores" className={classes['caption']}>
              {t('over.best')}
            </h3>
            <ol className={classes['best']}>
              {best.map((entry, index) => (
                <li key={`${entry.at} ${entry.score}`} aria-current={index === own || undefined}>
                  <span>{number(entry.score)}</span>
                  <span>{t('waveNumber', { wave: entry.wave })}</span>
                  <time dateTime={entry.at}>{day.format(new Date(entry.at))}</time>
                </li>
              ))}
            </ol>
          </section>
        )}
        <Button data-autofocus onClick={onAgain}>
          {t('over.again')}
        </Button>
      </Stack>
    </Modal>
  )
}
