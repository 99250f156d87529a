export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'ru', name: 'Русский' },
  { code: 'fa', name: 'فارسی' },
  { code: 'zh', name: '简体中文' },
] as const

/** Where the choice is kept, in local storage. */
export const LANGUAGE_KEY = 'i18nextLng'

/** Texts of the first screen of any page. */
export const FIRST_TEXTS = ['shell', 'auth', 'ui', 'api'] as const

/** The reader's, with its region, also while its texts have not arrived: the first that we have of where it is looked for. */
export function languageNow(): string {
  const found = [
    localStorage.getItem(LANGUAGE_KEY),
    ...navigator.languages,
    navigator.language,
    document.documentElement.lang,
    location.pathname.split('/')[1],
    location.hostname.split('.')[0],
  ]
  return found.find((one) => LANGUAGES.some(({ code }) => code === one?.split('-')[0])) ?? 'en'
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language.startsWith('fa') ? 'rtl' : 'ltr'
}
