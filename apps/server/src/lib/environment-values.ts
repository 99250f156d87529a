import { isIP } from 'node:net'
import { z } from 'zod'

// Kinds of values that a configuration by environment has, each with the sentence that refuses a mistake.

export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .transform((value) => (value === undefined ? fallback : value === 'true'))

export const text = z
  .string()
  .optional()
  .transform((value) => value ?? null)

export const checkedText = (isGood: (value: string) => boolean, sentence: string) =>
  text.refine((value) => value === null || isGood(value), sentence)

export const webAddress = (example: string) =>
  checkedText((value) => hasScheme(value, ['http:', 'https:']), `must be an address such as ${example}`)

export const whole = (fallback: number, min: number, max: number) =>
  z
    .string()
    .optional()
    .transform((value) => (value === undefined ? fallback : Number(value)))
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, `must be a whole number from ${min} to ${max}`)

export const list = z
  .string()
  .optional()
  .transform((value) =>
    (value ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )

export const pagePath = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .refine((value) => /^(\/[\w-]+)+$/.test(value), 'must be a path such as /docs')

export function jsonList<T extends z.ZodType>(item: T, sentence: string) {
  return z
    .string()
    .optional()
    .transform((value, context): z.output<T>[] => {
      if (value === undefined) return []
      const parsed = z.array(item).safeParse(parseJson(value))
      if (parsed.success) return parsed.data
      context.addIssue({ code: 'custom', message: sentence })
      return z.NEVER
    })
}

/** A JSON object; empty where nothing is set. */
export function jsonObject<T extends z.ZodType>(form: T, sentence: string) {
  return z
    .string()
    .default('{}')
    .transform((value, context): z.output<T> => {
      const parsed = form.safeParse(parseJson(value))
      if (parsed.success) return parsed.data
      context.addIssue({ code: 'custom', message: sentence })
      return z.NEVER
    })
}

/** A short JSON list of whole numbers. */
export function hours(fallback: readonly number[], isGood: (values: number[]) => boolean, sentence: string) {
  return jsonList(z.number().refine(Number.isInteger), sentence)
    .transform((values) => (values.length === 0 ? [...fallback] : values))
    .refine(isGood, sentence)
}

const CHAT = /^(-?\d{1,20}|@[A-Za-z]\w{3,63})$/
export const chatId = checkedText((value) => CHAT.test(value), 'must be the number of a chat such as -1001234567890')
export const threadId = checkedText((value) => /^\d{0,15}$/.test(value), 'must be the number of a topic')
export const chatPlace = checkedText(
  (value) => /^(-?\d{1,20}|@[A-Za-z]\w{3,63})(:\d{0,15})?$/.test(value),
  'must be a chat such as -1001234567890, or a chat and a topic such as -1001234567890:42',
)

export function hasScheme(address: string, schemes: string[]): boolean {
  return URL.canParse(address) && schemes.includes(new URL(address).protocol) && new URL(address).hostname !== ''
}

export function isDomain(text: string): boolean {
  return /^[^\s:/?#@]+(:\d+)?(\/[^\s?#]*)?$/.test(text) && URL.canParse(`https://${text}`)
}

export function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...rest] = text.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return longest > 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= longest))
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
