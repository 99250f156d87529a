import i18n from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import HttpBackend from 'i18next-http-backend'
import { initReactI18next } from 'react-i18next'

export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'ru', name: 'Русский' },
  { code: 'fa', name: 'فارسی' },
  { code: 'zh', name: '简体中文' },
] as const

/** Where the language is looked for, first hit first. The choice is kept in local storage. */
const DETECTION_ORDER = ['localStorage', 'navigator', 'htmlTag', 'path', 'subdomain']
const STORAGE_KEY = 'i18nextLng'

const detector = new LanguageDetector()

/** The language and the namespaces that the first screen needs. Others load with their page. */
const started = start()

/** Texts, once the language is known. */
export async function loadTexts(...namespaces: string[]): Promise<void> {
  await started
  await i18n.loadNamespaces(namespaces)
}

async function start(): Promise<void> {
  await i18n
    .use(HttpBackend)
    .use(detector)
    .use(initReactI18next)
    .init({
      fallbackLng: 'en',
      supportedLngs: LANGUAGES.map((language) => language.code),
      load: 'languageOnly',
      ns: ['shell', 'auth', 'ui', 'api'],
      defaultNS: 'shell',
      backend: { loadPath: '/locales/{{lng}}/{{ns}}.json' },
      detection: { order: DETECTION_ORDER, caches: ['localStorage'], lookupLocalStorage: STORAGE_KEY },
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
}

/** The reader's, also while its texts have not arrived. */
export function languageNow(): string {
  return i18n.language ?? [detector.detect()].flat()[0] ?? 'en'
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language.startsWith('fa') ? 'rtl' : 'ltr'
}
