import { Button, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { MOBILE_BREAKPOINT } from '../../../lib/breakpoints.ts'
import type { PlacementProblem } from '../simulation/shop.ts'
import { TOWER_TYPES } from '../simulation/towers.ts'
import { Announcer } from './announcer.tsx'
import classes from './board.module.css'
import { GameBoard } from './game-board.tsx'
import { GameOverModal } from './game-over-modal.tsx'
import type { GameStore } from './game-store.ts'
import { Hud } from './hud.tsx'
import { ShopBar } from './shop-bar.tsx'
import { GameContext, useGame, useGameStore } from './use-game.ts'

/** The whole game: figures, board, shop, and what stands before and after it. */
export function Game({ store }: { store: GameStore }) {
  return (
    <GameContext value={store}>
      <Playing />
    </GameContext>
  )
}

function Playing() {
  const { t } = useTranslation('proxy-defense')
  const store = useGameStore()
  const isTall = useMediaQuery(`(max-width: ${MOBILE_BREAKPOINT}) and (orientation: portrait)`, undefined, {
    getInitialValueInEffect: false,
  })
  const frame = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<PlacementProblem | null>(null)
  const selected = useGame(({ game }) => game.selectedTowerType)
  const over = useGame(({ game }) => (game.isGameOver ? game : null))
  const [closed, setClosed] = useState(over)

  const focusBoard = () => frame.current?.querySelector<HTMLElement>('[role=application]')?.focus()
  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
    const digit = /^(?:Digit|Numpad)([1-5])$/.exec(event.code)?.[1]
    const type = digit === undefined ? undefined : TOWER_TYPES[Number(digit) - 1]
    if (type !== undefined) choose(() => store.select(type))
    else if (event.code === 'KeyP') store.setPaused(!store.get().isPaused)
    else if (event.key === 'Escape') store.select(null)
    else return
    event.preventDefault()
  }
  function choose(select: () => void): void {
    select()
    setProblem(null)
    focusBoard()
  }
  function begin(start: () => void): void {
    choose(start)
    frame.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    // Keys reach the game from wherever in it the focus is.
    <div ref={frame} className={classes['game']} data-tall={isTall || undefined} onKeyDown={onKeyDown} role="presentation">
      <Hud />
      <GameBoard isTall={isTall} onRefused={setProblem}>
        <Overlay onStart={() => begin(store.start)} />
      </GameBoard>
      <p className={classes['hint']} role="status" data-problem={(problem !== null && selected !== null) || undefined}>
        {selected === null ? t('hints.choose') : problem === null ? t('hints.place') : t(`problems.${problem}`)}
      </p>
      <ShopBar isTall={isTall} onChosen={() => choose(() => undefined)} />
      <Announcer />
      {over !== null && over !== closed && (
        <GameOverModal game={over} onAgain={() => begin(store.restart)} onClose={() => setClosed(over)} />
      )}
    </div>
  )
}

/** Before the first wave, in a pause, and after a summary that was closed. */
function Overlay({ onStart }: { onStart: () => void }) {
  const { t } = useTranslation('proxy-defense')
  const store = useGameStore()
  const isStarted = useGame(({ game }) => game.isGameStarted)
  const isOver = useGame(({ game }) => game.isGameOver)
  const isPaused = useGame((played) => played.isPaused)
  if (isStarted && !isPaused && !isOver) return null
  if (isStarted && isPaused) {
    return (
      <div className={classes['pause']}>
        <Text fw={600}>{t('paused')}</Text>
        <Button size="xs" onClick={() => store.setPaused(false)}>
          {t('resume')}
        </Button>
      </div>
    )
  }
  return (
    <div className={classes['overlay']}>
      <Title order={2}>{t(isOver ? 'over.title' : 'intro.title')}</Title>
      {!isOver && <Text size="sm">{t('intro.text')}</Text>}
      {!isOver && (
        <Text size="xs" className={classes['keys']!}>
          {t('intro.keys')}
        </Text>
      )}
      <Button onClick={isOver ? store.restart : onStart}>{t(isOver ? 'over.again' : 'intro.start')}</Button>
    </div>
  )
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}
