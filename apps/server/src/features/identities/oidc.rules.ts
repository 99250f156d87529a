import type { BuiltInRole } from '@causeway/contract'

// Reads the claims of OpenID Connect, without I/O.

export type Claims = Readonly<Record<string, unknown>>

export interface Admission {
  allowedEmails: readonly string[]
  /** Claims of which one value each must be there. */
  admit: Readonly<Record<string, readonly string[]>>
  roleClaim: string | null
  /** Values of that claim, the highest first, and the role of each. */
  roles: Readonly<Record<string, BuiltInRole>>
}

export interface Person {
  label: string
  /** Its verified address. */
  email: string | undefined
  role: BuiltInRole | undefined
}

/** The person of these claims, or why the settings do not admit it. */
export function personOf(
  claims: Claims,
  admission: Admission,
): Person | { problem: 'emailUnverified' | 'notAdmitted' | 'noRole' } {
  const { allowedEmails, admit, roleClaim, roles } = admission
  const given = textOf(claims['email'])
  const email = claims['email_verified'] === true ? given?.toLowerCase() : undefined
  if (allowedEmails.length > 0) {
    if (given !== undefined && email === undefined) return { problem: 'emailUnverified' }
    if (email === undefined || !allowedEmails.some((each) => each.toLowerCase() === email)) return { problem: 'notAdmitted' }
  }
  const isAdmitted = Object.entries(admit).every(([claim, values]) =>
    valuesOf(claims[claim]).some((value) => values.includes(value)),
  )
  if (!isAdmitted) return { problem: 'notAdmitted' }
  const role = roleClaim === null ? undefined : roleOf(valuesOf(claims[roleClaim]), roles)
  if (roleClaim !== null && role === undefined) return { problem: 'noRole' }
  const label = email ?? textOf(claims['preferred_username']) ?? textOf(claims['name']) ?? String(claims['sub'])
  return { label, email, role }
}

function roleOf(held: readonly string[], roles: Admission['roles']): BuiltInRole | undefined {
  return Object.entries(roles).find(([value]) => held.includes(value))?.[1]
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Providers give one value as text, several as a list. */
function valuesOf(claim: unknown): string[] {
  const list: unknown[] = Array.isArray(claim) ? claim : [claim]
  return list.filter((value) => typeof value === 'string')
}
