export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'ru', name: 'Русский' },
  { code: 'fa', name: 'فارسی' },
  { code: 'zh', name: '简体中文' },
] as const

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language.startsWith('fa') ? 'rtl' : 'ltr'
}
