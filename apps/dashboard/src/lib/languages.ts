export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'ru', name: 'Русский' },
  { code: 'fa', name: 'فارسی' },
  { code: 'zh', name: '简体中文' },
] as const

/** The reader's, also while its texts have not arrived: from where it is looked for first. */
export function languageNow(): string {
  return localStorage.getItem('i18nextLng') ?? navigator.language
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language.startsWith('fa') ? 'rtl' : 'ltr'
}
