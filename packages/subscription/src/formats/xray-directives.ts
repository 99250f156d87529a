import { isObject } from '@causeway/xray'
import type { ProxyEntry } from '../proxy-entry.ts'

// Hosts that an Xray JSON template takes into every configuration, for its balancers and chains. The template says so under a
// key of its own, which is not passed on.

export const DIRECTIVES_KEY = 'remnawave'

const SELECT_FROM = ['ALL', 'HIDDEN', 'NOT_HIDDEN'] as const
const SELECTORS = ['uuids', 'remarkRegex', 'tagRegex', 'sameTagAsRecipient'] as const

type Selector =
  | { type: 'uuids'; values: string[] }
  | { type: 'remarkRegex' | 'tagRegex'; pattern: string }
  | { type: 'sameTagAsRecipient' }

interface Injection {
  selector: Selector
  selectFrom: (typeof SELECT_FROM)[number]
  tagPrefix: string
  tagFrom: 'prefix' | 'remark' | 'hostTag'
}

export interface XrayDirectives {
  /** The host of the configuration stands among the outbounds, too. */
  addsRecipient: boolean
  injections: Injection[]
}

/** Whether a pattern of an administrator matches a text, in a time that grows with the text alone. */
export type Matches = (pattern: string, text: string) => boolean

/** @throws with a sentence that names the place. */
export function readDirectives(value: unknown): XrayDirectives {
  if (value === undefined) return { addsRecipient: false, injections: [] }
  if (!isObject(value)) throw new TypeError(`${DIRECTIVES_KEY} must be an object.`)
  const { injectHosts = [], addVirtualHostAsOutbound = false } = value
  if (!Array.isArray(injectHosts)) throw new TypeError(`${DIRECTIVES_KEY}.injectHosts must be a list.`)
  if (typeof addVirtualHostAsOutbound !== 'boolean')
    throw new TypeError(`${DIRECTIVES_KEY}.addVirtualHostAsOutbound must be true or false.`)
  const injections = injectHosts.map((each: unknown, index) => readInjection(each, `${DIRECTIVES_KEY}.injectHosts[${index}]`))
  return { addsRecipient: addVirtualHostAsOutbound, injections }
}

function readInjection(value: unknown, place: string): Injection {
  if (!isObject(value)) throw new TypeError(`${place} must be an object.`)
  const { selector, selectFrom = 'HIDDEN', tagPrefix = 'proxy', useHostRemarkAsTag, useHostTagAsTag } = value
  const from = SELECT_FROM.find((known) => known === selectFrom)
  if (from === undefined) throw new TypeError(`${place}.selectFrom must be one of ${SELECT_FROM.join(', ')}.`)
  if (typeof tagPrefix !== 'string' || tagPrefix === '') throw new TypeError(`${place}.tagPrefix must be a text.`)
  const tagFrom = useHostRemarkAsTag === true ? 'remark' : useHostTagAsTag === true ? 'hostTag' : 'prefix'
  return { selector: readSelector(selector, `${place}.selector`), selectFrom: from, tagPrefix, tagFrom }
}

function readSelector(value: unknown, place: string): Selector {
  const { type, values, pattern } = isObject(value) ? value : {}
  const known = SELECTORS.find((each) => each === type)
  switch (known) {
    case 'uuids':
      if (!Array.isArray(values) || values.some((uuid) => typeof uuid !== 'string'))
        throw new TypeError(`${place}.values must be a list of uuids of hosts.`)
      return { type: known, values: values.map((uuid) => String(uuid).toLowerCase()) }
    case 'remarkRegex':
    case 'tagRegex':
      if (typeof pattern !== 'string' || pattern === '') throw new TypeError(`${place}.pattern must be a regular expression.`)
      return { type: known, pattern }
    case 'sameTagAsRecipient':
      return { type: known }
    case undefined:
      throw new TypeError(`${place}.type must be one of ${SELECTORS.join(', ')}.`)
  }
}

/** Uuids of hosts that a template names, with their places. */
export function hostsNamedBy(template: unknown): { path: string; uuid: string }[] {
  const { injections } = readDirectives(isObject(template) ? template[DIRECTIVES_KEY] : undefined)
  return injections.flatMap(({ selector }, index) =>
    selector.type === 'uuids'
      ? selector.values.map((uuid, place) => ({
          path: `${DIRECTIVES_KEY}.injectHosts[${index}].selector.values[${place}]`,
          uuid,
        }))
      : [],
  )
}

/** Patterns of a template, with their places. */
export function patternsOf(template: unknown): { path: string; pattern: string }[] {
  const { injections } = readDirectives(isObject(template) ? template[DIRECTIVES_KEY] : undefined)
  return injections.flatMap(({ selector }, index) =>
    'pattern' in selector
      ? [{ path: `${DIRECTIVES_KEY}.injectHosts[${index}].selector.pattern`, pattern: selector.pattern }]
      : [],
  )
}

/** The entries that stand in the configuration of one of them, each with its tag. No tag is one of `taken`. */
export function injectedEntries(
  { addsRecipient, injections }: XrayDirectives,
  recipient: ProxyEntry,
  { shown, hidden, matches }: { shown: readonly ProxyEntry[]; hidden: readonly ProxyEntry[]; matches: Matches },
  taken: ReadonlySet<string>,
): { entry: ProxyEntry; tag: string }[] {
  const tags = new Set(taken)
  const found: { entry: ProxyEntry; tag: string }[] = []
  const add = (entry: ProxyEntry, wanted: string) => {
    let tag = wanted
    for (let number = 2; tags.has(tag); number++) tag = `${wanted}-${number}`
    tags.add(tag)
    found.push({ entry, tag })
  }
  if (addsRecipient) add(recipient, 'proxy')
  for (const { selector, selectFrom, tagPrefix, tagFrom } of injections) {
    const pool = selectFrom === 'ALL' ? [...shown, ...hidden] : selectFrom === 'HIDDEN' ? hidden : shown
    for (const entry of pool) {
      if (entry === recipient || !entry.source || !isSelected(selector, entry.source, recipient, matches)) continue
      add(entry, tagFrom === 'remark' ? entry.remark : tagFrom === 'hostTag' ? (entry.source.tags[0] ?? tagPrefix) : tagPrefix)
    }
  }
  // A configuration without any proxy would carry nothing.
  if (found.length === 0) add(recipient, 'proxy')
  return found
}

function isSelected(
  selector: Selector,
  { uuid, remark, tags }: NonNullable<ProxyEntry['source']>,
  recipient: ProxyEntry,
  matches: Matches,
): boolean {
  switch (selector.type) {
    case 'uuids':
      return selector.values.includes(uuid)
    case 'remarkRegex':
      return matches(selector.pattern, remark)
    case 'tagRegex':
      return tags.some((tag) => matches(selector.pattern, tag))
    case 'sameTagAsRecipient':
      return tags.some((tag) => recipient.source?.tags.includes(tag) === true)
  }
}
