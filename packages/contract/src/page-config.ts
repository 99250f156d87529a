import { z } from 'zod'

// Contents of the page that subscribers see in a browser: apps by platform, each with its steps, in three languages.

export const PAGE_PLATFORMS = ['ios', 'android', 'pc'] as const
export type PagePlatform = (typeof PAGE_PLATFORMS)[number]
export const PAGE_LANGUAGES = ['en', 'fa', 'ru'] as const
export type PageLanguage = (typeof PAGE_LANGUAGES)[number]

const translations = z.object({ en: z.string(), fa: z.string(), ru: z.string() })
export type PageTranslations = z.output<typeof translations>

const pageButton = z.object({ buttonLink: z.string(), buttonText: translations })
export type PageButton = z.output<typeof pageButton>

const step = z.object({ description: translations })
const additionalStep = step.extend({ title: translations, buttons: z.array(pageButton) })
export type PageAdditionalStep = z.output<typeof additionalStep>

const pageApp = z.object({
  id: z.string(),
  name: z.string(),
  isFeatured: z.boolean(),
  urlScheme: z.string().describe('what the address of the subscription is put behind'),
  isNeedBase64Encoding: z.boolean().optional(),
  installationStep: step.extend({ buttons: z.array(pageButton) }),
  additionalBeforeAddSubscriptionStep: additionalStep.optional(),
  addSubscriptionStep: step,
  additionalAfterAddSubscriptionStep: additionalStep.optional(),
  connectAndUseStep: step,
})
export type PageApp = z.output<typeof pageApp>

export const pageConfig = z.object({ ios: z.array(pageApp), android: z.array(pageApp), pc: z.array(pageApp) })
export type PageConfig = z.output<typeof pageConfig>

const MAX_APPS = 50
const MAX_BUTTONS = 20
const MAX_TEXT = 2000
/** Longer lists of mistakes help no reader. */
const MAX_PROBLEMS = 200

type Say = (path: string, problem: string) => void

/** Everything that is wrong with a configuration, in the form `config.ios[0].id: must start with a lowercase letter`. */
export function pageConfigProblems(value: unknown): string[] {
  return [...formProblems(value), ...sharedIds(value)]
}

function formProblems(value: unknown): string[] {
  const problems: string[] = []
  const say: Say = (path, problem) => {
    if (problems.length < MAX_PROBLEMS) problems.push(`${path}: ${problem}`)
  }
  if (!isObject(value)) return ['config: must be an object']
  for (const platform of PAGE_PLATFORMS) {
    const apps = value[platform]
    const path = `config.${platform}`
    if (!Array.isArray(apps)) say(path, 'must be an array')
    else if (apps.length > MAX_APPS) say(path, `must have at most ${MAX_APPS} apps`)
    else apps.forEach((app: unknown, index) => checkApp(app, `${path}[${index}]`, say))
  }
  return problems
}

/** Apps of one platform are told apart by their ids. Pages published before this was checked may share some, and stay readable. */
function sharedIds(value: unknown): string[] {
  if (!isObject(value)) return []
  return PAGE_PLATFORMS.flatMap((platform) => {
    const apps = value[platform]
    const ids = Array.isArray(apps) ? apps.map((app: unknown) => (isObject(app) ? app['id'] : undefined)) : []
    return ids.flatMap((id, index) => {
      const first = ids.indexOf(id)
      const isShared = typeof id === 'string' && first < index
      return isShared ? [`config.${platform}[${index}].id: is the id of config.${platform}[${first}] too; choose another`] : []
    })
  })
}

/** The configuration itself once nothing is wrong with it; what we do not know of is left out. */
export function toPageConfig(value: unknown): PageConfig | undefined {
  return formProblems(value).length === 0 ? pageConfig.safeParse(value).data : undefined
}

/** Links that a browser would run or that lead into the machine. Schemes of apps are wanted. */
export function isHarmfulLink(link: string): boolean {
  // Browsers drop such characters before they read the scheme.
  // oxlint-disable-next-line no-control-regex -- they are what hides a scheme
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(link.replaceAll(/[\u0000-\u0020\u007f]/g, ''))?.[1]?.toLowerCase()
  return scheme !== undefined && HARMFUL.has(scheme)
}

const HARMFUL = new Set(['javascript', 'vbscript', 'data', 'file', 'blob', 'about', 'filesystem', 'view-source'])

function checkApp(app: unknown, path: string, say: Say): void {
  if (!isObject(app)) return say(path, 'must be an object')
  const { id, name, isFeatured, urlScheme, isNeedBase64Encoding } = app
  if (typeof id !== 'string') say(`${path}.id`, 'must be a string')
  else if (!/^[a-z]/.test(id)) say(`${path}.id`, 'must start with a lowercase letter')
  else checkLength(id, `${path}.id`, say)
  checkString(name, `${path}.name`, say)
  if (typeof isFeatured !== 'boolean') say(`${path}.isFeatured`, 'must be a boolean')
  if (checkString(urlScheme, `${path}.urlScheme`, say) && isHarmfulLink(urlScheme)) say(`${path}.urlScheme`, HARMFUL_LINK)
  if (isNeedBase64Encoding !== undefined && typeof isNeedBase64Encoding !== 'boolean')
    say(`${path}.isNeedBase64Encoding`, 'must be a boolean')
  checkStep(app['installationStep'], `${path}.installationStep`, say, { hasButtons: true })
  checkStep(app['addSubscriptionStep'], `${path}.addSubscriptionStep`, say, {})
  checkStep(app['connectAndUseStep'], `${path}.connectAndUseStep`, say, {})
  for (const key of ['additionalBeforeAddSubscriptionStep', 'additionalAfterAddSubscriptionStep'] as const)
    if (app[key] !== undefined) checkStep(app[key], `${path}.${key}`, say, { hasTitle: true, hasButtons: true })
}

const HARMFUL_LINK = 'must not be a link that a browser runs'

function checkStep(value: unknown, path: string, say: Say, parts: { hasTitle?: boolean; hasButtons?: boolean }): void {
  if (!isObject(value)) return say(path, 'must be an object')
  if (parts.hasTitle) checkTranslations(value['title'], `${path}.title`, say)
  checkTranslations(value['description'], `${path}.description`, say)
  if (!parts.hasButtons) return
  const { buttons } = value
  if (!Array.isArray(buttons)) return say(`${path}.buttons`, 'must be an array')
  if (buttons.length > MAX_BUTTONS) return say(`${path}.buttons`, `must have at most ${MAX_BUTTONS} buttons`)
  buttons.forEach((button: unknown, index) => checkButton(button, `${path}.buttons[${index}]`, say))
}

function checkButton(value: unknown, path: string, say: Say): void {
  if (!isObject(value)) return say(path, 'must be an object')
  const { buttonLink } = value
  if (typeof buttonLink !== 'string' || buttonLink.trim() === '') say(`${path}.buttonLink`, 'must be a non-empty string')
  else if (isHarmfulLink(buttonLink)) say(`${path}.buttonLink`, HARMFUL_LINK)
  else checkLength(buttonLink, `${path}.buttonLink`, say)
  checkTranslations(value['buttonText'], `${path}.buttonText`, say)
}

function checkTranslations(value: unknown, path: string, say: Say): void {
  if (!isObject(value)) return say(path, 'must be an object')
  for (const language of PAGE_LANGUAGES) {
    const text = value[language]
    if (typeof text !== 'string') say(`${path}.${language}`, 'must be a string')
    else if (text.trim() === '') say(`${path}.${language}`, 'must not be empty')
    else checkLength(text, `${path}.${language}`, say)
  }
}

function checkString(value: unknown, path: string, say: Say): value is string {
  if (typeof value !== 'string') {
    say(path, 'must be a string')
    return false
  }
  checkLength(value, path, say)
  return true
}

function checkLength(text: string, path: string, say: Say): void {
  if (text.length > MAX_TEXT) say(path, `must have at most ${MAX_TEXT} characters`)
  if (text.includes('\u0000')) say(path, 'must not contain the character U+0000')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
