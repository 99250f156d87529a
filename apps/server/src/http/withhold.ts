import type { Permission, Reserved } from '@causeway/contract'

/** Whether a caller with these permissions may see everything in such an answer. */
export function seesAll(reserved: Reserved, permissions: ReadonlySet<Permission>): boolean {
  if (reserved.permission !== undefined && !permissions.has(reserved.permission)) return false
  return [...(reserved.fields?.values() ?? []), ...(reserved.items ? [reserved.items] : [])].every((each) =>
    seesAll(each, permissions),
  )
}

/** The answer without what this caller may not see. Others may be given the same answer, so it is left as it is. */
export function withhold(answer: unknown, reserved: Reserved, permissions: ReadonlySet<Permission>): unknown {
  const { permission, empty, fields, items } = reserved
  if (permission !== undefined && !permissions.has(permission)) return answer === undefined ? undefined : empty
  if (answer === null || typeof answer !== 'object') return answer
  if (Array.isArray(answer)) return items ? answer.map((each) => withhold(each, items, permissions)) : answer
  const entries = Object.entries(answer).map(([name, value]) => {
    const inner = fields?.get(name) ?? items
    return [name, inner ? withhold(value, inner, permissions) : value]
  })
  return Object.fromEntries(entries)
}
