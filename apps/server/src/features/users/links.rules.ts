import { happCryptoLink } from '../../lib/happ-link.ts'
import { laterOfUser } from '../../ground/later-members.rules.ts'
import { subscriptionUrl } from '../../ground/subscription-url.rules.ts'

type StoredUser = Parameters<typeof laterOfUser>[0] & {
  shortUuid: string
  nodeName: string | null
  nodeCountryCode: string | null
}

/** Makes of a stored user what the wire sends: links, and the node it was last seen on. */
export function toUser<T extends StoredUser>(address: Parameters<typeof subscriptionUrl>[0], origin: string | null, row: T) {
  const { nodeName, nodeCountryCode, lastConnectedNodeUuid: _nodeUuid, ...user } = row
  const url = subscriptionUrl(address, origin, row.shortUuid)
  return {
    ...user,
    ...laterOfUser(row),
    subscriptionUrl: url,
    happ: { cryptoLink: happCryptoLink(url) },
    lastConnectedNode:
      nodeName === null || nodeCountryCode === null || row.onlineAt === null
        ? null
        : { connectedAt: row.onlineAt, nodeName, countryCode: nodeCountryCode },
  }
}
