import { PAGE_PLATFORMS, type PagePlatform } from '@causeway/contract'
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
