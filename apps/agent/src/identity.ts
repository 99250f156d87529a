import { agentPayload, type AgentPayload, type SignedIdentity } from '@causeway/contract/agent'
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { makeRequest, type KeyRequest } from './key-request.ts'
import { writeAtomically } from './xray/core-files.ts'

/** Throws unless certificate, key and authority belong together. */
export function assertWhole({ nodeCertPem, nodeKeyPem, caCertPem, jwtPublicKey }: AgentPayload): void {
  const certificate = new X509Certificate(nodeCertPem)
  const authority = new X509Certificate(caCertPem)
  if (!certificate.checkPrivateKey(createPrivateKey(nodeKeyPem))) throw new Error('another key')
  if (!certificate.verify(authority.publicKey)) throw new Error('another authority')
  if (createPublicKey(jwtPublicKey).asymmetricKeyType !== 'rsa') throw new Error('another kind of key')
}

/** The file in the data folder that holds what is not in the environment. */
export function identityFile(folder: string): string {
  return path.join(folder, 'identity.json')
}

/** The identity in the data folder. @throws Error where it is unreadable */
export function readIdentity(folder: string): AgentPayload | undefined {
  const file = identityFile(folder)
  if (!existsSync(file)) return undefined
  const kept = agentPayload.parse(JSON.parse(readFileSync(file, 'utf8')))
  assertWhole(kept)
  return kept
}

/** The uuid of the node that a certificate names; those in secret keys name none. */
export function nodeOf(certPem: string): string | undefined {
  return /URI:urn:uuid:([0-9a-f-]{36})/.exec(new X509Certificate(certPem).subjectAltName ?? '')?.[1]
}

/**
 * The agent's identity. One whose key this node has made itself lies in the data folder and takes precedence. Else it is the secret
 * copied to the node, until the server sends a newer certificate, which is kept there too. A secret that is copied later, or is
 * another server's, takes precedence again.
 */
export class Identity {
  #payload: AgentPayload
  #request: KeyRequest | undefined
  readonly #file: string

  /** @throws Error where there is neither a secret nor a kept identity */
  constructor(given: AgentPayload | undefined, folder: string, log: Logger) {
    this.#file = identityFile(folder)
    const payload = keptOver(given, folder, log) ?? given
    if (!payload) throw new Error(`${this.#file} is missing or unreadable. Let this node join anew, or set SECRET_KEY.`)
    this.#payload = payload
  }

  get payload(): AgentPayload {
    return this.#payload
  }

  /** Takes a newer certificate of the same authority, with its key. @throws when it is none */
  renew(next: AgentPayload): void {
    if (this.#node !== undefined) throw new Error('this node makes its keys itself')
    this.#replace(next)
  }

  /** Makes the next key of a node that makes its keys itself, and gives the request to sign it. @throws on other nodes */
  async request(): Promise<string> {
    if (this.#node === undefined) throw new Error('the key of this node came with its secret key')
    this.#request = await makeRequest()
    return this.#request.requestPem
  }

  /** Takes the certificate for the newest request. @throws when it is none of this node */
  take(signed: SignedIdentity): void {
    if (!this.#request) throw new Error('nothing was asked for')
    const next = { ...signed, nodeKeyPem: this.#request.keyPem }
    if (nodeOf(next.nodeCertPem) !== this.#node) throw new Error('another node')
    this.#replace(next)
    this.#request = undefined
  }

  get #node(): string | undefined {
    return nodeOf(this.#payload.nodeCertPem)
  }

  #replace(next: AgentPayload): void {
    assertWhole(next)
    if (next.jwtPublicKey !== this.#payload.jwtPublicKey) throw new Error('another server')
    if (!isOfSameKey(next.caCertPem, this.#payload.caCertPem)) throw new Error('another authority')
    if (endOf(next) <= endOf(this.#payload)) throw new Error('it does not last longer')
    writeAtomically(this.#file, JSON.stringify(next))
    this.#payload = next
  }
}

function keptOver(given: AgentPayload | undefined, folder: string, log: Logger): AgentPayload | undefined {
  try {
    const kept = readIdentity(folder)
    if (!kept || !given) return kept
    const isOfSameServer = kept.jwtPublicKey === given.jwtPublicKey && isOfSameKey(kept.caCertPem, given.caCertPem)
    const isNewer = nodeOf(kept.nodeCertPem) !== undefined || endOf(kept) > endOf(given)
    return isOfSameServer && isNewer ? kept : undefined
  } catch (error) {
    log.warn({ err: error, file: identityFile(folder) }, 'renewed certificate unreadable; using the one in SECRET_KEY')
    return undefined
  }
}

function endOf({ nodeCertPem }: AgentPayload): number {
  return new X509Certificate(nodeCertPem).validToDate.getTime()
}

function isOfSameKey(one: string, other: string): boolean {
  const [first, second] = [one, other].map((pem) => new X509Certificate(pem).publicKey)
  return first !== undefined && second !== undefined && first.equals(second)
}
