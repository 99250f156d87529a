import { isObject, objectAt, textAt, type XrayObject } from '@causeway/xray'
import { pick, shuffle, type Random } from '../subscriber.ts'
import { parseYaml } from '../text/yaml-source.ts'
import { yamlKey, yamlText } from '../text/yaml-text.ts'

/** Where an administrator steers what is added to a group or provider. Removed from the output. */
const controlKey = 'remnawave'
/** Indentation of the members of a group or provider, and of the entries of a list among them. */
const MEMBER = '    '
const ENTRY = '      '
const builtInNames = ['DIRECT', 'REJECT', 'REJECT-DROP', 'PASS', 'COMPATIBLE', 'GLOBAL']

type Addition = 'none' | 'one-random' | 'shuffled' | 'all'

/** A list that each subscription completes: the text up to its key, its own entries and the text behind it. */
interface OpenList {
  head: string
  own: string
  after: string
}

interface Group extends OpenList {
  addition: Addition
}

interface Provider {
  /** Without proxies, for Clash. */
  plain: string
  /** For the others; with a list to complete where the administrator wants one. */
  carrying: string | OpenList
}

type Section =
  | { kind: 'text'; text: string }
  | { kind: 'proxies' }
  | { kind: 'groups' }
  | { kind: 'providers'; providers: Provider[] }

/** A template of the Clash family, read once. Its constant parts are text: a group costs a concatenation per subscription. */
export interface ClashTemplate {
  /** Hidden hosts stand in it, too; Mihomo alone. */
  includesHidden: boolean
  sections: Section[]
  proxies: OpenList
  groups: Group[]
  /** Names of its own proxies and groups, and those built into clients. */
  names: ReadonlySet<string>
}

/** @throws when the text is not YAML or not a map. */
export function compileClash(source: string): ClashTemplate {
  const whole = parseYaml(source)
  if (!isObject(whole)) throw new TypeError('The template must be a YAML map.')
  const { [controlKey]: control, ...root } = whole
  const complete = { ...root, proxies: listOf(root['proxies']), 'proxy-groups': listOf(root['proxy-groups']) }
  return {
    includesHidden: objectAt({ control }, 'control')['includeHiddenHosts'] === true,
    sections: Object.entries(complete).map(([key, value]) => compileSection(key, value)),
    proxies: { head: 'proxies:', own: yamlText(complete.proxies, '  '), after: '' },
    groups: complete['proxy-groups'].map(compileGroup),
    names: new Set([...builtInNames, ...[...complete.proxies, ...complete['proxy-groups']].map((own) => textAt(own, 'name'))]),
  }
}

export interface ClashProxies {
  proxies: readonly XrayObject[]
  names: readonly string[]
  /** Whether providers may carry the proxies; Clash itself does not know that. */
  withProviders: boolean
}

/** Additions to the lists of a template, as text. */
interface Added {
  proxies: string
  /** The same as entries of a list two levels deeper. */
  payload: string
  names: readonly string[]
  allNames: string
  withProviders: boolean
}

/** The YAML of a subscription: the template with the proxies and their names in its open lists. */
export function renderClashTemplate(
  template: ClashTemplate,
  { proxies, names, withProviders }: ClashProxies,
  random: Random,
): string {
  const carries = withProviders && template.sections.some(({ kind }) => kind === 'providers')
  const added: Added = {
    proxies: yamlText(proxies, '  '),
    payload: carries ? yamlText(proxies, ENTRY) : '',
    names: names.map((name) => yamlText([name], ENTRY)),
    allNames: yamlText(names, ENTRY),
    withProviders,
  }
  return template.sections.map((section) => renderSection(section, template, added, random)).join('')
}

function renderSection(section: Section, template: ClashTemplate, added: Added, random: Random): string {
  switch (section.kind) {
    case 'text':
      return section.text
    case 'proxies':
      return completed(template.proxies, added.proxies)
    case 'groups':
      if (template.groups.length === 0) return 'proxy-groups: []\n'
      return `proxy-groups:\n${template.groups.map((group) => completed(group, additions(group.addition, added, random))).join('')}`
    case 'providers':
      return `proxy-providers:\n${section.providers.map((provider) => renderProvider(provider, added)).join('')}`
  }
}

function renderProvider({ plain, carrying }: Provider, { withProviders, payload }: Added): string {
  if (!withProviders) return plain
  return typeof carrying === 'string' ? carrying : completed(carrying, payload)
}

function completed({ head, own, after }: OpenList, added: string): string {
  return `${head}${own === '' && added === '' ? ' []\n' : `\n${own}${added}`}${after}`
}

function additions(addition: Addition, { names, allNames }: Added, random: Random): string {
  switch (addition) {
    case 'none':
      return ''
    case 'one-random':
      return pick(names, random) ?? ''
    case 'shuffled':
      return shuffle(names, random).join('')
    case 'all':
      return allNames
  }
}

function compileSection(key: string, value: unknown): Section {
  if (key === 'proxies') return { kind: 'proxies' }
  if (key === 'proxy-groups') return { kind: 'groups' }
  if (key !== 'proxy-providers' || !isObject(value) || Object.keys(value).length === 0)
    return { kind: 'text', text: yamlText({ [key]: value }) }
  return { kind: 'providers', providers: Object.entries(value).map(([name, members]) => compileProvider(name, members)) }
}

function compileProvider(name: string, members: unknown): Provider {
  const plain = yamlText({ [name]: members }, '  ')
  if (!isObject(members)) return { plain, carrying: plain }
  const { [controlKey]: control, ...rest } = members
  if (objectAt({ control }, 'control')['include-proxies'] !== true) return { plain, carrying: yamlText({ [name]: rest }, '  ') }
  const { before, after } = around(rest, 'payload')
  return { plain, carrying: { head: `  ${yamlKey(name)}:\n${before}${MEMBER}payload:`, own: '', after } }
}

function compileGroup(value: unknown): Group {
  const { [controlKey]: control, ...members } = isObject(value) ? value : {}
  const { before, after } = around(members, 'proxies')
  return {
    head: `  - ${`${before}${MEMBER}proxies:`.slice(MEMBER.length)}`,
    own: yamlText(listOf(members['proxies']), ENTRY),
    after,
    addition: additionOf(objectAt({ control }, 'control')),
  }
}

/** The members before and behind one, which is the last where the map does not have it. */
function around(members: XrayObject, key: string): { before: string; after: string } {
  const entries = Object.entries(members)
  const place = Object.keys(members).indexOf(key)
  const text = (some: [string, unknown][]) => yamlText(Object.fromEntries(some), MEMBER)
  if (place < 0) return { before: text(entries), after: '' }
  return { before: text(entries.slice(0, place)), after: text(entries.slice(place + 1)) }
}

function additionOf(control: XrayObject): Addition {
  if (control['include-proxies'] === false) return 'none'
  if (control['select-random-proxy'] === true) return 'one-random'
  return control['shuffle-proxies-order'] === true ? 'shuffled' : 'all'
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
