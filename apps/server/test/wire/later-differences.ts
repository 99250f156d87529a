/** Routes of other generations that are not served yet; the list only shrinks. */
export const notServed: readonly string[] = []

/** Members of other generations that answers do not carry, and why. `METHOD path member`. */
export const memberDifferences: readonly { at: RegExp; why: string }[] = [
  { at: / resolvedProxyConfigs/, why: 'rawHosts say the same in the form of 2.1 (docs/wire.md 41)' },
  { at: / (\[\]\.)?mapper\./, why: 'hosts have no mapper, so it is empty' },
]
