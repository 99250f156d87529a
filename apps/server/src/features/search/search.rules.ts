import { isUuid } from '@causeway/contract'

/** Possible meanings of a typed text. */
export interface SearchTerms {
  /** Trimmed, as typed: matched anywhere in names. */
  text: string
  /** Could be a short uuid: as typed, or the end of a subscription link. */
  shortUuid: string | undefined
  uuid: string | undefined
  telegramId: number | undefined
  /** The key of a VLESS link, or a uuid that may be one. */
  vlessUuid: string | undefined
}

/** Shorter texts are in too many names to be looked for in their midst. */
const SHORTEST_PART = 3

/** Characters of links, at any length ever given out. */
const SHORT_UUID = /^[\w-]{6,64}$/
const VLESS_LINK = /^vless:\/\/([0-9a-f-]{36})@/i
const TELEGRAM_ID = /^[1-9]\d{0,14}$/

/** Reads a text as people paste it: with blanks around it, as a whole link, with the name of an app's format behind it. */
export function searchTerms(typed: string): SearchTerms | undefined {
  const text = typed.replaceAll('\0', '').trim()
  if (text === '') return undefined
  const key = VLESS_LINK.exec(text)?.[1]
  const linked = shortUuidOfLink(text)
  return {
    text: key ?? linked ?? text,
    shortUuid: linked ?? (SHORT_UUID.test(text) ? text : undefined),
    uuid: isUuid(text) ? text : undefined,
    telegramId: TELEGRAM_ID.test(text) ? Number(text) : undefined,
    vlessUuid: [key, text].find((one) => one !== undefined && isUuid(one)),
  }
}

/** `https://panel/api/sub/<short>`, `https://sub.example.com/<short>/json#name` and what else a link may look like. */
function shortUuidOfLink(text: string): string | undefined {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) return undefined
  const segments = new URL(text).pathname.split('/').filter((segment) => segment !== '')
  const start = segments[0] === 'api' && segments[1] === 'sub' ? 2 : 0
  return segments.slice(start).find((segment) => segment !== 'outline' && SHORT_UUID.test(segment))
}

/**
 * Whether the index on parts of three characters narrows a search for this text anywhere in a name. It knows words of letters
 * and digits, with two blanks before and one behind; a text of other signs only would be compared with every user.
 */
export function hasIndexedPart(text: string): boolean {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].some(({ 0: word, index }) => {
    const before = index > 0 ? 2 : 0
    const behind = index + word.length < text.length ? 1 : 0
    return before + Array.from(word).length + behind >= SHORTEST_PART
  })
}

/** The text as a pattern of LIKE that matches itself. */
export function likeText(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
