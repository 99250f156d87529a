import { it } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { showPart } from '../../../test/screen.tsx'
import { createGameStore } from './board/game-store.ts'
import { Game } from './board/game.tsx'
import { seeded } from './simulation/random.ts'
import { TOWER_TYPES } from './simulation/towers.ts'

it('shots', { timeout: 300_000 }, async () => {
  for (const [name, language, width, height] of [['en', 'en', 1000, 680], ['fa', 'fa', 390, 720]] as const) {
    const store = createGameStore(seeded(3))
    await showPart(<div style={{ padding: 16 }}><Game store={store} /></div>, { texts: ['proxy-defense'], language, width, height })
    await cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }, { name: 'prefers-reduced-motion', value: 'no-preference' }] })
    store.start()
    const bot = seeded(9)
    let shots = 0
    const seen = new Set<string>()
    for (let i = 0; i < 4000 && !store.get().game.isGameOver && shots < 14; i++) {
      store.setPaused(false)
      store.advance(100)
      const { game } = store.get()
      if (i % 6 === 0) {
        const type = TOWER_TYPES[Math.floor(bot() * 5)]!
        store.select(type)
        const e = game.enemies[Math.floor(bot() * game.enemies.length)]
        store.place({ x: Math.max(130, (e?.x ?? 0)) + bot() * 500, y: Math.min(375, Math.max(25, (e?.y ?? 200) + (bot() - .5) * 140)) })
        store.select(null)
      }
      const g = store.get().game
      const tags = [
        g.globalEvents.activeEvents[0]?.type, g.portals.length ? 'portal' : '', g.enemies.some((e) => e.revivalMs > 0 && e.x > 200) ? 'ashes' : '',
        g.lightnings.some((l) => l.kind === 'voltage') ? 'voltage' : '', g.wave === 9 ? 'wave9' : '', g.enemies.filter((e) => e.x > 0).length > 40 ? 'many' : '', g.lightnings.some((l) => l.kind === 'chain') && g.explosions.length > 2 ? 'chain' : '',
        g.explosions.some((e) => e.kind === 'leak') ? 'leak' : '',
        g.wave === 3 ? 'wave3' : '',
      ].filter((x): x is string => Boolean(x) && !seen.has(x!))
      if (tags.length > 0) {
        seen.add(tags[0]!)
        store.setPaused(true)
        await new Promise((r) => setTimeout(r, 60))
        await page.screenshot({ path: `/tmp/g-${name}-${shots++}-${tags[0]}.png` })
      }
    }
    store.setPaused(false)
    while (!store.get().game.isGameOver) store.advance(500)
    await new Promise((r) => setTimeout(r, 800))
    await page.screenshot({ path: `/tmp/g-${name}-over.png` })
  }
})
