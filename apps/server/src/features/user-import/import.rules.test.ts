import { csvText } from '@causeway/contract'
import { describe, expect, test } from 'vitest'
import { countOutcomes, planImport, readImport, type ImportedUser, type World } from './import.rules.ts'

const GOLD = '6a1b2c3d-0000-4000-8000-000000000001'
const anna: ImportedUser = {
  username: 'anna',
  status: 'ACTIVE',
  expireAt: new Date('2030-01-01T00:00:00Z'),
  trafficLimitBytes: 5 * 1024 ** 3,
  trafficLimitStrategy: 'NO_RESET',
  email: 'anna@example.com',
  telegramId: 5,
  tag: 'VIP',
  description: null,
  hwidDeviceLimit: null,
  externalSquadUuid: null,
  activeInternalSquads: [{ uuid: GOLD }],
}
const world: World = {
  users: new Map([['anna', anna]]),
  squads: new Map([['gold', GOLD]]),
  externalSquads: new Map([['vip', GOLD]]),
}
const plan = (csv: string) => planImport(readImport(csv).lines, world)
const told = (csv: string) => plan(csv).map((line) => line.told)

test('a file is read by what people call its columns, and says which it does not read', () => {
  expect(readImport('User Name;Expires;limit_gb;used\nben;2030-01-01;1,5;9')).toEqual({
    columns: ['username', 'expireAt', 'trafficLimitGib'],
    ignored: ['used'],
    lines: [{ line: 2, cells: { username: 'ben', expireAt: '2030-01-01', trafficLimitGib: '1,5' } }],
  })
})

test('a new user gets the values as the wire has them', () => {
  const [line] = plan('username,expireAt,limitGb,tag,squads\nben_1,2030-01-01,"1,5",vip,Gold')
  expect(line?.create).toEqual({
    username: 'ben_1',
    expireAt: '2030-01-01T23:59:59Z',
    trafficLimitBytes: 1_610_612_736,
    tag: 'VIP',
    activeInternalSquads: [GOLD],
  })
})

test('a user of the name is updated in what differs; an empty cell leaves it, and the same is left alone', () => {
  const head = 'username,email,tag,telegramId,expireAt,activeInternalSquads,status\n'
  const [line] = plan(`${head}anna,new@example.com,,5,2030-01-01T00:00:00Z,gold,ACTIVE`)
  expect(line?.told).toMatchObject({ outcome: 'update', changes: ['email'] })
  expect(line?.edit).toEqual({ email: 'new@example.com' })
  expect(told(`${head}anna,anna@example.com,vip,5,2030-01-01T00:00:00Z,gold,ACTIVE`)).toMatchObject([{ outcome: 'same' }])
})

describe('a line is refused with its reason', () => {
  test.each([
    ['no name', 'username,email\n,a@example.com', 'the line has no username'],
    ['no expiry', 'username\nben_1', 'a new user needs expireAt'],
    ['a name in another case', 'username,tag\nAnna,VIP', 'the user is written anna'],
    ['an unknown squad', 'username,squads\nanna,silver', 'there is no squad silver'],
    ['a name for a number', 'username,telegramId\nanna,@anna', 'telegramId: @anna is not a number'],
    ['no number of GiB', 'username,limitGb\nanna,much', 'trafficLimitGib: much is not a number'],
    ['no address', 'username,email\nanna,nowhere', 'email: must be an e-mail address'],
    ['no status', 'username,status\nanna,GONE', 'status: GONE is none'],
  ])('%s', (_, csv, reason) => {
    expect(told(csv)).toMatchObject([{ line: 2, outcome: 'refuse', reasons: [reason] }])
  })

  test('a name that stands twice is taken once', () => {
    const lines = plan('username,tag\nanna,NEW\nanna,OTHER')
    expect(lines.map((line) => line.told.outcome)).toEqual(['update', 'refuse'])
    expect(lines[1]?.told.reasons).toEqual(['line 2 names this user already'])
  })
})

test('no line is lost: what is counted is what the file has', () => {
  const rows = Array.from({ length: 50 }, (_, index) => [
    index % 7 === 0 ? '' : `user_${index}`,
    index % 3 === 0 ? '' : '2030-01-01',
  ])
  const counts = countOutcomes(plan(csvText([['username', 'expireAt'], ...rows.map((row) => [...row, 'x'])])))
  // Lines without any of both are no lines only where nothing else stands in them.
  expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(50)
})
