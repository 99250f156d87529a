import { happCryptoLink } from '../../lib/happ-link.ts'
import { subscriptionUrl } from '../../ground/subscription-url.rules.ts'

interface StoredUser {
  shortUuid: string
  onlineAt: Date | null
  nodeName: string | null
  nodeCountryCode: string | null
}

/** Makes of a stored user what the wire sends: links, and the node it was last seen on. */
export function toUser<T extends StoredUser>(address: Parameters<typeof subscriptionUrl>[0], origin: string | null, row: T) {
  const { nodeName, nodeCountryCode, ...user } = row
  const url = subscriptionUrl(address, origin, row.shortUuid)
  return {
    ...user,
    subscriptionUrl: url,
    happ: { cryptoLink: happCryptoLink(url) },
    lastConnectedNode:
      nodeName === null || nodeCountryCode === null || row.onlineAt === null
        ? null
        : { connectedAt: row.onlineAt, nodeName, countryCode: nodeCountryCode },
  }
}
