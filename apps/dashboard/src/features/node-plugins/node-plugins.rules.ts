import type { PluginConfig } from '@causeway/contract'

export const PARTS = ['torrentBlocker', 'ingressFilter', 'egressFilter', 'connectionDrop', 'preStart'] as const
export type PluginPart = (typeof PARTS)[number]

/** Parts that are switched on. */
export const partsOn = (config: PluginConfig | null): PluginPart[] => PARTS.filter((part) => config?.[part]?.enabled === true)

/** Entries of a text, one in each line or between commas. */
export function entriesOf(text: string): string[] {
  return [...new Set(text.split(/[\n,;]+/).map((entry) => entry.trim()))].filter((entry) => entry !== '')
}

/** Whole numbers of a list of words; words that are none are left out. */
export const numbersOf = (words: readonly string[]): number[] =>
  words.map(Number).filter((number) => Number.isInteger(number) && number > 0)

/** The plugin of a text, or what is wrong with it. */
export function readJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
