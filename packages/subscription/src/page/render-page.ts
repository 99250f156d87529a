import {
  isHarmfulLink,
  neverExpires,
  PAGE_PLATFORMS,
  type PageAdditionalStep,
  type PageApp,
  type PageButton,
  type PageConfig,
  type PagePlatform,
  type SubscriptionInfo,
} from '@causeway/contract'
import { encode } from 'uqr'
import { sizeText } from '../text/size-text.ts'
import { base64, uriEncode } from '../text/text-encoding.ts'
import { escapedHtml } from './html.ts'
import { pageStyle } from './page-style.ts'
import { pageTexts, textFor, VIEW_LANGUAGES, type PageTexts, type ViewLanguage } from './page-texts.ts'

export interface PageView {
  user: SubscriptionInfo['user']
  subscriptionUrl: string
  /** Title of the panel's subscriptions. */
  title: string
  language: ViewLanguage
  platform: PagePlatform
  /** Whose days an expiry is named in: that of the installation. */
  timeZone: string
  /** Calendar days until the day of the expiry; null once it has passed. */
  wholeDaysLeft: number | null
  /** The colour of the service; null for the product's own. */
  accent: string | null
}

/**
 * The page of one subscriber: one file without scripts and without outside resources. It opens on a bad line, and no
 * code on it can run. Every text is escaped; links that a browser would execute become plain text.
 */
export function renderPage(config: PageConfig, view: PageView): string {
  const texts = pageTexts[view.language]
  return renderFrame(view, {
    lang: view.language,
    languages: languageLinks(view),
    parts: [account(view, texts), apps(config[view.platform], view, texts), address(view, texts)],
  })
}

interface Frame {
  lang: string
  languages: string
  parts: readonly string[]
}

const RIGHT_TO_LEFT = /^(fa|ar|he|ur|ps|ku|ug|yi)\b/

/** The file around what a form of page says. */
export function renderFrame(view: Pick<PageView, 'title' | 'accent'>, { lang, languages, parts }: Frame): string {
  const direction = RIGHT_TO_LEFT.test(lang) ? 'rtl' : 'ltr'
  return `<!doctype html>
<html lang="${escapedHtml(lang)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${escapedHtml(view.title)}</title>
<style>${pageStyle(view.accent)}</style>
</head>
<body>
<header><h1>${monogram(view.title)}${escapedHtml(view.title)}</h1>${languages}</header>
<main>
${parts.join('\n')}
</main>
</body>
</html>
`
}

/** The sign of the service, which has no picture: the first letter of its title. */
function monogram(title: string): string {
  const [first = ''] = title.trim()
  return first === '' ? '' : `<span class="mark" aria-hidden="true">${escapedHtml(first.toUpperCase())}</span>`
}

function languageLinks({ language, platform }: PageView): string {
  const links = VIEW_LANGUAGES.map((code) => {
    const current = code === language ? ' aria-current="true"' : ''
    return `<a href="?lang=${code}&amp;os=${platform}" lang="${code}" dir="auto"${current}>${pageTexts[code].name}</a>`
  })
  return `<nav>${links.join('')}</nav>`
}

export function account({ user, language, timeZone, wholeDaysLeft }: PageView, texts: PageTexts): string {
  const date = new Date(user.expiresAt)
  const isEndless = neverExpires(date)
  const day = isEndless ? texts.never : new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(date)
  const left = !isEndless && wholeDaysLeft !== null ? `<small>${texts.days(wholeDaysLeft)}</small>` : ''
  const limit = Number(user.trafficLimitBytes)
  const share = limit > 0 ? Math.min(100, Math.round((Number(user.trafficUsedBytes) / limit) * 100)) : 0
  const bar = limit > 0 ? `<progress max="100" value="${share}">${share}%</progress>` : ''
  const used = sizeIn(language, Number(user.trafficUsedBytes))
  const allowed = limit > 0 ? sizeIn(language, limit) : texts.unlimited
  return `<section class="account">
<p class="who"><bdi>${escapedHtml(user.username)}</bdi> <span class="state" data-state="${user.userStatus}">${texts.status[user.userStatus]}</span></p>
<dl><div><dt>${texts.traffic}</dt><dd><bdi>${used}</bdi> / <bdi>${allowed}</bdi>${bar}</dd></div>
<div><dt>${texts.expires}</dt><dd>${escapedHtml(day)} ${left}</dd></div></dl>
</section>`
}

/** An amount as the language writes numbers; it and its unit stay on one line. */
function sizeIn(language: ViewLanguage, bytes: number): string {
  const [amount = '', unit = 'B'] = sizeText(bytes).split(' ')
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: unit === 'B' ? 0 : 2 }).format(Number(amount))
  return `${number}\u00A0${unit}`
}

function apps(list: readonly PageApp[], view: PageView, texts: PageTexts): string {
  const tabs = PAGE_PLATFORMS.map((platform) => {
    const current = platform === view.platform ? ' aria-current="true"' : ''
    return `<a href="?lang=${view.language}&amp;os=${platform}"${current}>${texts.platforms[platform]}</a>`
  })
  const ordered = [...list.filter(({ isFeatured }) => isFeatured), ...list.filter(({ isFeatured }) => !isFeatured)]
  const cards = ordered.map((app, index) => card(app, view, texts, index === 0))
  return `<section><nav class="tabs">${tabs.join('')}</nav>
${cards.length > 0 ? cards.join('\n') : `<p class="none">${texts.noApps}</p>`}</section>`
}

function card(app: PageApp, view: PageView, texts: PageTexts, isOpen: boolean): string {
  const { language } = view
  const mark = app.isFeatured ? ` <small>${texts.recommended}</small>` : ''
  const link = appLink(app, view.subscriptionUrl)
  const add =
    link === undefined ? '' : `<p class="buttons"><a class="main" href="${escapedHtml(link)}">${texts.addButton}</a></p>`
  const extra = (step: PageAdditionalStep | undefined) =>
    step ? item(textFor(step.title, language), textFor(step.description, language), buttons(step.buttons, language)) : ''
  return `<details${isOpen ? ' open' : ''}><summary><bdi>${escapedHtml(app.name)}</bdi>${mark}</summary><ol>
${item(texts.install, textFor(app.installationStep.description, language), buttons(app.installationStep.buttons, language))}
${extra(app.additionalBeforeAddSubscriptionStep)}${item(texts.add, textFor(app.addSubscriptionStep.description, language), add)}
${extra(app.additionalAfterAddSubscriptionStep)}${item(texts.connect, textFor(app.connectAndUseStep.description, language), '')}
</ol></details>`
}

export function item(title: string, description: string, after: string): string {
  return `<li><h3 dir="auto">${escapedHtml(title)}</h3><p dir="auto">${escapedHtml(description)}</p>${after}</li>`
}

function buttons(list: readonly PageButton[], language: ViewLanguage): string {
  if (list.length === 0) return ''
  const links = list.map(({ buttonLink, buttonText }) => {
    const text = escapedHtml(textFor(buttonText, language))
    if (isHarmfulLink(buttonLink)) return `<span>${text}</span>`
    return `<a href="${escapedHtml(buttonLink)}" target="_blank" rel="noopener noreferrer" dir="auto">${text}</a>`
  })
  return `<p class="buttons">${links.join('')}</p>`
}

/** The address that hands the subscription to an app. */
function appLink({ urlScheme, isNeedBase64Encoding = false }: PageApp, url: string): string | undefined {
  if (urlScheme.trim() === '' || isHarmfulLink(urlScheme)) return undefined
  if (isNeedBase64Encoding) return urlScheme + base64(url)
  // Behind a question mark the address is one value among others, and its own signs must not end it.
  return urlScheme + (urlScheme.includes('?') ? uriEncode(url) : url)
}

export function address({ subscriptionUrl }: PageView, texts: PageTexts): string {
  const { data, size } = encode(subscriptionUrl, { ecc: 'L', border: 2 })
  const path = data.map((row, y) => rowPath(row, y)).join('')
  return `<section class="address"><svg role="img" aria-label="${texts.qr}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${path}"/></svg>
<p><label for="link">${texts.link}</label><input id="link" dir="ltr" readonly value="${escapedHtml(subscriptionUrl)}"></p></section>`
}

/** One bar for each run of dark modules: a third of the length of one square for each. */
function rowPath(row: readonly boolean[], y: number): string {
  const runs: string[] = []
  for (let x = 0; x < row.length; x++) {
    const from = x
    while (row[x] === true) x++
    if (x > from) runs.push(`M${from} ${y}h${x - from}v1h${from - x}z`)
  }
  return runs.join('')
}
