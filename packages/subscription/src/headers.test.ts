import { describe, expect, it } from 'vitest'
import { defaultSubscriptionSettings, subscriptionHeaders, type HeaderSettings, type Subscriber } from '@causeway/subscription'
import { makeUser, url, valuesOf } from '../test/samples.ts'

function headersOf(
  options: {
    user?: Partial<Subscriber>
    settings?: Partial<HeaderSettings>
    userAgent?: string
    hwid?: boolean
    refillAt?: Date
  } = {},
) {
  const user = makeUser(options.user)
  const settings = { ...defaultSubscriptionSettings, supportLink: 'https://help.example', ...options.settings }
  const request = {
    userAgent: options.userAgent ?? '',
    url,
    values: valuesOf(user),
    isHwidLimitEnabled: options.hwid ?? false,
    refillAt: options.refillAt ?? null,
  }
  return subscriptionHeaders(user, settings, request)
}

describe('headers of a subscription', () => {
  it('name the user, the sizes, the title and the address', () => {
    expect(headersOf()).toEqual({
      'content-disposition': 'attachment; filename=alice',
      'support-url': 'https://help.example',
      'profile-title': 'base64:Q2F1c2V3YXk=',
      'profile-update-interval': '12',
      'subscription-userinfo': 'upload=0; download=5368709120; total=53687091200; expire=1751115600',
      'profile-web-page-url': url,
    })
  })

  it.each(['2099-12-31T23:00:00Z', '2150-01-01T00:00:00Z'])(
    'say 0 for no limit and for an expiry in 2099 or later (%s), and no refill date without a reset',
    (expireAt) => {
      const user = { trafficLimitBytes: 0, expireAt: new Date(expireAt) }
      const headers = headersOf({ user })
      expect(headers['subscription-userinfo']).toBe('upload=0; download=5368709120; total=0; expire=0')
      expect(headers).not.toHaveProperty('subscription-refill-date')
    },
  )

  it('say when traffic is refilled in whole seconds, as they are told', () => {
    const headers = headersOf({ refillAt: new Date('2025-06-30T20:40:00.900Z') })
    expect(headers['subscription-refill-date']).toBe('1751316000')
  })

  it('carry the announcement for every client and the routing for Happ only, both filled in', () => {
    const settings = { happAnnounce: 'Hello {{USERNAME}}', happRouting: 'happ://routing/add/e30=' }
    expect(headersOf({ settings })).toMatchObject({ announce: 'base64:SGVsbG8gYWxpY2U=' })
    expect(headersOf({ settings })).not.toHaveProperty('routing')
    expect(headersOf({ settings, userAgent: 'Happ/1.2' })).toMatchObject({ routing: 'happ://routing/add/e30=' })
    expect(headersOf({ settings: { happAnnounce: '', happRouting: '' }, userAgent: 'Happ/1' })).not.toHaveProperty('announce')
  })

  it('leave the page address out where it is switched off or devices are limited', () => {
    expect(headersOf({ hwid: true })).not.toHaveProperty('profile-web-page-url')
    expect(headersOf({ settings: { isProfileWebpageUrlEnabled: false } })).not.toHaveProperty('profile-web-page-url')
  })

  it('end with the custom ones, which may replace others but not the framing of the answer nor what keeps browsers safe', () => {
    const customResponseHeaders = {
      'Profile-Title': 'x {{TAG}}',
      'X-Left': '{{DAYS_LEFT}}',
      'Content-Type': 'text/html',
      'content-length': '1',
      'Content-Security-Policy': "default-src 'unsafe-inline'",
      'X-Content-Type-Options': '',
      'Clear-Site-Data': '"*"',
      'Set-Cookie': 'causeway_browser=mine',
      Refresh: '0;url=https://elsewhere.example',
      'Cache-Control': 'public, max-age=600',
      'Access-Control-Allow-Origin': '*',
    }
    const headers = headersOf({ settings: { customResponseHeaders } })
    expect(headers).toMatchObject({ 'profile-title': 'x TRIAL', 'x-left': '13' })
    expect(headers).not.toHaveProperty('content-type')
    expect(headers).not.toHaveProperty('content-length')
    for (const name of [
      'content-security-policy',
      'x-content-type-options',
      'clear-site-data',
      'set-cookie',
      'refresh',
      'cache-control',
    ])
      expect(headers).not.toHaveProperty(name)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('encode a value that a header cannot carry instead of failing', () => {
    const settings = {
      supportLink: 'https://t.me/помощь',
      customResponseHeaders: { note: 'привет', split: 'a\r\nb: c', latin: 'café', asked: 'rwEncodeBase64:{{TAG}}' },
    }
    expect(headersOf({ settings })).toMatchObject({
      note: 'base64:0L/RgNC40LLQtdGC',
      split: 'base64:YQ0KYjogYw==',
      latin: 'café',
      asked: 'base64:VFJJQUw=',
      'support-url': 'https://t.me/%D0%BF%D0%BE%D0%BC%D0%BE%D1%89%D1%8C',
    })
  })
})
