import { readFileSync } from 'node:fs'
import path from 'node:path'

// Facts about other generations of the wire, in a form of our own: which routes they have, and which members their requests and
// answers name.

export interface KnownRoute {
  method: string
  path: string
  /** The same for every name of a parameter. */
  key: string
  /** Members of requests and of answers, as `users[].userTraffic.onlineAt`. */
  sent: string[]
  answered: string[]
}

export const versions = ['2.1.19', '2.8.1', '3.3.2', '3.4.4'] as const

export function routesOf(version: (typeof versions)[number]): KnownRoute[] {
  const routes: KnownRoute[] = []
  for (const line of readFileSync(path.join(import.meta.dirname, `generations/${version}.txt`), 'utf8').split('\n')) {
    const [first = '', ...rest] = line.split(' ')
    const last = routes.at(-1)
    if (first === '>') last?.sent.push(...rest)
    else if (first === '<') last?.answered.push(...rest)
    else if (first !== '#' && first !== '')
      routes.push({ method: first, path: rest[0] ?? '', key: keyOf(first, rest[0] ?? ''), sent: [], answered: [] })
  }
  return routes
}

export function keyOf(method: string, url: string): string {
  return `${method} ${url.replaceAll(/:\w+/g, ':').replace(/\/$/, '')}`
}
