interface PublicAddress {
  SUB_PUBLIC_DOMAIN: string | null
  PUBLIC_URL: string | null
}

const SUBSCRIPTION_PATH = '/api/sub'

/**
 * Builds a subscriber's link: on the public subscription domain where one is configured, else at the panel's own
 * address (docs/wire.md 14). `origin` is the request's own, for installations that configure neither.
 */
export function subscriptionUrl(address: PublicAddress, origin: string | null, shortUuid: string): string {
  const key = encodeURIComponent(shortUuid)
  if (address.SUB_PUBLIC_DOMAIN) return `https://${withoutSlash(address.SUB_PUBLIC_DOMAIN)}/${key}`
  return `${withoutSlash(address.PUBLIC_URL ?? origin ?? '')}${SUBSCRIPTION_PATH}/${key}`
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, '')
}
