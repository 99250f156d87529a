export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'ru', name: 'Русский' },
  { code: 'fa', name: 'فارسی' },
  { code: 'zh', name: '简体中文' },
] as const

/** Where the choice is kept, in local storage. */
export const LANGUAGE_KEY = 'i18nextLng'

/** What the first screen of any page says. */
export const FIRST_TEXTS = ['shell', 'auth', 'ui', 'api'] as const

/** The reader's, also while its texts have not arrived: from where it is looked for first. */
export function languageNow(): string {
  return localStorage.getItem(LANGUAGE_KEY) ?? navigator.language
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language.startsWith('fa') ? 'rtl' : 'ltr'
}
