/** As many as a chart has hues. */
export const MOST_COMPARED = 6
const FEWEST_COMPARED = 2

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The things that an address names, in its order. The others are compared with the first. */
export function idsOf(text: unknown): string[] {
  if (typeof text !== 'string') return []
  return [...new Set(text.toLowerCase().split(','))].filter((id) => UUID.test(id)).slice(0, MOST_COMPARED)
}

export function isComparable(count: number): boolean {
  return count >= FEWEST_COMPARED && count <= MOST_COMPARED
}

/** The days of an address, where they are offered. */
export function daysOf(text: unknown, offered: readonly number[], otherwise: number): number {
  return offered.find((days) => String(days) === text) ?? otherwise
}

export type Difference =
  | { is: 'same' | 'nearlySame' }
  /** `part` of the base, above 0. */
  | { is: 'more' | 'less'; part: number }
  | { is: 'times'; times: number }
  /** The base is nothing, of which nothing is a part. */
  | { is: 'only' }

/** From here on "3 times as much" is read more easily than "200 % more". */
const TIMES_FROM = 2
/** Half a percent would be written as none. */
const NEARLY = 0.005

/** The difference of a figure to that of the base; neither is negative. */
export function differenceOf(figure: number, base: number): Difference {
  if (figure === base) return { is: 'same' }
  if (base === 0) return { is: 'only' }
  const part = Math.abs(figure - base) / base
  if (part < NEARLY) return { is: 'nearlySame' }
  if (figure >= base * TIMES_FROM) return { is: 'times', times: figure / base }
  return { is: figure > base ? 'more' : 'less', part }
}

/** The day with the most, by its place; none where nothing moved. */
export function busiestOf(values: readonly number[]): number | undefined {
  const most = Math.max(0, ...values)
  return most === 0 ? undefined : values.indexOf(most)
}
