import type { HashPayload, InboundHash } from '@causeway/contract/agent'
import { HashedSet } from '@causeway/xray'
import { type ClientChange, configuredClients, userTags, type XrayConfig } from './config.ts'

interface TrackedInbound {
  ids: HashedSet
  /** E-mail in lower case, as Xray compares it, to the id counted in the hash. */
  idOfName: Map<string, string>
}

/**
 * The users of the core, as far as start requests are concerned (docs/wire.md 23 and 25). An inbound is tracked while
 * it has users. Agents of the 2.1 generation remove the id that the caller names. This one removes the id that it
 * knows under that user name, so that a wrong hint cannot make the hash differ from the core.
 */
export class TrackedUsers {
  readonly emptyConfig: string
  readonly #inbounds = new Map<string, TrackedInbound>()
  readonly #userTags: Set<string>

  /** `tags`: the inbounds the server counts, which are those with users. */
  constructor(config: XrayConfig, emptyConfig: string, tags: Iterable<string>) {
    this.emptyConfig = emptyConfig
    this.#userTags = new Set(userTags(config))
    const wanted = new Set(tags)
    for (const { tag } of config.inbounds ?? []) {
      if (!tag || !wanted.has(tag)) continue
      const inbound = this.#inbound(tag)
      for (const { id, email } of configuredClients(config, tag)) {
        if (id === undefined) continue
        inbound.ids.add(id)
        if (email !== undefined) inbound.idOfName.set(email.toLowerCase(), id)
      }
    }
  }

  /** Inbounds a user may be in: those that carry users, and those that had a user added live. */
  get tags(): string[] {
    return [...new Set([...this.#userTags, ...this.#inbounds.keys()])]
  }

  get trackedTags(): string[] {
    return [...this.#inbounds.keys()]
  }

  get hashes(): HashPayload {
    const inbounds: InboundHash[] = [...this.#inbounds].map(([tag, { ids }]) => ({ tag, usersCount: ids.size, hash: ids.hash }))
    return { emptyConfig: this.emptyConfig, inbounds }
  }

  apply(change: ClientChange): void {
    if (change.kind === 'add') {
      const inbound = this.#inbound(change.tag)
      const name = change.client.email.toLowerCase()
      this.#forget(inbound, name)
      inbound.ids.add(change.client.hashId)
      inbound.idOfName.set(name, change.client.hashId)
      return
    }
    const inbound = this.#inbounds.get(change.tag)
    if (!inbound) return
    this.#forget(inbound, change.username.toLowerCase())
    if (inbound.ids.size === 0) this.#inbounds.delete(change.tag)
  }

  #forget(inbound: TrackedInbound, name: string): void {
    const id = inbound.idOfName.get(name)
    if (id === undefined) return
    inbound.ids.remove(id)
    inbound.idOfName.delete(name)
  }

  #inbound(tag: string): TrackedInbound {
    let inbound = this.#inbounds.get(tag)
    if (!inbound) {
      inbound = { ids: new HashedSet(), idOfName: new Map() }
      this.#inbounds.set(tag, inbound)
    }
    return inbound
  }
}

/** Why a start request needs a new core; undefined when the running one is what it asks for (docs/wire.md 23). */
export function restartReason(running: HashPayload, wanted: HashPayload): string | undefined {
  if (running.emptyConfig !== wanted.emptyConfig) return 'the configuration changed'
  if (running.inbounds.length !== wanted.inbounds.length) return 'other inbounds have users'
  const hashes = new Map(wanted.inbounds.map(({ tag, hash }) => [tag, hash]))
  const different = running.inbounds.find(({ tag, hash }) => hashes.get(tag) !== hash)
  return different && `the users of inbound ${different.tag} changed`
}
