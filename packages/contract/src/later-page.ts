import { z } from 'zod'
import { isHarmfulLink } from './page-config.ts'
import { wireText } from './wire.ts'

// The page of subscribers in the form of later generations: any languages, seven platforms, apps of any number of blocks. Members
// that are not known here are kept as they are.

export const LATER_PLATFORMS = ['ios', 'android', 'windows', 'macos', 'linux', 'androidTV', 'appleTV'] as const
export type LaterPlatform = (typeof LATER_PLATFORMS)[number]

const MOST_APPS = 50
const MOST_BLOCKS = 30
const MOST_BUTTONS = 20
const MOST_LOCALES = 30
const MOST_CHARACTERS = 500_000

const locale = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language such as en')
/** By language; the first language of the page stands for those that are missing. */
const texts = z.record(locale, wireText(5000))
export type LaterTexts = z.output<typeof texts>

const button = z.looseObject({
  link: wireText(5000).refine((link) => !isHarmfulLink(link), 'must not be a link that a browser runs'),
  type: z.enum(['external', 'subscriptionLink', 'copyButton']),
  text: texts,
  svgIconKey: wireText(100).optional(),
})
export type LaterButton = z.output<typeof button>
const block = z.looseObject({
  title: texts,
  description: texts,
  buttons: z.array(button).max(MOST_BUTTONS, `must have at most ${MOST_BUTTONS} buttons`),
  svgIconKey: wireText(100).optional(),
  svgIconColor: wireText(100).optional(),
})
const app = z.looseObject({
  name: wireText(255),
  featured: z.boolean().optional(),
  blocks: z.array(block).max(MOST_BLOCKS, `must have at most ${MOST_BLOCKS} blocks`),
})
export type LaterApp = z.output<typeof app>
const platform = z.looseObject({
  displayName: texts,
  svgIconKey: wireText(100).optional(),
  apps: z.array(app).max(MOST_APPS, `must have at most ${MOST_APPS} apps`),
})

export const laterPageConfig = z
  .looseObject({
    version: z.literal('1', 'must be "1"'),
    locales: z.array(locale).min(1, 'must name a language').max(MOST_LOCALES, `must name at most ${MOST_LOCALES} languages`),
    brandingSettings: z.looseObject({ title: wireText(255), logoUrl: wireText(2000), supportUrl: wireText(2000) }),
    uiConfig: z.looseObject({
      subscriptionInfoBlockType: z.enum(['collapsed', 'expanded', 'cards', 'hidden']),
      installationGuidesBlockType: z.enum(['cards', 'accordion', 'minimal', 'timeline']),
    }),
    baseSettings: z.looseObject({}).optional(),
    baseTranslations: z.record(z.string(), texts),
    svgLibrary: z.record(z.string(), z.unknown()),
    platforms: z.partialRecord(z.enum(LATER_PLATFORMS), platform),
  })
  .refine((config) => JSON.stringify(config).length <= MOST_CHARACTERS, `must have at most ${MOST_CHARACTERS} characters`)
export type LaterPageConfig = z.output<typeof laterPageConfig>

/** Everything that is wrong with it, as `config.platforms.ios.apps[0].name: …`; the first ones of many. */
export function laterPageProblems(value: unknown): string[] {
  const parsed = laterPageConfig.safeParse(value)
  const said = (parsed.error?.issues ?? []).map(({ path, message }) => `${placeOf(path)}: ${message}`)
  return said.slice(0, 20)
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, key) => (typeof key === 'number' ? `${place}[${key}]` : `${place}.${String(key)}`), 'config')
}
