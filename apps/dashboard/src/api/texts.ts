import i18n, { type BackendModule, type LanguageDetectorModule, type ReadCallback, type ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { FIRST_TEXTS, LANGUAGE_KEY, languageNow, LANGUAGES } from '../lib/languages.ts'
import { isolated } from '../lib/isolated.ts'
import { takeAhead } from './ahead.ts'
import { isServerThere, untilThere } from './connection.ts'

const reader: LanguageDetectorModule = {
  type: 'languageDetector',
  detect: languageNow,
  cacheUserLanguage: (language) => localStorage.setItem(LANGUAGE_KEY, language),
}

const files: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => void give(`/locales/${language}/${namespace}.json`, done),
}

/** The language and the namespaces that the first screen needs. Others load with their page. */
const started = start()

/** Texts, once the language is known. */
export async function loadTexts(...namespaces: string[]): Promise<void> {
  await started
  await i18n.loadNamespaces(namespaces)
}

async function start(): Promise<void> {
  await i18n
    .use(files)
    .use(reader)
    .use(initReactI18next)
    .init({
      fallbackLng: 'en',
      supportedLngs: LANGUAGES.map((language) => language.code),
      load: 'languageOnly',
      ns: FIRST_TEXTS,
      defaultNS: 'shell',
      interpolation: { escape: isolated },
      react: { useSuspense: true },
    })
}

async function give(path: string, done: ReadCallback): Promise<void> {
  try {
    done(null, await fetchTexts(path))
  } catch (error) {
    done(error instanceof Error ? error : String(error), true) // true: try again
  }
}

/** While the server is away they are waited for: a page that gave up on its texts would show their keys for ever. */
async function fetchTexts(path: string): Promise<ResourceKey> {
  for (;;) {
    try {
      const reply = await (takeAhead(path) ?? fetch(path))
      if (!reply.ok) throw new Error(`${path} was answered with ${reply.status}`)
      return (await reply.json()) as ResourceKey // a file of ours
    } catch (error) {
      if (await isServerThere()) throw error
      await untilThere()
    }
  }
}
