import { templateKeys } from '@causeway/contract'
import i18n from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import {
  emptyRemarkLists,
  filledHeaders,
  headerBytes,
  headerProblem,
  insertText,
  isSameHeaders,
  isSameRemarks,
  keyText,
  problemsOf,
  settingsForm,
  unknownKeys,
  type SettingsForm,
} from './settings-form.ts'

// Without texts the contract's own words are told.
beforeAll(() => i18n.init({ lng: 'en' }))

const stored = {
  uuid: '00000000-0000-4000-8000-000000000801',
  profileTitle: 'Title',
  supportLink: 'https://example.com',
  profileUpdateInterval: 12,
  isProfileWebpageUrlEnabled: true,
  serveJsonAtBaseSubscription: false,
  addUsernameToBaseSubscription: false,
  isShowCustomRemarks: true,
  happAnnounce: null,
  happRouting: null,
  expiredUsersRemarks: ['over'],
  limitedUsersRemarks: ['used up'],
  disabledUsersRemarks: ['off'],
  customResponseHeaders: { 'X-One': '1' },
  randomizeHosts: false,
  emptyHostsRemarks: [],
  emptySquadsRemarks: ['no squad'],
  hwidExceededRemarks: ['too many'],
  hwidMissingRemarks: [],
  hwidSettings: { enabled: true, fallbackDeviceLimit: 3, maxDevicesAnnounce: null },
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-01-02T03:04:05.000Z',
}
const form = settingsForm.fromEntity(stored)
const problems = (change: Partial<SettingsForm>) => Object.keys(problemsOf({ ...form, ...change }))

it('SUBSET-005 headers are pairs of key and value in the form, and every setting comes back as it was', () => {
  expect(form.customResponseHeaders).toEqual([{ key: 'X-One', value: '1' }])
  const { uuid: _, createdAt: __, updatedAt: ___, ...settings } = stored
  expect(settingsForm.toWire(form)).toEqual(settings)
})

it('SUBSET-010 SUBSET-011 remarks without text and headers without a key are dropped', () => {
  const sent = settingsForm.toWire({
    ...form,
    expiredUsersRemarks: ['', '  ', ' kept ', '\u200f'],
    customResponseHeaders: [
      { key: '', value: 'lost' },
      { key: '  ', value: 'lost' },
      { key: ' X-Two ', value: '' },
    ],
  })
  expect(sent.expiredUsersRemarks).toEqual([' kept ', '\u200f'])
  expect(sent.customResponseHeaders).toEqual({ 'X-Two': '' })
})

it('SUBSET-006 the form is held against the schema of the server, without the switch that has no rule', () => {
  expect(problems({})).toEqual([])
  expect(problems({ profileUpdateInterval: 0 })).toEqual(['profileUpdateInterval'])
  expect(problems({ profileUpdateInterval: '' })).toEqual(['profileUpdateInterval'])
  expect(problems({ profileTitle: 'x'.repeat(1001) })).toEqual(['profileTitle'])
  expect(problems({ supportLink: 'x'.repeat(2000) })).toEqual([])
  expect(problems({ supportLink: 'x'.repeat(2001) })).toEqual(['supportLink'])
  expect(problems({ happAnnounce: 'x'.repeat(201) })).toEqual(['happAnnounce'])
  expect(problems({ limitedUsersRemarks: ['fine', 'x'.repeat(501)] })).toEqual(['limitedUsersRemarks'])
  expect(problems({ disabledUsersRemarks: Array.from({ length: 101 }, (_, n) => `${n}`) })).toEqual(['disabledUsersRemarks'])
  const many = Array.from({ length: 1000 }, (_, n) => ({ key: `X-${n}`, value: '1' }))
  expect(problemsOf({ ...form, customResponseHeaders: many })).toEqual({ customResponseHeaders: 'Must have at most 30 entries' })
  // Whatever stands in the switch: it is no part of the check.
  expect(problems({ isProfileWebpageUrlEnabled: 'yes' as never })).toEqual([])
})

it('a header is refused for what is wrong with it', () => {
  const entries = [
    { key: 'X-One', value: '1' },
    { key: 'x-one', value: '2' },
    { key: 'two words', value: '' },
    { key: 'X-Break', value: 'a\nb' },
    { key: '', value: 'a\nb' },
    { key: 'X-Fine', value: '😀 {{NOPE}}' },
  ]
  expect(entries.map((_, place) => headerProblem(entries, place))).toEqual([
    undefined,
    'stands twice',
    'header names may contain only letters, digits, underscores and dashes',
    'must not contain line breaks and other control characters',
    undefined,
    undefined,
  ])
})

it('SUBSET-007 a list without any text is named', () => {
  expect(emptyRemarkLists(form)).toEqual([])
  expect(emptyRemarkLists({ ...form, expiredUsersRemarks: [], disabledUsersRemarks: ['', ' '] })).toEqual([
    'expiredUsersRemarks',
    'disabledUsersRemarks',
  ])
})

it('an empty row is no change, and neither is another order of headers', () => {
  expect(isSameRemarks(['a'], ['a', '', ' '])).toBe(true)
  expect(isSameRemarks(['a', 'b'], ['b', 'a'])).toBe(false)
  const [one, two] = [
    { key: 'A', value: '1' },
    { key: 'B', value: '2' },
  ]
  expect(isSameHeaders([one, two], [two, one, { key: ' ', value: '3' }])).toBe(true)
  expect(isSameHeaders([one], [two])).toBe(false)
  expect(filledHeaders([{ key: ' A ', value: ' 1 ' }])).toEqual([{ key: 'A', value: ' 1 ' }])
})

it('SUBSET-014 keys stand in double braces, and those that do not exist are told', () => {
  expect(keyText('DAYS_LEFT')).toBe('{{DAYS_LEFT}}')
  expect(insertText('Left: days', keyText('DAYS_LEFT'), 6, 6)).toBe('Left: {{DAYS_LEFT}}days')
  expect(unknownKeys(templateKeys.map(keyText).join(' '))).toEqual([])
  expect(unknownKeys('{{NOPE}} {{ DAYS_LEFT }} {{days_left}} {{NOPE}} {DAYS_LEFT} {{}}')).toEqual([
    'NOPE',
    ' DAYS_LEFT ',
    'days_left',
    '',
  ])
})

it('what goes into headers is counted as it is sent: titles in Base64, texts in UTF-8, headers with their names', () => {
  const counted = headerBytes({
    ...form,
    profileTitle: 'abcd',
    happAnnounce: '',
    supportLink: 'https://é',
    happRouting: 'x'.repeat(50_000),
    customResponseHeaders: [
      { key: 'X-One', value: 'ب' },
      { key: '', value: 'is not sent' },
    ],
  })
  expect(counted).toBe(8 + 10 + 50_000 + 7)
})
