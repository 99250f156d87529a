import { languageNow, LANGUAGES } from '../lib/languages.ts'
import { callHeaders, sessionToken } from './credentials.ts'

// Requests the data of a page's first screen before its code has loaded: its texts, and the API reads of its last
// visit at the same address. A later read of the same data takes the pending answer.

const STORAGE_KEY = 'firstReads'
/** Addresses that are remembered, the last opened first. */
const ADDRESSES = 20
/** Of one address. */
const READS = 8
/** How long after the first read others belong to the first screen. */
const FIRST_MS = 1000
/** An unused answer of this age is too old to be shown. */
const OLD_AFTER_MS = 10_000

const underWay = new Map<string, Promise<Response>>()
let askedAt = 0
/** Of the address with which everything was loaded; it may lead on to another one. */
let noted: { address: string; urls: string[] } | undefined

export function askAhead(): void {
  askedAt = performance.now()
  for (const path of textPaths()) ask(path)
  if (sessionToken() === null) return
  for (const file of panelFiles()) fetchScript(file)
  for (const url of remembered()[currentPath()] ?? []) ask(url, { headers: callHeaders() })
}

/** The answer that is under way, if there is one. */
export function takeAhead(url: string): Promise<Response> | undefined {
  const found = underWay.get(url)
  underWay.delete(url)
  return performance.now() < askedAt + OLD_AFTER_MS ? found : undefined
}

/** Notes what is read with the first read or soon after it: that is the first screen. */
export function noteRead(url: string): void {
  if (noted?.urls.length === 0) setTimeout(keepFirstReads, FIRST_MS)
  if (noted && noted.urls.length < READS && !noted.urls.includes(url)) noted.urls.push(url)
}

export function noteFirstReads(): void {
  if (sessionToken() !== null) noted = { address: currentPath(), urls: [] }
}

/** For the next time. */
function keepFirstReads(): void {
  if (!noted) return
  // A page writes into the address what it shows: it may be opened by either.
  const { address, urls } = noted
  const own = [...new Set([address, currentPath()])]
  const others = Object.entries(remembered()).filter(([one]) => !own.includes(one))
  const kept = [...own.map((one) => [one, urls] as const), ...others].slice(0, ADDRESSES)
  localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(kept)))
  noted = undefined
}

/** The next one to sign in may look for other things. */
export function forgetFirstReads(): void {
  noted = undefined
  underWay.clear()
  localStorage.removeItem(STORAGE_KEY)
}

function ask(url: string, init: RequestInit = {}): void {
  const answer = fetch(url, init)
  // The reader of the answer gets the error.
  answer.catch(() => undefined)
  underWay.set(url, answer)
}

function currentPath(): string {
  return location.pathname + location.search
}

function textPaths(): string[] {
  const names = document.querySelector<HTMLScriptElement>('script[data-texts]')?.dataset['texts']?.split(' ') ?? []
  const wanted = languageNow().split('-')[0]
  const languages = LANGUAGES.map(({ code }) => code).filter((code) => code === wanted || code === 'en')
  return languages.flatMap((language) => names.map((name) => `/locales/${language}/${name}.json`))
}

/** Where the page's head does not name the panel, as others sign in there first. */
function panelFiles(): string[] {
  return document.querySelector<HTMLScriptElement>('script[data-panel]')?.dataset['panel']?.split(' ') ?? []
}

function fetchScript(href: string): void {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.crossOrigin = ''
  link.href = href
  document.head.append(link)
}

function remembered(): Record<string, string[]> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return isRemembered(kept) ? kept : {}
  } catch {
    return {}
  }
}

function isRemembered(kept: unknown): kept is Record<string, string[]> {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    Object.values(kept).every(
      (urls) => Array.isArray(urls) && urls.every((url) => typeof url === 'string' && url.startsWith('/api/')),
    )
  )
}
