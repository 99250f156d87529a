import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tellOutagesOnce } from './outage-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function logged() {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const log = pino({ base: null, timestamp: false, hooks: tellOutagesOnce() }, { write })
  return { log: log.child({}), lines }
}
const away = () => Object.assign(new Error('The database does not answer.'), { code: '08006' })

test('an outage is told with one stack, then in figures, and the next one anew', () => {
  const { log, lines } = logged()
  for (let request = 0; request < 300; request++) log.error({ err: away() }, 'database failed')
  log.warn({ err: away(), node: 'Oslo' }, 'a node')
  expect(lines).toEqual([
    { level: 50, msg: 'database failed', err: expect.objectContaining({ stack: expect.any(String) }) },
    { level: 40, msg: 'a node', node: 'Oslo', error: 'The database does not answer.' },
  ])
  vi.advanceTimersByTime(30_000)
  const again = { level: 50, msg: 'again: database failed', error: 'The database does not answer.', count: 299, seconds: 30 }
  expect(lines.slice(2)).toEqual([again])
  log.error({ err: away() }, 'database failed')
  vi.advanceTimersByTime(30_000)
  expect(lines.slice(3)).toEqual([{ ...again, count: 1 }])
  vi.advanceTimersByTime(30_000)
  expect(vi.getTimerCount()).toBe(0)
  log.error({ err: away() }, 'database failed')
  expect(lines.slice(4)).toMatchObject([{ msg: 'database failed', err: { code: '08006' } }])
})

test('every other failure is told in full each time', () => {
  const { log, lines } = logged()
  for (let request = 0; request < 3; request++) log.error({ err: new Error('a mistake') }, 'request failed')
  log.info('ready')
  log.info({ port: 1 }, 'ready at %d', 1)
  expect(lines.map(({ msg }) => msg)).toEqual(['request failed', 'request failed', 'request failed', 'ready', 'ready at 1'])
  expect(lines.filter(({ err }) => err)).toHaveLength(3)
})
