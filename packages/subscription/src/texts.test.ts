import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { daysLeft, fillTemplate, gibText, sizeText, templateValues } from '@causeway/subscription'
import { makeUser, now, url } from '../test/samples.ts'
import { base64, base64Url, formEncode, unpadded } from './text/text-encoding.ts'
import { yamlText } from './text/yaml-text.ts'

declare const atob: (encoded: string) => string

describe('sizes as text', () => {
  it.each([
    [0, '0', '0'],
    [1, '1.00 B', '0.00 GiB'],
    [1536, '1.50 KiB', '0.00 GiB'],
    [1_048_576, '1.00 MiB', '0.00 GiB'],
    [1_234_567_890, '1.15 GiB', '1.15 GiB'],
    [1_649_267_441_664, '1.50 TiB', '1536.00 GiB'],
    [-5_003_639_603, '-4.66 GiB', '-4.66 GiB'],
    [2 ** 60, '1024.00 PiB', '1073741824.00 GiB'],
  ])('%d bytes are %s, in GiB %s', (bytes, automatic, gib) => {
    expect([sizeText(bytes), gibText(bytes)]).toEqual([automatic, gib])
  })
})

describe('template variables', () => {
  it('stand for the user’s data; unknown names stay as typed and empty values vanish', () => {
    const values = templateValues(makeUser(), url, now)
    const text =
      '{{USERNAME}}|{{DAYS_LEFT}}|{{TRAFFIC_USED}}|{{TRAFFIC_LEFT}}|{{TOTAL_TRAFFIC}}|{{TAG}}|{{TELEGRAM_ID}}|{{SUBSCRIPTION_URL}}|{{EMAIL}}|{{NOPE}}|{{constructor}}|{{ TAG }}'
    expect(fillTemplate(text, values)).toBe(
      `alice|13|5.00 GiB|45.00 GiB|50.00 GiB|TRIAL|123456789|${url}||{{NOPE}}|{{constructor}}|{{ TAG }}`,
    )
  })

  it.each([
    ['ACTIVE', ' ✅ Active'],
    ['EXPIRED', ' ⚠️ Expired'],
    ['DISABLED', '❌ Disabled'],
    ['LIMITED', '🔴 Limited'],
  ] as const)('say the status %s as "%s"', (status, text) => {
    expect(fillTemplate('{{STATUS}}', templateValues(makeUser({ status }), url, now))).toBe(text)
  })

  it('count no negative days, but negative traffic for users without a limit', () => {
    const values = templateValues(makeUser({ expireAt: new Date('2020-01-01'), trafficLimitBytes: 0 }), url, now)
    expect(values).toMatchObject({ DAYS_LEFT: '0', TRAFFIC_LEFT: '-5.00 GiB', TOTAL_TRAFFIC: '0' })
  })
})

describe('days to expiry', () => {
  it.each([
    ['2025-06-16T11:59:59Z', 0],
    ['2025-06-16T12:00:00Z', 1],
    ['2025-06-15T11:00:00Z', 0],
    ['2025-06-14T11:00:00Z', -1],
  ])('until %s are %d', (expireAt, days) => {
    expect(Object.is(daysLeft(new Date(expireAt), now), days)).toBe(true)
  })
})

describe('Base64', () => {
  it('is that of the UTF-8 bytes, whatever the text', () => {
    expect([base64('é€😀'), base64('a\ud800'), base64Url('a>>?~')]).toEqual(['w6nigqzwn5iA', 'Ye+/vQ==', 'YT4-P34'])
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const bytes = Array.from(atob(base64(text)), (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
        expect(decodeURIComponent(bytes.join(''))).toBe(text)
        expect(unpadded(base64(text))).toBe(base64Url(text))
      }),
    )
  })

  it('and form encoding give nothing that a link would read as its own signs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(formEncode(text)).toMatch(/^[A-Za-z0-9*\-._+%]*$/)
      }),
    )
  })
})

describe('YAML text', () => {
  const scalars = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('yes', 'NULL', '~', '- a', 'a: b', 'a #b', '0x1f', '1e3', 'é\n\u2028\u0085'),
  )
  const { data } = fc.letrec((tie) => ({
    data: fc.oneof(
      { maxDepth: 4 },
      scalars,
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('data'), { maxLength: 4 }),
      fc.dictionary(
        scalars.filter((key) => key !== '__proto__'),
        tie('data'),
        { maxKeys: 4 },
      ),
    ),
  }))

  it.each(['1.1', '1.2'] as const)('is read back as it was by readers of YAML %s', (version) => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b-c', 'yes', '1'), data), (value) => {
        const expected: unknown = JSON.parse(JSON.stringify(value))
        fc.pre(JSON.stringify(value) === JSON.stringify(expected) && !/Infinity|NaN/.test(yamlText(value)))
        const read: unknown = parse(yamlText(value), { version, maxAliasCount: 0 })
        expect(JSON.stringify(read ?? {})).toBe(JSON.stringify(value))
      }),
      { numRuns: 300 },
    )
  })
})

it('SNIP-005 texts take the placeholders of later generations, and one text by status', () => {
  const user = makeUser({
    id: 42,
    description: 'a friend',
    hwidDeviceLimit: 3,
    createdAt: new Date('2025-01-01T00:00:00Z'),
    lastTrafficResetAt: new Date('2025-06-01T00:00:00Z'),
    trafficLimitBytes: 1000,
    usedTrafficBytes: 400,
  })
  const fill = (text: string, of = user) => fillTemplate(text, templateValues(of, url, now))
  expect(fill('{{ID}} {{SHORT_UUID}} {{DESCRIPTION}} {{SS_HWID_LIMIT}} {{RESET_STRATEGY}}')).toBe(
    '42 k3Vd_8QwZp0aXr2T a friend 3 MONTH',
  )
  expect(fill('{{TRAFFIC_USED_BYTES}}/{{TRAFFIC_LEFT_BYTES}}/{{TOTAL_TRAFFIC_BYTES}}/{{LIFETIME_USED_BYTES}}')).toBe(
    '400/600/1000/7730941132',
  )
  expect(fill('{{EXPIRE_UNIX}} {{CREATED_AT_UNIX}} {{LAST_TRAFFIC_RESET_AT_UNIX}}')).toBe('1751115600 1735689600 1748736000')
  const status = '{{STATUS:ACTIVE=on|EXPIRED=off for good|LIMITED=}}'
  expect(fill(status)).toBe('on')
  expect(fill(status, { ...user, status: 'EXPIRED' })).toBe('off for good')
  expect([fill(status, { ...user, status: 'LIMITED' }), fill(status, { ...user, status: 'DISABLED' })]).toEqual(['', ''])
  expect(fill('{{STATUS:WORD=x}} {{ID:x}} {{NOTHING}} {{:STATUS}}')).toBe('{{STATUS:WORD=x}} {{ID:x}} {{NOTHING}} {{:STATUS}}')
})
