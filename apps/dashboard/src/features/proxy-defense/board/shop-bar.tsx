import { IconBolt, IconClock, IconCoin, IconRadar2, type TablerIcon } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { canAfford } from '../simulation/shop.ts'
import { TOWER_TYPES, towerKinds, type TowerType } from '../simulation/towers.ts'
import classes from './shop-bar.module.css'
import { drawTowerShape } from './tower-shapes.ts'
import { useGame, useGameStore } from './use-game.ts'

/** Towers to build. The keys 1 to 5 choose as well. */
export function ShopBar({ isTall, onChosen }: { isTall: boolean; onChosen: () => void }) {
  const { t } = useTranslation('proxy-defense')
  return (
    <ul className={classes['shop']} data-tall={isTall || undefined} aria-label={t('shop')}>
      {TOWER_TYPES.map((type, index) => (
        <li key={type}>
          <Offer type={type} number={index + 1} onChosen={onChosen} />
        </li>
      ))}
    </ul>
  )
}

function Offer({ type, number, onChosen }: { type: TowerType; number: number; onChosen: () => void }) {
  const { t, i18n } = useTranslation('proxy-defense')
  const store = useGameStore()
  const isSelected = useGame(({ game }) => game.selectedTowerType === type)
  const isAffordable = useGame(({ game }) => canAfford(game, type))
  const isOver = useGame(({ game }) => game.isGameOver)
  const { cost, damage, range, cooldownMs } = towerKinds[type]
  const format = (value: number) => numberFormat(i18n.language, { maximumFractionDigits: 1 }).format(value)
  const seconds = format(cooldownMs / 1000)
  const isOff = !isAffordable || isOver
  return (
    <button
      type="button"
      className={classes['offer']}
      aria-pressed={isSelected}
      aria-disabled={isOff || undefined}
      aria-keyshortcuts={String(number)}
      onClick={() => {
        if (isOff) return
        store.select(type)
        if (!isSelected) onChosen()
      }}
    >
      <TowerIcon type={type} />
      <span className={classes['words']}>
        <span className={classes['name']}>{t(`towers.${type}`)}</span>
        {isAffordable ? (
          <span
            className={classes['facts']}
            role="img"
            aria-label={t('towerFacts', { damage: format(damage), range: format(range), seconds })}
          >
            <Fact icon={IconBolt} value={format(damage)} />
            <Fact icon={IconClock} value={seconds} />
            <Fact icon={IconRadar2} value={format(range)} />
          </span>
        ) : (
          <span className={classes['facts']}>{t('needsCoins', { count: cost })}</span>
        )}
        <span className={classes['hint']}>{t(`towerHints.${type}`)}</span>
      </span>
      <span className={classes['cost']} aria-label={t('costs', { count: cost })}>
        <IconCoin size={14} aria-hidden />
        {format(cost)}
      </span>
      <kbd className={classes['key']} aria-hidden>
        {format(number)}
      </kbd>
    </button>
  )
}

function Fact({ icon: Icon, value }: { icon: TablerIcon; value: string }) {
  return (
    <span>
      <Icon size={12} aria-hidden />
      {value}
    </span>
  )
}

const ICON_PX = 34

/** The sign of a tower as it stands on the board. */
function TowerIcon({ type }: { type: TowerType }) {
  const canvas = useRef<HTMLCanvasElement>(null)

  // A canvas is drawn on from outside of React.
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    const density = Math.max(2, window.devicePixelRatio)
    element.width = element.height = ICON_PX * density
    context.scale(density, density)
    context.translate(ICON_PX / 2, ICON_PX / 2)
    context.scale(0.94, 0.94)
    drawTowerShape(context, type)
  }, [type])
  return <canvas ref={canvas} className={classes['icon']} aria-hidden />
}
