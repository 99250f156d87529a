import { base64 } from './text/text-encoding.ts'

/** Whether the app that asks is Happ, by the beginning of its name. */
export function isHapp(userAgent: string): boolean {
  return userAgent.startsWith('Happ/')
}

/** The description of a host as Happ reads it, behind the fragment of a link. */
export function encodedDescription(description: string | null): string {
  return description ? base64(description) : ''
}
