import type { ClientType } from '@causeway/contract'
import type { OldLinks } from './archive/kinds.ts'
import type { Findings } from './findings.ts'

const PATH = /^(\/[\w.~-]+)+$/
/** First words of addresses that the server and its dashboard use. */
const IN_USE = new Set([
  '.well-known',
  'api',
  'assets',
  'auth',
  'dashboard',
  'docs',
  'health',
  'locales',
  'metrics',
  'queues',
  'scalar',
  'schemas',
])

/** Gathers paths of old links, without those that cannot be served. */
export class OldLinkPaths {
  readonly paths: OldLinks['paths'] = []
  readonly #findings: Findings

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** `place`: a path, or an address with one. */
  add(place: string, clientType: ClientType | null): void {
    const path = pathOf(place)
    if (path === undefined) {
      this.#findings.note('linkPath', `the path ${place}`)
      return
    }
    // The router does not tell cases apart.
    if (this.paths.some((held) => held.path.toLowerCase() === path.toLowerCase())) return
    this.paths.push({ path, clientType })
  }
}

/** The path of links at a place; undefined where it cannot be served. */
export function pathOf(place: string): string | undefined {
  const path = `/${(partsOfAddress(place)?.path ?? place).split('/').filter(Boolean).join('/')}`
  const [, first = ''] = path.split('/')
  return PATH.test(path) && !path.split('/').some((part) => part === '.' || part === '..') && !IN_USE.has(first.toLowerCase())
    ? path
    : undefined
}

/** Host and path of an address with a scheme. */
export function partsOfAddress(text: string): { host: string; path: string } | undefined {
  const [, host, path = ''] = /^[a-z]+:\/\/([^/:?#]+)(?::\d+)?([^?#]*)/i.exec(text) ?? []
  return host === undefined ? undefined : { host, path }
}
