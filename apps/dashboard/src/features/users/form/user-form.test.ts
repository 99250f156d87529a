import { createUser, updateUser, user as userSchema } from '@causeway/contract'
import { describe, expect, it } from 'vitest'
import type { NumberEntry } from '../../../lib/numbers/number-entry.ts'
import { sampleUser } from '../../../../test/samples.ts'
import {
  BULK_FIELD_NAMES,
  cutsOff,
  emptyForm,
  expiryAfter,
  expiryPresets,
  extensions,
  fieldIssue,
  inOneMonth,
  lastingOf,
  isLimitTaken,
  toBulkFields,
  toCreate,
  toForm,
  toInstant,
  toPatch,
  type DeviceLimit,
} from './user-form.ts'

const now = new Date('2026-11-21T12:00:00Z')
const UUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const SQUAD = '3f2504e0-4f89-41d3-9a0c-0305e82c3302'
const GIB = 1024 ** 3

const user = sampleUser({
  uuid: UUID,
  trafficLimitBytes: 10 * GIB,
  trafficLimitStrategy: 'MONTH',
  expireAt: '2027-01-01T10:20:30.456Z',
  description: 'a friend',
  tag: 'VIP',
  telegramId: 42,
  email: 'maria@example.org',
  hwidDeviceLimit: 3,
  activeInternalSquads: [{ uuid: SQUAD, name: 'default' }],
})

type Names = (keyof ReturnType<typeof toForm>)[]
const patched = (change: Partial<ReturnType<typeof toForm>>) =>
  toPatch(UUID, { values: { ...toForm(user), ...change }, base: toForm(user), changed: new Set(Object.keys(change) as Names) })

describe('the empty form', () => {
  it('lasts a month, has no limit and is never reset', () => {
    const form = emptyForm(now)
    expect(toInstant(form.expireAt)).toBe('2026-12-21T12:00:00.000Z')
    expect(form).toMatchObject({
      trafficLimitBytes: 0,
      trafficLimitStrategy: 'NO_RESET',
      hwidDeviceLimit: { isOff: false, limit: '' },
    })
  })
})

describe('creating', () => {
  it('sends limits in bytes and leaves empty fields out', () => {
    const sent = toCreate({ ...emptyForm(now), username: ' anna ', trafficLimitBytes: 3 })
    expect(sent).toEqual({
      username: 'anna',
      status: 'ACTIVE',
      trafficLimitBytes: 3 * GIB,
      trafficLimitStrategy: 'NO_RESET',
      expireAt: '2026-12-21T12:00:00.000Z',
      activeInternalSquads: [],
    })
    expect(createUser.body.safeParse(sent).success).toBe(true)
  })

  it('USER-045 sends 0 for no device limit, nothing for the fallback, else the number', () => {
    const limit = (hwidDeviceLimit: DeviceLimit) => toCreate({ ...emptyForm(now), hwidDeviceLimit }).hwidDeviceLimit
    expect(limit({ isOff: true, limit: 7 })).toBe(0)
    expect(limit({ isOff: false, limit: '' })).toBeUndefined()
    expect(limit({ isOff: false, limit: 7 })).toBe(7)
    expect(userSchema.shape.hwidDeviceLimit.safeParse(null).success).toBe(true)
  })
})

describe('editing', () => {
  it('sends an unchanged form as contact and device limit only', () => {
    expect(patched({})).toEqual({ uuid: UUID, telegramId: 42, email: 'maria@example.org', hwidDeviceLimit: 3 })
  })

  it.each([
    ['trafficLimitStrategy', 'DAY', { trafficLimitStrategy: 'DAY' }],
    ['trafficLimitBytes', 20, { trafficLimitBytes: 20 * GIB }],
    ['trafficLimitBytes', '', { trafficLimitBytes: 0 }],
    ['description', 'other', { description: 'other' }],
    ['description', ' ', { description: null }],
    ['tag', 'GOLD', { tag: 'GOLD' }],
    ['tag', '', { tag: null }],
    ['activeInternalSquads', [], { activeInternalSquads: [] }],
    ['email', '', { email: null }],
    ['telegramId', '', { telegramId: null }],
    ['hwidDeviceLimit', { isOff: false, limit: '' }, { hwidDeviceLimit: null }],
    ['hwidDeviceLimit', { isOff: true, limit: 3 }, { hwidDeviceLimit: 0 }],
  ])('a changed %s (%j) is sent as %j', (name, value, expected) => {
    expect(patched({ [name]: value })).toEqual({ ...patched({}), ...expected })
  })

  it('does not send an expiry that nobody touched, although the picker drops its milliseconds', () => {
    expect(patched({})).not.toHaveProperty('expireAt')
    expect(patched({ expireAt: emptyForm(now).expireAt })).toHaveProperty('expireAt', '2026-12-21T12:00:00.000Z')
  })

  it('keeps a limit that is no whole GiB', () => {
    const odd = toForm({ ...user, trafficLimitBytes: 1.5 * GIB })
    expect(odd.trafficLimitBytes).toBe(1.5)
    expect(toPatch(UUID, { values: odd, base: odd, changed: new Set() })).not.toHaveProperty('trafficLimitBytes')
  })

  it('USER-069 what it sends passes the schema of the wire, field by field', () => {
    const full = patched({
      trafficLimitBytes: 1,
      trafficLimitStrategy: 'WEEK',
      tag: 'A_1',
      activeInternalSquads: [SQUAD, UUID],
      description: 'x',
    })
    expect(updateUser.body.safeParse(full).success).toBe(true)
  })
})

describe('what is wrong with a field', () => {
  const issue = (name: 'username' | 'email' | 'telegramId' | 'tag' | 'description', value: string | number) =>
    fieldIssue(name, { ...emptyForm(now), [name]: value })?.kind

  it.each([
    ['username', '', 'required'],
    ['username', '  ', 'required'],
    ['username', 'ab', 'schema'],
    ['username', 'abc', undefined],
    ['username', 'a'.repeat(36), undefined],
    ['username', 'a'.repeat(37), 'schema'],
    ['username', 'a b c', 'schema'],
    ['email', '', undefined],
    ['email', 'a@b', 'schema'],
    ['email', 'a@b.org', undefined],
    ['telegramId', '', undefined],
    ['telegramId', -1, 'number'],
    ['telegramId', 1.5, 'number'],
    ['telegramId', 0, 'number'],
    ['tag', '', undefined],
    ['tag', 'vip', 'tag'],
    ['tag', 'A'.repeat(15), undefined],
    ['tag', 'A'.repeat(16), 'tag'],
    ['description', '', undefined],
  ] as const)('USER-069 %s %j: %s', (name, value, kind) => {
    expect(issue(name, value)).toBe(kind)
  })
})

describe('a change that cuts people off', () => {
  it.each([
    ['nothing changed', {}, false],
    ['a squad taken away', { activeInternalSquads: [] }, true],
    ['a squad added', { activeInternalSquads: [SQUAD, UUID] }, false],
    ['a lower limit', { trafficLimitBytes: 9 }, true],
    ['a higher limit', { trafficLimitBytes: 11 }, false],
    ['no limit any more', { trafficLimitBytes: 0 }, false],
    ['an earlier expiry', { expireAt: '2026-12-01 00:00:00' }, true],
    ['a later expiry', { expireAt: '2028-12-01 00:00:00' }, false],
  ])('%s', (_, change, expected) => {
    expect(cutsOff({ ...toForm(user), ...change }, toForm(user))).toBe(expected)
  })

  it('a limit that is given up is told apart from one that is raised', () => {
    const taken = (limit: NumberEntry) => isLimitTaken({ ...toForm(user), trafficLimitBytes: limit }, toForm(user))
    expect([taken(''), taken(0), taken(11), taken(10)]).toEqual([true, true, false, false])
    const unlimited = toForm({ ...user, trafficLimitBytes: 0 })
    expect(isLimitTaken(unlimited, unlimited)).toBe(false)
  })

  it('a limit where there was none', () => {
    const unlimited = toForm({ ...user, trafficLimitBytes: 0 })
    expect(cutsOff({ ...unlimited, trafficLimitBytes: 5 }, unlimited)).toBe(true)
  })
})

describe('dates', () => {
  it('in one month is the same day of the next; what is no date becomes nothing that the wire takes', () => {
    expect(toInstant(inOneMonth(now))).toBe('2026-12-21T12:00:00.000Z')
    expect(toInstant({ typed: '24.13.2026' })).toBe('')
  })

  it('presets are 1 month, 3 months, 1 year and the year 2099', () => {
    expect(expiryPresets(now).map(({ id, at }) => [id, toInstant(at).slice(0, 10)])).toEqual([
      ['oneMonth', '2026-12-21'],
      ['threeMonths', '2027-02-21'],
      ['oneYear', '2027-11-21'],
      ['never', '2099-11-21'],
    ])
  })

  it('presets extend what is paid ahead, count from now what has passed, and leave alone what never ends', () => {
    const extended = (current: string) => expiryPresets(now, current).map(({ id, at }) => `${id} ${toInstant(at).slice(0, 10)}`)
    expect(extended('2027-01-31 12:00:00')).toEqual([
      'oneMonth 2027-02-28',
      'threeMonths 2027-04-30',
      'oneYear 2028-01-31',
      'never 2099-11-21',
    ])
    expect(extended('2025-01-01 12:00:00')[0]).toBe('oneMonth 2026-12-21')
    expect(extended('2099-01-01 12:00:00')).toEqual(['never 2099-11-21'])
  })

  it('the menu of a user has 7 and 30 days before the presets, from what is paid or from now', () => {
    const offered = (current: string) => extensions(now, current).map(({ id, at }) => `${id} ${toInstant(at).slice(0, 10)}`)
    expect(offered('2027-01-31 12:00:00').slice(0, 3)).toEqual([
      'sevenDays 2027-02-07',
      'thirtyDays 2027-03-02',
      'oneMonth 2027-02-28',
    ])
    expect(offered('2025-01-01 12:00:00').slice(0, 2)).toEqual(['sevenDays 2026-11-28', 'thirtyDays 2026-12-21'])
    expect(offered('2099-01-01 12:00:00')).toEqual(['never 2099-11-21'])
  })
})

describe('what the last new user was given', () => {
  it.each([
    ['2026-12-21 12:00:00', { months: 1 }],
    ['2027-02-21 23:00:00', { months: 3 }],
    ['2026-11-28 12:00:00', { days: 7 }],
    ['2099-11-21 12:00:00', 'never'],
    ['2026-11-20 12:00:00', undefined],
  ] as const)('%s lasts as long for the next one', (at, lasting) => {
    expect(lastingOf(now, at)).toEqual(lasting)
    expect(lasting && expiryAfter(now, lasting).slice(0, 10)).toBe(lasting && at.slice(0, 10))
  })
})

describe('bulk fields', () => {
  const form = emptyForm(now)

  it('change nothing that was not chosen', () => {
    expect(toBulkFields({ ...form, tag: 'VIP', description: 'x' }, [])).toEqual({})
  })

  it('clear what was chosen and left empty, and set the rest', () => {
    const expected = {
      trafficLimitBytes: 2 * GIB,
      trafficLimitStrategy: 'NO_RESET',
      expireAt: '2026-12-21T12:00:00.000Z',
      description: null,
      telegramId: null,
      email: null,
      tag: 'VIP',
    }
    expect(toBulkFields({ ...form, trafficLimitBytes: 2, tag: 'VIP' }, BULK_FIELD_NAMES)).toMatchObject(expected)
  })
})
