import { describe, expect, it } from 'vitest'
import { isTarget } from './troops.ts'
import { arena, currentEnemy, putEnemy, putTower, ticks } from './test-arena.ts'

describe('movement', () => {
  it('GAME-028 goes on in ticks of 50 ms, whatever the portions of time', () => {
    const game = arena()
    const worm = putEnemy(game, 'worm', { x: 100 })
    expect(currentEnemy(ticks(game, 0.98), worm).x).toBe(100)
    expect(currentEnemy(ticks(game, 1), worm).x).toBe(103.5)
    expect(currentEnemy(ticks(ticks(ticks(game, 0.5), 0.25), 0.25), worm).x).toBe(103.5)
    expect(currentEnemy(ticks(game, 10), worm).x).toBe(135)
    expect(ticks(game, 3).elapsedMs).toBe(150)
  })
  it('GAME-036 beyond x 950 an enemy is gone and has dealt its tower damage to the health', () => {
    const game = arena()
    const ddos = putEnemy(game, 'ddos', { x: 948.5 })
    const atEdge = ticks(game, 1)
    expect(currentEnemy(atEdge, ddos).x).toBe(950)
    expect(atEdge.health).toBe(100)
    const after = ticks(game, 2)
    expect(after.enemies.some((enemy) => enemy.id === ddos.id)).toBe(false)
    expect(after).toMatchObject({ health: 75, stats: { healthLost: 25, enemiesKilled: 0 } })
  })
  it('GAME-037 in the server zone an enemy loses 1.5 health a second', () => {
    const game = arena()
    const ddos = putEnemy(game, 'ddos', { x: 850, ownSpeed: 0 })
    const outside = putEnemy(game, 'ddos', { x: 849, ownSpeed: 0 })
    const after = ticks(game, 20)
    expect(currentEnemy(after, ddos).health).toBeCloseTo(58.5, 10)
    expect(currentEnemy(after, outside).health).toBe(60)
    expect(after.stats.serverDefenseDamageDealt).toBeCloseTo(1.5, 10)
  })
  it('GAME-048 within a slowdown tower an enemy has 0.4 of its speed, and gets it back outside', () => {
    const game = arena()
    putTower(game, 'slowdown', { x: 400, y: 200, restMs: 1e9 })
    const hacker = putEnemy(game, 'hacker', { x: 275, y: 320, towerDamage: 0 })
    const inside = putEnemy(game, 'hacker', { x: 400, y: 310, towerDamage: 0 })
    const leaving = putEnemy(game, 'hacker', { x: 519.5, y: 200, towerDamage: 0 })
    const once = ticks(game, 1)
    expect(currentEnemy(once, hacker).speed).toBe(2.5)
    expect(currentEnemy(once, inside)).toMatchObject({ speed: 1, x: 401 })
    expect(currentEnemy(once, leaving)).toMatchObject({ speed: 1, x: 520.5 })
    expect(currentEnemy(ticks(game, 2), leaving)).toMatchObject({ speed: 2.5, x: 523 })
  })
  it('GAME-048 a disabled slowdown tower slows nobody', () => {
    const game = arena()
    putTower(game, 'slowdown', { disabledMs: 1000 })
    const hacker = putEnemy(game, 'hacker', { x: 400, y: 290 })
    expect(currentEnemy(ticks(game, 1), hacker).speed).toBe(2.5)
  })
})

describe('towers', () => {
  it('fire at whoever in range has come furthest, once per cooldown', () => {
    const game = arena()
    putTower(game, 'antivirus')
    const behind = putEnemy(game, 'ddos', { x: 380, y: 240, ownSpeed: 0, towerDamage: 0 })
    const ahead = putEnemy(game, 'ddos', { x: 420, y: 240, ownSpeed: 0, towerDamage: 0 })
    const outside = putEnemy(game, 'ddos', { x: 460, y: 240, ownSpeed: 0, towerDamage: 0 })
    const after = ticks(game, 16)
    expect([behind, ahead, outside].map((enemy) => currentEnemy(after, enemy).health)).toEqual([60, 45, 60])
    expect(currentEnemy(ticks(game, 17), ahead).health).toBe(30) // 800 ms later
  })
  it('do not reach who is not on the board yet', () => {
    const game = arena()
    putTower(game, 'proxy', { x: 10 })
    const enemy = putEnemy(game, 'ddos', { x: -5, ownSpeed: 0 })
    expect(currentEnemy(ticks(game, 1), enemy).health).toBe(60)
  })
  it('GAME-009 a chain strikes its first target and, with 70 %, one more in its range', () => {
    const game = arena()
    putTower(game, 'chain')
    const [first, second, third] = [430, 420, 410].map((x) =>
      putEnemy(game, 'ddos', { x, y: 250, ownSpeed: 0, towerDamage: 0 }),
    ) as [never, never, never] // three went in
    const after = ticks(game, 1)
    expect([first, second, third].map((enemy) => currentEnemy(after, enemy).health)).toEqual([35, 42.5, 60])
    expect(after.lightnings.filter(({ kind }) => kind === 'chain')).toHaveLength(2)
  })
  it('GAME-047 a hit takes a shield point and no health, while there is one', () => {
    const game = arena()
    putTower(game, 'proxy', { y: 270 })
    const shielded = putEnemy(game, 'shielded', { ownSpeed: 0, towerDamage: 0 })
    const course = [1, 13, 25, 37].map((count) => currentEnemy(ticks(game, count), shielded))
    expect(course.map(({ shieldPoints, health }) => [shieldPoints, health])).toEqual([
      [2, 100],
      [1, 100],
      [0, 100],
      [0, 90],
    ])
  })
  it('GAME-040 without health they are gone', () => {
    const game = arena()
    putTower(game, 'proxy', { health: 15 })
    putTower(game, 'proxy', { x: 700, health: 0.5 })
    putEnemy(game, 'hacker', { x: 400, y: 240, health: 1000 })
    const after = ticks(game, 1)
    expect(after.towers.map(({ x }) => x)).toEqual([700])
    expect(after.explosions.map(({ kind }) => kind)).toEqual(['tower'])
  })
})

describe('enemies', () => {
  it('GAME-038 attack the nearest tower within their range, once per cooldown', () => {
    const game = arena()
    putTower(game, 'slowdown', { x: 400, y: 245, restMs: 1e9, disabledMs: 1e9 })
    putTower(game, 'firewall', { x: 400, y: 160, restMs: 1e9 })
    putEnemy(game, 'ddos', { x: 400, y: 200, ownSpeed: 0 })
    const healths = (count: number) => ticks(game, count).towers.map(({ health }) => health)
    expect(healths(1)).toEqual([60, 75])
    expect(healths(16)).toEqual([60, 75])
    expect(healths(17)).toEqual([60, 50])
  })
  it('GAME-038 leave alone what is out of their range', () => {
    const game = arena()
    putTower(game, 'firewall', { y: 251, restMs: 1e9 })
    putEnemy(game, 'hacker', { ownSpeed: 0 })
    expect(ticks(game, 40).towers[0]?.health).toBe(100)
  })
  it('GAME-039 touching a tower deals 10 % of the tower damage in every tick', () => {
    const game = arena()
    putTower(game, 'firewall', { y: 230, restMs: 1e9 })
    putEnemy(game, 'spider', { ownSpeed: 0, restMs: 1e9 })
    expect(ticks(game, 1).towers[0]?.health).toBeCloseTo(96.5, 10)
    expect(ticks(game, 10).towers[0]?.health).toBeCloseTo(65, 10)
    const apart = arena()
    putTower(apart, 'firewall', { y: 230.1, restMs: 1e9 })
    putEnemy(apart, 'spider', { ownSpeed: 0, restMs: 1e9 })
    expect(ticks(apart, 10).towers[0]?.health).toBe(100)
  })
})

describe('deaths', () => {
  const dying = { health: 0.01, x: 400, y: 200 }

  it('GAME-041 a phoenix first falls to ashes: health 1, no speed, no target, for five seconds', () => {
    const game = arena()
    const phoenix = putEnemy(game, 'phoenix', { ...dying, maxHealth: 140 })
    putTower(game, 'proxy', { y: 280 })
    const ashes = ticks(game, 1)
    const { x } = currentEnemy(ashes, phoenix)
    expect(currentEnemy(ashes, phoenix)).toMatchObject({ health: 1, speed: 0, revivalMs: 5000 })
    expect(isTarget(currentEnemy(ashes, phoenix))).toBe(false)
    expect(ashes.stats.enemiesKilled).toBe(0)
    const later = ticks(game, 100)
    expect(currentEnemy(later, phoenix)).toMatchObject({ health: 1, speed: 0, x })
  })
  it('GAME-042 then it goes on with half its health and its own speed, and dies of the next', () => {
    const game = arena()
    const phoenix = putEnemy(game, 'phoenix', { ...dying, maxHealth: 140 })
    putTower(game, 'proxy', { x: 405, y: 290, health: 1e9 })
    const risen = ticks(game, 101)
    expect(currentEnemy(risen, phoenix)).toMatchObject({ health: 60, speed: 2 }) // 70, and a hit of the proxy
    const dead = ticks({ ...risen, enemies: risen.enemies.map((enemy) => ({ ...enemy, health: Math.min(enemy.health, 1) })) }, 20)
    expect(dead.enemies.some(({ id }) => id === phoenix.id)).toBe(false)
    expect(dead.stats.enemiesKilled).toBe(1)
  })
  it('GAME-043 GAME-044 a replicator leaves two copies, and a copy none', () => {
    const game = arena()
    putEnemy(game, 'replicator', { ...dying, maxHealth: 100 })
    putTower(game, 'firewall', { y: 260, health: 1e9 })
    putTower(game, 'proxy', { y: 290, health: 1e9 })
    const after = ticks(game, 1)
    const copies = after.enemies.filter(({ type }) => type === 'replicator')
    expect(copies).toHaveLength(2)
    for (const copy of copies) expect(copy).toMatchObject({ health: 60, ownSpeed: 1.2, reward: 32, isCopy: true })
    for (const copy of copies) copy.health = 0.01
    const gone = ticks(after, 60)
    expect(gone.enemies.filter(({ type }) => type === 'replicator')).toEqual([])
    expect(gone.stats.enemiesKilled).toBe(3)
  })
  it('GAME-045 a voltage disables the towers within 100 for three seconds', () => {
    const game = arena()
    putEnemy(game, 'voltage', { ...dying, ownSpeed: 0, restMs: 1e9 })
    putTower(game, 'proxy', { x: 400, y: 300 })
    putTower(game, 'proxy', { x: 400, y: 301, restMs: 1e9 })
    const after = ticks(game, 1)
    expect(after.towers.map(({ disabledMs }) => disabledMs)).toEqual([3000, 0])
    putEnemy(after, 'ddos', { x: 400, y: 250, ownSpeed: 0, towerDamage: 0 })
    const ddosHealth = (count: number) => ticks(after, count).enemies.find(({ type }) => type === 'ddos')?.health
    expect([ddosHealth(60), ddosHealth(61)]).toEqual([60, 50])
  })
  it('GAME-046 where a portal miner died, three basic enemies step out after 1.5 s', () => {
    const game = arena()
    putEnemy(game, 'portal_miner', dying)
    putTower(game, 'proxy', { y: 290, x: 380, health: 1e9 })
    const killed = { ...ticks(game, 1), towers: [] }
    expect(killed.portals).toHaveLength(1)
    expect(ticks(killed, 29).enemies).toHaveLength(1)
    const open = ticks(killed, 30, () => 0) // the first of the basic ones
    const stepped = open.enemies.filter(({ id }) => id > 2)
    expect(stepped).toHaveLength(3)
    for (const enemy of stepped) {
      expect(enemy.type).toBe('malware')
      expect(enemy.health).toBeCloseTo(15 * 0.7, 10)
      expect(enemy.ownSpeed).toBeCloseTo(4 * 1.1, 10)
      expect(enemy.reward).toBeCloseTo(10 * 0.8, 10)
    }
    expect(open.portals).toEqual([])
  })
})
