import type { SearchSchemaInput } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type shell from '../../public/locales/en/shell.json'

export type NavLabel = keyof (typeof shell)['nav']

/** Facts about a page that are needed before its code: beside its feature, as `<word>.route.ts`. */
export interface PageRoute<Path extends string, SearchKey extends string, Client = unknown> {
  /** Below /dashboard. */
  path: Path
  /** The page's name in sidebar and command palette. */
  title: NavLabel
  /** Its texts, loaded beside its code instead of after it. */
  texts: readonly string[]
  /** The search keys that it reads, mostly its open dialogs. Anything else in the address is dropped. */
  search: readonly SearchKey[]
  page: () => Promise<{ default: () => ReactNode }>
  /** Large or volatile data, fetched beside the code on navigation, and not when the page is prefetched. */
  begin?(client: Client, location: Location): void
}

/** Facts of a navigation that a page may use. `client` is the query cache. */
export interface Navigation<Client> {
  cause: 'preload' | 'enter' | 'stay'
  context: { client?: Client }
  location: Location
}

interface Location {
  pathname: string
  search: Record<string, unknown>
}

export function pageRoute<const Path extends string, const SearchKey extends string = never, Client = unknown>(
  page: PageRoute<Path, SearchKey, Client>,
): PageRoute<Path, SearchKey, Client> {
  return page
}

/** Where links to the page lead. */
export function addressOf<Path extends string>({ path }: Pick<PageRoute<Path, string>, 'path'>) {
  return `/dashboard${path}` as const
}

/** Lets through the search keys of these names. */
export function textsNamed<Name extends string>(names: readonly Name[]) {
  return (search: Partial<Record<Name, string>> & SearchSchemaInput): Partial<Record<Name, string>> => {
    const known: Partial<Record<Name, string>> = {}
    for (const name of names) {
      const value: unknown = search[name]
      if (typeof value === 'string') known[name] = value
    }
    return known
  }
}
