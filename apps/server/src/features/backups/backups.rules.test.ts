import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noLongerKept } from '../../backup/keeping.rules.ts'
import { cronLine, isLate, lastDue, nextDue } from './backups.rules.ts'

const plain = {
  hasOwnDatabase: false,
  dataDir: '/srv/causeway',
  backupDir: '/srv/causeway/backups',
  node: '/usr/bin/node',
  program: '/opt/causeway/apps/server/src/causeway.ts',
}

test('the command for cron names the folders, the Node and the program that the server runs', () => {
  expect(cronLine(plain)).toBe(
    '30 4 * * * DATA_DIR=/srv/causeway BACKUP_DIR=/srv/causeway/backups /usr/bin/node /opt/causeway/apps/server/src/causeway.ts backup > /dev/null',
  )
})

test('a path keeps its blanks, quotes and percent signs', () => {
  expect(cronLine({ ...plain, dataDir: "/srv/my panel's 100%" })).toContain(String.raw`DATA_DIR='/srv/my panel'\''s 100\%' `)
})

test('a database of its own is named for the command, without its password', () => {
  expect(cronLine({ ...plain, hasOwnDatabase: true })).toContain(
    '* * * DATABASE_URL=postgres://user:password@host/name DATA_DIR=',
  )
})

describe('BACK-001 when a backup is due', () => {
  const at = (text: string) => new Date(text)
  test.each([
    ['before the hour it is that of yesterday', 'UTC', '2026-03-04T03:59:59Z', '2026-03-03', '2026-03-03T04:00:00Z'],
    ['from the hour on it is that of today', 'UTC', '2026-03-04T04:00:00Z', '2026-03-04', '2026-03-04T04:00:00Z'],
    ['the day is that of the zone', 'Asia/Tehran', '2026-03-04T00:30:00Z', '2026-03-04', '2026-03-04T00:30:00Z'],
    [
      'an hour that is skipped is the moment of the skip',
      'Europe/Berlin',
      '2026-03-29T05:00:00Z',
      '2026-03-29',
      '2026-03-29T02:00:00Z',
    ],
  ])('%s', (_, zone, now, day, due) => {
    expect(lastDue(zone, 4, at(now))).toEqual({ day, at: at(due) })
  })
  test('the last one is never ahead, the next always, and both are at most 25 hours away', () => {
    const instants = fc.date({ min: at('2020-01-01'), max: at('2035-01-01'), noInvalidDate: true })
    const zones = fc.constantFrom('UTC', 'Asia/Tehran', 'Europe/Berlin', 'America/New_York', 'Pacific/Chatham')
    fc.assert(
      fc.property(zones, fc.nat(23), instants, (zone, hour, now) => {
        const [last, next] = [lastDue(zone, hour, now).at.getTime(), nextDue(zone, hour, now).getTime()]
        expect(last).toBeLessThanOrEqual(now.getTime())
        expect(next).toBeGreaterThan(now.getTime())
        expect(next - last).toBeLessThanOrEqual(25 * 3_600_000)
      }),
    )
  })
  test('BACK-005 it is late three hours after its time', () => {
    const yesterday = at('2026-03-03T04:01:00Z')
    expect(isLate('UTC', 4, at('2026-03-04T06:59:00Z'), yesterday)).toBe(false)
    expect(isLate('UTC', 4, at('2026-03-04T07:00:00Z'), yesterday)).toBe(true)
    expect(isLate('UTC', 4, at('2026-03-04T07:00:00Z'), at('2026-03-04T04:01:00Z'))).toBe(false)
    expect(isLate('UTC', 4, at('2026-03-04T07:00:00Z'), undefined)).toBe(true)
  })
})

describe('BACK-001 which backups stay', () => {
  const taken = (day: string, more: object = {}) => ({
    name: day,
    takenAt: new Date(`${day}T04:00:00Z`),
    damaged: [] as string[],
    isScheduled: true,
    ...more,
  })
  const daily = (first: string, days: number) =>
    Array.from({ length: days }, (_, index) => taken(new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10)))
  const keeping = { keepDailyBackups: 3, keepWeeklyBackups: 2, keepMonthlyBackups: 2 }
  const kept = (backups: ReturnType<typeof taken>[], by = keeping) => {
    const gone = noLongerKept(backups, 'UTC', by)
    return backups.filter((each) => !gone.includes(each)).map(({ name }) => name)
  }

  test('the newest of each of the last days, weeks and months', () => {
    // 1 March 2026 is a Sunday.
    expect(kept(daily('2026-01-20', 50))).toEqual(['2026-02-28', '2026-03-08', '2026-03-09', '2026-03-10'])
  })
  test('days without a backup take no place', () => {
    expect(
      kept([taken('2026-01-05'), taken('2026-01-06'), taken('2026-03-10')], {
        ...keeping,
        keepWeeklyBackups: 0,
        keepMonthlyBackups: 0,
      }),
    ).toEqual(['2026-01-05', '2026-01-06', '2026-03-10'])
  })
  test('one made by hand is never deleted', () => {
    const own = { ...taken('2020-01-01'), isScheduled: false }
    expect(kept([own, ...daily('2026-01-20', 50)])).toContain('2020-01-01')
  })
  test('spoilt backups take no place of good ones, and go once a good one is newer', () => {
    const spoilt = ['2026-03-11', '2026-03-12', '2026-03-13'].map((day) => taken(day, { damaged: ['base/1, page 0'] }))
    const good = daily('2026-03-08', 3)
    expect(kept([...good, ...spoilt])).toEqual([...good, ...spoilt].map(({ name }) => name))
    expect(kept([...good, ...spoilt, taken('2026-03-14')])).toEqual(['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-14'])
  })
  test('the newest good one always stays', () => {
    const some = fc.array(fc.record({ day: fc.nat(1000), isDamaged: fc.boolean() }), { maxLength: 40 })
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 9 }), fc.nat(9), fc.nat(9), (backups, keepDailyBackups, weeks, months) => {
        const all = backups.map(({ day, isDamaged }) => ({
          takenAt: new Date(Date.UTC(2024, 0, 1 + day)),
          damaged: isDamaged ? ['page'] : [],
          isScheduled: true,
        }))
        const by = { keepDailyBackups, keepWeeklyBackups: weeks, keepMonthlyBackups: months }
        const gone = noLongerKept(all, 'UTC', by)
        const newestGood = (backups: typeof all) =>
          Math.max(0, ...backups.filter(({ damaged }) => damaged.length === 0).map(({ takenAt }) => takenAt.getTime()))
        expect(newestGood(all.filter((each) => !gone.includes(each)))).toBe(newestGood(all))
      }),
    )
  })
})
