import { agentPayload, type AgentPayload } from '@causeway/contract'
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { writeAtomically } from './xray/core-files.ts'

/** Throws unless certificate, key and authority belong together. */
export function assertWhole({ nodeCertPem, nodeKeyPem, caCertPem, jwtPublicKey }: AgentPayload): void {
  const certificate = new X509Certificate(nodeCertPem)
  const authority = new X509Certificate(caCertPem)
  if (!certificate.checkPrivateKey(createPrivateKey(nodeKeyPem))) throw new Error('another key')
  if (!certificate.verify(authority.publicKey)) throw new Error('another authority')
  if (createPublicKey(jwtPublicKey).asymmetricKeyType !== 'rsa') throw new Error('another kind of key')
}

/**
 * The agent's identity: the secret copied to the node, until the server sends a newer certificate, which is kept in
 * the data folder. A secret that is copied later, or is another server's, takes precedence again.
 */
export class Identity {
  #payload: AgentPayload
  readonly #file: string

  constructor(given: AgentPayload, folder: string, log: Logger) {
    this.#file = path.join(folder, 'identity.json')
    this.#payload = this.#kept(given, log) ?? given
  }

  get payload(): AgentPayload {
    return this.#payload
  }

  /** Takes a newer certificate of the same authority. @throws when it is none */
  renew(next: AgentPayload): void {
    assertWhole(next)
    if (next.jwtPublicKey !== this.#payload.jwtPublicKey) throw new Error('another server')
    if (!isOfSameKey(next.caCertPem, this.#payload.caCertPem)) throw new Error('another authority')
    if (endOf(next) <= endOf(this.#payload)) throw new Error('it does not last longer')
    writeAtomically(this.#file, JSON.stringify(next))
    this.#payload = next
  }

  #kept(given: AgentPayload, log: Logger): AgentPayload | undefined {
    if (!existsSync(this.#file)) return undefined
    try {
      const kept = agentPayload.parse(JSON.parse(readFileSync(this.#file, 'utf8')))
      assertWhole(kept)
      const isOfSameServer = kept.jwtPublicKey === given.jwtPublicKey && isOfSameKey(kept.caCertPem, given.caCertPem)
      return isOfSameServer && endOf(kept) > endOf(given) ? kept : undefined
    } catch (error) {
      log.warn({ err: error, file: this.#file }, 'renewed certificate unreadable; using the one in SECRET_KEY')
      return undefined
    }
  }
}

function endOf({ nodeCertPem }: AgentPayload): number {
  return new X509Certificate(nodeCertPem).validToDate.getTime()
}

function isOfSameKey(one: string, other: string): boolean {
  const [first, second] = [one, other].map((pem) => new X509Certificate(pem).publicKey)
  return first !== undefined && second !== undefined && first.equals(second)
}
