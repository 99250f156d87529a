import {
  isHarmfulLink,
  LATER_PLATFORMS,
  type LaterApp,
  type LaterButton,
  type LaterPageConfig,
  type LaterPlatform,
  type LaterTexts,
} from '@causeway/contract'
import { escapedHtml } from './html.ts'
import { pageTexts, VIEW_LANGUAGES, type PageTexts } from './page-texts.ts'
import { account, address, item, renderFrame, type PageView } from './render-page.ts'

export interface LaterView extends PageView {
  /** Languages that the reader reads, the best first. */
  languages: readonly string[]
  os: LaterPlatform
}

/** A page in the form of later generations, as safe and as light as the product's own: no scripts, nothing from elsewhere. */
export function renderLaterPage(config: LaterPageConfig, view: LaterView): string {
  const lang = chosenLocale(config.locales, view.languages)
  const own = VIEW_LANGUAGES.find((language) => lang.toLowerCase().startsWith(language)) ?? 'en'
  const texts = { ...pageTexts[own], ...translated(config, lang) }
  const platforms = LATER_PLATFORMS.filter((platform) => config.platforms[platform] !== undefined)
  const os = platforms.includes(view.os) ? view.os : (platforms[0] ?? view.os)
  const say = (text: LaterTexts) => text[lang] ?? text[config.locales[0] ?? ''] ?? Object.values(text)[0] ?? ''
  const title = config.brandingSettings.title || view.title
  const shown = { ...view, title, language: own }
  const isHidden = config.uiConfig.subscriptionInfoBlockType === 'hidden'
  return renderFrame(shown, {
    lang,
    languages: languageLinks(config.locales, lang, os),
    parts: [
      ...(isHidden ? [] : [account(shown, texts)]),
      apps({ config, platforms, os, lang, say, texts, view: shown }),
      ...(config.baseSettings?.['hideGetLinkButton'] === true ? [] : [address(shown, texts)]),
      support(config.brandingSettings.supportUrl),
    ],
  })
}

/** The first of the reader's languages that the page has, also by its first part; else the page's first. */
function chosenLocale(locales: readonly string[], wanted: readonly string[]): string {
  const [first = 'en'] = locales
  for (const language of wanted.map((one) => one.toLowerCase())) {
    const exact = locales.find((locale) => locale.toLowerCase() === language)
    const near = locales.find((locale) => locale.split('-')[0]?.toLowerCase() === language.split('-')[0])
    if (exact ?? near) return exact ?? near ?? first
  }
  return first
}

/** Words of the configuration in place of the product's own, by the names that later generations have for them. */
function translated({ baseTranslations, locales }: LaterPageConfig, lang: string): Partial<PageTexts> {
  const word = (key: string) => baseTranslations[key]?.[lang] ?? baseTranslations[key]?.[locales[0] ?? '']
  const named = { traffic: word('bandwidth'), expires: word('expires'), qr: word('scanQrCode'), link: word('getLink') }
  return Object.fromEntries(
    Object.entries(named)
      .filter(([, text]) => text !== undefined)
      .map(([key, text]) => [key, escapedHtml(text ?? '')]),
  )
}

function languageLinks(locales: readonly string[], lang: string, os: LaterPlatform): string {
  if (locales.length < 2) return ''
  const links = locales.map((code) => {
    const current = code === lang ? ' aria-current="true"' : ''
    const known = VIEW_LANGUAGES.find((language) => language === code)
    const name = known ? pageTexts[known].name : code
    return `<a href="?lang=${encodeURIComponent(code)}&amp;os=${os}" lang="${escapedHtml(code)}" dir="auto"${current}>${escapedHtml(name)}</a>`
  })
  return `<nav>${links.join('')}</nav>`
}

interface Shown {
  config: LaterPageConfig
  platforms: readonly LaterPlatform[]
  os: LaterPlatform
  lang: string
  say: (text: LaterTexts) => string
  texts: PageTexts
  view: PageView
}

function apps({ config, platforms, os, lang, say, texts, view }: Shown): string {
  const tabs = platforms.map((platform) => {
    const current = platform === os ? ' aria-current="true"' : ''
    const name = say(config.platforms[platform]?.displayName ?? {}) || platform
    return `<a href="?lang=${encodeURIComponent(lang)}&amp;os=${platform}"${current}>${escapedHtml(name)}</a>`
  })
  const list = config.platforms[os]?.apps ?? []
  const ordered = [...list.filter(({ featured }) => featured === true), ...list.filter(({ featured }) => featured !== true)]
  const cards = ordered.map((app, index) => card(app, { say, texts, view }, index === 0))
  return `<section><nav class="tabs">${tabs.join('')}</nav>
${cards.length > 0 ? cards.join('\n') : `<p class="none">${texts.noApps}</p>`}</section>`
}

function card(app: LaterApp, { say, texts, view }: Pick<Shown, 'say' | 'texts' | 'view'>, isOpen: boolean): string {
  const mark = app.featured === true ? ` <small>${texts.recommended}</small>` : ''
  const items = app.blocks.map((block) =>
    item(filled(say(block.title), view), filled(say(block.description), view), buttons(block.buttons, say, view)),
  )
  return `<details${isOpen ? ' open' : ''}><summary><bdi>${escapedHtml(app.name)}</bdi>${mark}</summary><ol>
${items.join('')}
</ol></details>`
}

function buttons(list: readonly LaterButton[], say: Shown['say'], view: PageView): string {
  if (list.length === 0) return ''
  const made = list.map(({ link, type, text }) => {
    const [words, target] = [escapedHtml(say(text)), filled(link, view)]
    // Without scripts a page cannot copy: the text stands there to be marked.
    if (type === 'copyButton') return `<label>${words} <input dir="ltr" readonly value="${escapedHtml(target)}"></label>`
    if (isHarmfulLink(target)) return `<span>${words}</span>`
    const where = type === 'external' ? ' target="_blank" rel="noopener noreferrer"' : ' class="main"'
    return `<a href="${escapedHtml(target)}"${where} dir="auto">${words}</a>`
  })
  return `<p class="buttons">${made.join('')}</p>`
}

/** The words in double braces that later page programs replace. Others stay as they are. */
function filled(text: string, { subscriptionUrl, user }: PageView): string {
  return text.replaceAll('{{SUBSCRIPTION_LINK}}', subscriptionUrl).replaceAll('{{USERNAME}}', user.username)
}

function support(url: string): string {
  const host = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]
  if (host === undefined) return ''
  return `<p class="buttons"><a href="${escapedHtml(url)}" target="_blank" rel="noopener noreferrer">${escapedHtml(host)}</a></p>`
}
