/** Where subscriptions are reached: an origin with scheme, or `https://` and the public domain with an optional path. */
export function subscriptionUrl(base: string, shortUuid: string): string {
  return `${base}/${shortUuid}`
}

/** The address as info and raw answers show it: with the user name behind it where the settings say so. */
export function shownSubscriptionUrl(url: string, username: string, withUsername: boolean): string {
  return withUsername ? `${url}#${username}` : url
}
