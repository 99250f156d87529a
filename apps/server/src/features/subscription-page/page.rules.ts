import { LATER_PLATFORMS, PAGE_PLATFORMS, type LaterPlatform, type PagePlatform } from '@causeway/contract'
import { VIEW_LANGUAGES, type ViewLanguage } from '@causeway/subscription'

/** The language that the address asks for, else the first of the browser's that the page speaks. */
export function pageLanguage(asked: unknown, acceptLanguage: string | undefined): ViewLanguage {
  const wanted = VIEW_LANGUAGES.find((language) => language === asked)
  if (wanted) return wanted
  for (const part of (acceptLanguage ?? '').slice(0, 200).split(',')) {
    const code = part.trim().slice(0, 2).toLowerCase()
    const known = VIEW_LANGUAGES.find((language) => language === code)
    if (known) return known
  }
  return 'en'
}

/** The device that the address asks for, else the one that the browser runs on. */
export function pagePlatform(asked: unknown, userAgent: string): PagePlatform {
  const wanted = PAGE_PLATFORMS.find((platform) => platform === asked)
  if (wanted) return wanted
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios'
  return /Android/.test(userAgent) ? 'android' : 'pc'
}

/** What the reader's browser reads, best first, the language that the address asks for before all. */
export function languagesOf(asked: unknown, acceptLanguage: string | undefined): string[] {
  const said = (acceptLanguage ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => part.split(';')[0]?.trim() ?? '')
  return [...(typeof asked === 'string' ? [asked.slice(0, 20)] : []), ...said].filter((language) => language !== '')
}

const LATER: readonly [RegExp, LaterPlatform][] = [
  [/AppleTV|tvOS/i, 'appleTV'],
  [/Android.*(TV|BRAVIA|AFT)/i, 'androidTV'],
  [/iPhone|iPad|iPod/, 'ios'],
  [/Android/, 'android'],
  [/Windows/, 'windows'],
  [/Macintosh|Mac OS X/, 'macos'],
  [/Linux|X11|CrOS/, 'linux'],
]

/** The same for pages that know more platforms. */
export function laterPlatform(asked: unknown, userAgent: string): LaterPlatform {
  const wanted = LATER_PLATFORMS.find((platform) => platform === asked)
  return wanted ?? LATER.find(([pattern]) => pattern.test(userAgent.slice(0, 500)))?.[1] ?? 'windows'
}
