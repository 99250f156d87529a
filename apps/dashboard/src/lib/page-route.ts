import type { SearchSchemaInput } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type shell from '../../public/locales/en/shell.json'

export type NavLabel = keyof (typeof shell)['nav']

/** What is to be known of a page before anybody goes there; it lies beside its feature, as `<word>.route.ts`. */
export interface PageRoute<Path extends string, SearchKey extends string, Client = unknown> {
  /** Below /dashboard. */
  path: Path
  /** What the sidebar and the command palette call it. */
  title: NavLabel
  /** Its texts, loaded beside its code instead of after it. */
  texts: readonly string[]
  /** The search keys that it reads, mostly its open dialogs. Anything else in the address is dropped. */
  search: readonly SearchKey[]
  page: () => Promise<{ default: () => ReactNode }>
  /** What is large or of this moment, begun beside the code when somebody goes there, and not when the page is fetched ahead. */
  begin?(client: Client, location: Location): void
}

/** What of going somewhere a page may know. `client` keeps what pages read. */
export interface Going<Client> {
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
