import type { JobStatus } from '@causeway/contract'
import { escapedHtml } from '@causeway/subscription'
import { kindName, wordsOf, type Language, type Words } from './board-words.rules.ts'

// The page of queued work as HTML. Without a script: a browser may show it under the strictest policy.

export interface BoardJob {
  id: string
  kind: string
  status: JobStatus
  done: number
  total: number
  error: string | null
  isRecurring: boolean
  isCancellable: boolean
  createdAt: Date
  startedAt: Date | null
  dueAt: Date
  finishedAt: Date | null
}

interface Board {
  jobs: BoardJob[]
  appearance: Appearance
  now: Date
  /** The page reloads itself. */
  isFollowed: boolean
  /** A sentence about what was just asked for and could not be done. */
  notice?: string
}

/** The language, and what the address says of it and of the theme, and goes on saying. */
export interface Appearance {
  language: Language
  lang: string | undefined
  theme: string | undefined
}

const ENDED_SHOWN = 25
/** The dashboard's choice; otherwise the page follows the browser. */
const THEMES = ['dark', 'light']

export const BOARD_STYLE = `
:root { color-scheme: dark light; --page: light-dark(#f4f6f8, #0d1117); --panel: light-dark(#fff, #161b22);
  --line: light-dark(#d4dae1, #2b3440); --text: light-dark(#17202a, #e6edf3); --dim: light-dark(#52606d, #9aa7b4);
  --act: light-dark(#0b7285, #3bc9db); --good: light-dark(#087f5b, #38d9a9); --bad: light-dark(#c92a2a, #ff8787);
  --field: light-dark(#e9edf1, #212a35) }
:root[data-theme=dark] { color-scheme: dark }
:root[data-theme=light] { color-scheme: light }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 14px/1.45 Montserrat, system-ui, sans-serif }
main { max-width: 72rem; margin: 0 auto; padding: 24px 16px 48px }
header { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: baseline; justify-content: space-between }
h1 { font-size: 22px; margin: 0 }
h2 { font-size: 16px; margin: 32px 0 8px }
a { color: var(--act) }
nav { display: flex; gap: 16px }
nav a { padding: 10px 0 }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--panel) }
table { border-collapse: collapse; width: 100% }
th, td { padding: 10px 12px; text-align: start; vertical-align: top; font-variant-numeric: tabular-nums }
th { color: var(--dim); font-weight: 600; white-space: nowrap }
tr + tr > td, tbody > tr > td { border-top: 1px solid var(--line) }
time { white-space: nowrap }
progress { width: 9rem; height: 8px; accent-color: var(--act); display: block; margin-top: 6px }
.done { color: var(--good) } .failed { color: var(--bad) } .queued, .cancelled, .empty, .error { color: var(--dim) }
.error { max-width: 26rem; margin-top: 4px }
.notice { border: 1px solid var(--bad); border-radius: 8px; padding: 10px 12px; margin: 16px 0 0 }
button { font: inherit; color: var(--text); background: var(--field); border: 1px solid var(--line); border-radius: 6px; padding: 4px 12px;
  min-height: 28px; cursor: pointer }
:focus-visible { outline: 2px solid var(--act); outline-offset: 2px }
@media (max-width: 40rem) { thead { display: none } tr { display: block; padding: 8px 0 }
  tr + tr { border-top: 1px solid var(--line) } tbody > tr > td { border: 0; padding: 2px 12px } td:first-child { font-weight: 600 }
  td:not(:first-child) { display: grid; grid-template-columns: 1fr 1fr; align-items: center } td:first-child { display: block }
  td:not(:first-child)::before { content: attr(data-head); color: var(--dim) } td:empty { display: none !important }
  td progress { grid-column: 1 / -1; width: 100% } td button { min-height: 40px } }
`

/** The page, or what is asked of a job on it. */
export function boardAddress(
  { lang, theme }: Omit<Appearance, 'language'>,
  { live, path = '' }: { live?: '1'; path?: string } = {},
): string {
  const chosen = { ...(lang !== undefined && { lang }), ...(theme !== undefined && { theme }) }
  const asked = new URLSearchParams({ ...(live && { live }), ...chosen }).toString()
  return `/api/queues${path}${asked && `?${asked}`}`
}

export function boardPage({ jobs, appearance, now, isFollowed, notice }: Board): string {
  const words = wordsOf(appearance.language)
  const page: Page = { words, language: appearance.language, appearance, now }
  const [all, live] = [boardAddress(appearance), boardAddress(appearance, { live: '1' })].map(escapedHtml)
  const follow = isFollowed
    ? `<a href="${all}">${words.unfollow}</a>`
    : `<a href="${all}">${words.refresh}</a> <a href="${live}">${words.follow}</a>`
  const open = jobs.filter((job) => !job.isRecurring && job.finishedAt === null)
  const ended = jobs.filter((job) => job.finishedAt !== null).slice(0, ENDED_SHOWN)
  return frame(
    appearance,
    words.title,
    `<header><h1>${words.title}</h1><nav>${follow}</nav></header>
    ${notice === undefined ? '' : `<p class="notice" role="alert">${escapedHtml(notice)}</p>`}
    ${section(
      words.open,
      words.nothing,
      [words.job, words.state, words.progress, words.asked, words.action],
      open.map((job) => openRow(page, job)),
    )}
    ${section(
      words.recurring,
      words.nothing,
      [words.job, words.state, words.runs, words.last, words.next],
      jobs.filter((job) => job.isRecurring).map((job) => recurringRow(page, job)),
    )}
    ${section(
      words.ended,
      words.nothingEnded,
      [words.job, words.state, words.progress, words.asked, words.endedAt],
      ended.map((job) => endedRow(page, job)),
    )}`,
  )
}

export function signInPage(appearance: Appearance): string {
  const words = wordsOf(appearance.language)
  return frame(
    appearance,
    words.signInTitle,
    `<h1>${words.signInTitle}</h1><p>${words.signInText}</p><p><a href="/">${words.signIn}</a></p>`,
  )
}

interface Page {
  words: Words
  language: Language
  appearance: Appearance
  now: Date
}

function openRow(page: Page, job: BoardJob): string[] {
  const { words, language, appearance } = page
  const action = escapedHtml(boardAddress(appearance, { path: `/${job.id}/cancel` }))
  const label = words.cancelOf.replace('{job}', kindName(job.kind, language))
  const cancel = job.isCancellable
    ? `<form method="post" action="${action}"><button aria-label="${escapedHtml(label)}">${words.cancel}</button></form>`
    : ''
  return [name(page, job), state(page, job), progress(page, job), moment(page, job.createdAt), cancel]
}

function endedRow(page: Page, job: BoardJob): string[] {
  return [name(page, job), state(page, job), counted(page, job), moment(page, job.createdAt), moment(page, job.finishedAt)]
}

function recurringRow(page: Page, job: BoardJob): string[] {
  const runs = new Intl.NumberFormat(page.language).format(job.done)
  return [name(page, job), state(page, job), runs, moment(page, job.startedAt), moment(page, job.dueAt)]
}

function name({ language }: Page, job: BoardJob): string {
  const error = job.error === null ? '' : `<div class="error" lang="en" dir="ltr">${escapedHtml(job.error)}</div>`
  return `${escapedHtml(kindName(job.kind, language))}${error}`
}

function state({ words }: Page, job: BoardJob): string {
  return `<span class="${job.status}">${words[job.status]}</span>`
}

function counted({ language }: Page, { done, total }: BoardJob): string {
  const number = new Intl.NumberFormat(language)
  return `${number.format(done)} / ${number.format(total)}`
}

function progress(page: Page, job: BoardJob): string {
  const label = escapedHtml(`${page.words.progress}: ${kindName(job.kind, page.language)}`)
  return `${counted(page, job)}<progress max="${Math.max(1, job.total)}" value="${job.done}" aria-label="${label}"></progress>`
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** How long ago or ahead; the exact moment, of UTC since the page does not know the reader's zone, on hover. */
function moment({ language, now }: Page, at: Date | null): string {
  if (at === null) return '–'
  const ms = at.getTime() - now.getTime()
  const [unit, unitMs] = UNITS.find(([, size]) => Math.abs(ms) >= size) ?? (['second', 1000] as const)
  const text = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(ms / unitMs), unit)
  return `<time datetime="${at.toISOString()}" title="${at.toISOString()}">${text}</time>`
}

function section(title: string, nothing: string, heads: string[], rows: string[][]): string {
  const body =
    rows.length === 0
      ? `<p class="empty">${nothing}</p>`
      : `<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
        <tbody>${rows.map((cells) => `<tr>${cells.map((cell, at) => `<td data-head="${heads[at]}">${cell}</td>`).join('')}</tr>`).join('\n')}</tbody></table></div>`
  return `<section><h2>${title}</h2>${body}</section>`
}

function frame({ language, theme = '' }: Appearance, title: string, body: string): string {
  const direction = language === 'fa' ? 'rtl' : 'ltr'
  const chosen = THEMES.includes(theme) ? ` data-theme="${theme}"` : ''
  return `<!doctype html><html lang="${language}" dir="${direction}"${chosen}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Causeway</title><style>${BOARD_STYLE}</style></head>
<body><main>${body}</main></body></html>`
}
