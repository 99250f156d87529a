import { isObject, objectAt, textAt, type XrayObject } from '@causeway/xray'
import { pick, shuffle, type Random } from '../subscriber.ts'
import { parseYaml } from '../yaml-source.ts'
import { yamlText } from '../yaml-text.ts'

/** Where an administrator steers what is added to a group or provider. Removed from the output. */
const controlKey = 'remnawave'
const builtInNames = ['DIRECT', 'REJECT', 'REJECT-DROP', 'PASS', 'COMPATIBLE', 'GLOBAL']

type Addition = 'none' | 'one-random' | 'shuffled' | 'all'

interface Group {
  members: XrayObject
  ownProxies: unknown[]
  addition: Addition
}

type Section =
  | { kind: 'text'; text: string }
  | { kind: 'proxies' }
  | { kind: 'groups' }
  | { kind: 'providers'; providers: [string, { members: unknown; hasPayload: boolean }][] }

/** A template of the Clash family, read once; everything that never changes is already text. */
export interface ClashTemplate {
  sections: Section[]
  ownProxies: unknown[]
  groups: Group[]
  /** Names that its own proxies and groups have, and those that clients have by themselves. */
  names: ReadonlySet<string>
}

/** @throws when the text is not YAML or not a map. */
export function compileClash(source: string): ClashTemplate {
  const root = parseYaml(source)
  if (!isObject(root)) throw new TypeError('The template must be a YAML map.')
  const complete = { ...root, proxies: listOf(root['proxies']), 'proxy-groups': listOf(root['proxy-groups']) }
  return {
    sections: Object.entries(complete).map(([key, value]) => compileSection(key, value)),
    ownProxies: complete.proxies,
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

/** The YAML of a subscription: the template with the proxies and their names where it asks for them. */
export function renderClashTemplate(template: ClashTemplate, added: ClashProxies, random: Random): string {
  const all = [...template.ownProxies, ...added.proxies]
  return template.sections.map((section) => renderSection(section, template, all, added, random)).join('')
}

function renderSection(section: Section, template: ClashTemplate, all: unknown[], added: ClashProxies, random: Random): string {
  switch (section.kind) {
    case 'text':
      return section.text
    case 'proxies':
      return yamlText({ proxies: all })
    case 'groups':
      return yamlText({ 'proxy-groups': template.groups.map((group) => renderGroup(group, added.names, random)) })
    case 'providers':
      return yamlText({ 'proxy-providers': Object.fromEntries(section.providers.map((entry) => renderProvider(entry, added))) })
  }
}

function renderGroup(group: Group, names: readonly string[], random: Random): XrayObject {
  return { ...group.members, proxies: [...group.ownProxies, ...additions(group.addition, names, random)] }
}

function additions(addition: Addition, names: readonly string[], random: Random): readonly string[] {
  switch (addition) {
    case 'none':
      return []
    case 'one-random': {
      const name = pick(names, random)
      return name === undefined ? [] : [name]
    }
    case 'shuffled':
      return shuffle(names, random)
    case 'all':
      return names
  }
}

function renderProvider(
  [name, provider]: [string, { members: unknown; hasPayload: boolean }],
  added: ClashProxies,
): [string, unknown] {
  const { members, hasPayload } = provider
  if (!added.withProviders || !isObject(members)) return [name, members]
  const { [controlKey]: _control, ...rest } = members
  return [name, hasPayload ? { ...rest, payload: added.proxies } : rest]
}

function compileSection(key: string, value: unknown): Section {
  if (key === 'proxies') return { kind: 'proxies' }
  if (key === 'proxy-groups') return { kind: 'groups' }
  if (key !== 'proxy-providers' || !isObject(value)) return { kind: 'text', text: yamlText({ [key]: value }) }
  const providers = Object.entries(value).map(([name, members]): [string, { members: unknown; hasPayload: boolean }] => {
    return [name, { members, hasPayload: objectAt(members, controlKey)['include-proxies'] === true }]
  })
  return { kind: 'providers', providers }
}

function compileGroup(value: unknown): Group {
  const { [controlKey]: _control, ...members } = isObject(value) ? value : {}
  return { members, ownProxies: listOf(members['proxies']), addition: additionOf(objectAt(value, controlKey)) }
}

function additionOf(control: XrayObject): Addition {
  if (control['include-proxies'] === false) return 'none'
  if (control['select-random-proxy'] === true) return 'one-random'
  return control['shuffle-proxies-order'] === true ? 'shuffled' : 'all'
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
