import type { Change } from './delivery.rules.ts'

/** Inbounds that a user has just lost; null stands for all of the node. */
export interface Cut {
  username: string
  tags: string[] | null
}

/**
 * Whose connections end with this change. A user that keeps an inbound keeps its connections, unless the key was renewed: then
 * those of the former key end, which nothing tells apart.
 */
export function cutOf(change: Change): Cut | undefined {
  const { username, before } = change
  if (change.kind === 'remove') return { username, tags: null }
  const { prevVlessUuid, vlessUuid } = change.body.hashData
  const isKeyRenewed = prevVlessUuid !== undefined && prevVlessUuid !== vlessUuid
  const tags = isKeyRenewed ? before : before.filter((tag) => !change.user.tags.includes(tag))
  return tags.length === 0 ? undefined : { username, tags }
}
