interface App {
  name: string
  version: string | undefined
}

/** The first product of a user agent: `Happ/3.1 (iPhone)` is Happ in version 3.1. */
export function appOf(userAgent: string | null): App | undefined {
  const [product = ''] = userAgent?.trim().split(' ') ?? []
  if (product === '') return undefined
  const [name = '', ...rest] = product.split('/')
  // Some apps say on what they run after their version.
  const [version = ''] = rest
  return name === '' ? undefined : { name, version: version === '' ? undefined : version }
}
