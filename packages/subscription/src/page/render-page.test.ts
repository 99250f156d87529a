import { PAGE_PLATFORMS, pageConfigProblems, type PageConfig } from '@causeway/contract'
import { describe, expect, it } from 'vitest'
import { defaultPage } from './default-page.ts'
import { VIEW_LANGUAGES } from './page-texts.ts'
import { renderPage, type PageView } from './render-page.ts'

const view: PageView = {
  user: {
    shortUuid: 'short',
    daysLeft: 23,
    trafficUsed: '37.50 GiB',
    trafficLimit: '100.00 GiB',
    lifetimeTrafficUsed: '0',
    trafficUsedBytes: '40265318400',
    trafficLimitBytes: '107374182400',
    lifetimeTrafficUsedBytes: '0',
    username: 'ann',
    expiresAt: '2026-12-08T00:00:00.000Z',
    isActive: true,
    userStatus: 'ACTIVE',
    trafficLimitStrategy: 'MONTH',
  },
  subscriptionUrl: 'https://sub.example.com/abc',
  title: 'My service',
  language: 'en',
  platform: 'ios',
  timeZone: 'UTC',
  wholeDaysLeft: 23,
  accent: null,
}
const EVIL = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`
const evil = { en: EVIL, fa: EVIL, ru: EVIL }

describe('the page that comes with the product', () => {
  it('is a good configuration, and light in every language and for every device', () => {
    expect(pageConfigProblems(defaultPage)).toEqual([])
    for (const language of VIEW_LANGUAGES)
      for (const platform of PAGE_PLATFORMS)
        expect(renderPage(defaultPage, { ...view, language, platform }).length).toBeLessThan(15_000)
  })

  it('tells what is left, names the apps, the steps, the link and its QR code', () => {
    const html = renderPage(defaultPage, view)
    for (const part of [
      'My service',
      'ann',
      'Active',
      '<bdi>37.50\u00A0GiB</bdi> / <bdi>100.00\u00A0GiB</bdi>',
      'value="38"',
      'December 8, 2026',
      '23 days left',
      'Happ',
      'Streisand',
      'Install the app',
      'Add to the app',
      'href="happ://add/https://sub.example.com/abc"',
      'value="https://sub.example.com/abc"',
      'aria-label="QR code of the subscription"',
    ])
      expect(html).toContain(part)
  })

  it('is Persian from right to left, Russian with its plural forms', () => {
    const fa = renderPage(defaultPage, { ...view, language: 'fa' })
    expect(fa).toContain('<html lang="fa" dir="rtl">')
    for (const part of ['۲۳ روز مانده', '۳۷٫۵۰\u00A0GiB', '۱۷ آذر ۱۴۰۵']) expect(fa).toContain(part)
    expect(renderPage(defaultPage, { ...view, language: 'ru' })).toContain('37,50\u00A0GiB')
    const days = (wholeDaysLeft: number) => renderPage(defaultPage, { ...view, language: 'ru', wholeDaysLeft })
    expect(days(1)).toContain('осталось 1 день')
    expect(days(3)).toContain('осталось 3 дня')
    expect(days(11)).toContain('осталось 11 дней')
  })

  it('is Chinese with the texts of its apps; texts of a configuration without Chinese stay English', () => {
    const zh = renderPage(defaultPage, { ...view, language: 'zh' })
    for (const part of ['<html lang="zh"', '剩余 23 天', '2026年12月8日', '安装应用并打开一次', '打开 App Store'])
      expect(zh).toContain(part)
    const [first] = defaultPage.ios
    if (!first) throw new Error('the page has no app')
    const own = { ...first, connectAndUseStep: { description: { en: 'Go', fa: 'برو', ru: 'Вперёд' } } }
    expect(renderPage({ ios: [own], android: [], pc: [] }, { ...view, language: 'zh' })).toContain('>Go</p>')
  })

  it('names the last day as the installation counts days', () => {
    const expiresAt = '2026-12-07T21:00:00.000Z'
    const day = (timeZone: string) => renderPage(defaultPage, { ...view, timeZone, user: { ...view.user, expiresAt } })
    expect(day('UTC')).toContain('December 7, 2026')
    expect(day('Asia/Tehran')).toContain('December 8, 2026')
  })

  it('writes bytes as whole numbers, and gives fingers room', () => {
    const html = renderPage(defaultPage, { ...view, user: { ...view.user, trafficUsedBytes: '0' } })
    expect(html).toContain('<bdi>0\u00A0B</bdi>')
    // Below 16 px a phone zooms in as soon as the link is touched.
    expect(html).toContain('font:16px/1.5 ui-monospace')
  })

  it('says so where there is no end and no limit', () => {
    const user = { ...view.user, trafficLimitBytes: '0', expiresAt: '2099-01-01T00:00:00.000Z' }
    const html = renderPage(defaultPage, { ...view, user })
    for (const part of ['unlimited', 'without end']) expect(html).toContain(part)
    expect(html).not.toContain('<progress')
  })
})

/** The tags, without the values of their attributes: those are only text as long as no quote ends them. */
function tags(html: string): string[] {
  return [...html.replaceAll(/"[^"]*"/g, '""').matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag)
}

describe('whatever somebody has typed', () => {
  const config: PageConfig = {
    ios: [
      {
        id: 'evil',
        name: EVIL,
        isFeatured: false,
        urlScheme: `app://"onclick='x'`,
        installationStep: {
          description: evil,
          buttons: [
            { buttonLink: 'javascript:alert(1)', buttonText: evil },
            { buttonLink: `https://example.com/"onmouseover="alert(3)`, buttonText: evil },
          ],
        },
        additionalBeforeAddSubscriptionStep: { title: evil, description: evil, buttons: [] },
        addSubscriptionStep: { description: evil },
        connectAndUseStep: { description: evil },
      },
    ],
    android: [],
    pc: [],
  }
  const html = renderPage(config, {
    ...view,
    title: EVIL,
    subscriptionUrl: `https://x/${EVIL}`,
    user: { ...view.user, username: EVIL },
  })

  it('is shown and never run: no script, no tag, no attribute of it', () => {
    expect(html).not.toMatch(/<script|<img|javascript:/i)
    for (const tag of tags(html)) expect(tag).not.toMatch(/\son\w+=/)
    expect(html).toContain('&lt;script&gt;')
  })

  it('and nothing on the page comes from elsewhere', () => {
    for (const tag of tags(html)) expect(tag).not.toMatch(/^<(?:link|img|iframe|object|base)|\ssrc=/)
    expect(html).not.toMatch(/url\(|@import/)
  })
})

describe('the link for an app', () => {
  const linkOf = (fields: { urlScheme: string; isNeedBase64Encoding?: boolean }) => {
    const [first] = defaultPage.ios
    if (!first) throw new Error('the page has no app')
    return /class="main" href="([^"]*)"/.exec(renderPage({ ios: [{ ...first, ...fields }], android: [], pc: [] }, view))?.[1]
  }
  it.each([
    [{ urlScheme: 'happ://add/' }, 'happ://add/https://sub.example.com/abc'],
    [{ urlScheme: 'app://add?url=' }, 'app://add?url=https%3A%2F%2Fsub.example.com%2Fabc'],
    [{ urlScheme: 'sub://', isNeedBase64Encoding: true }, 'sub://aHR0cHM6Ly9zdWIuZXhhbXBsZS5jb20vYWJj'],
    [{ urlScheme: '' }, undefined],
    [{ urlScheme: 'javascript:alert(1)//' }, undefined],
  ])('%o', (fields, link) => expect(linkOf(fields)).toBe(link))
})
