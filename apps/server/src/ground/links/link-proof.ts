import { verify, X509Certificate } from 'node:crypto'
import { LINK_PROOF_MS, LINK_SCHEME, linkProofText } from '@causeway/contract'
import { namedNode } from '../node-identity.rules.ts'

/** The proof of an agent that asks to hold a connection. */
export interface LinkProof {
  fingerprint: string
  /** The clock of the node and that of this server differ too much for the proof to count. */
  isClockWrong: boolean
}

/**
 * Reads the header of a call: certificate, time and signature of both. Undefined where it does not prove that the key of a
 * certificate of this node, signed by this authority, is there.
 */
export function readLinkProof(header: string | undefined, uuid: string, caCertPem: string, now: Date): LinkProof | undefined {
  const [scheme, text = ''] = (header ?? '').split(' ')
  const [certificate, time, signature] = text.split('.')
  if (scheme !== LINK_SCHEME || !certificate || !time || !signature) return undefined
  try {
    const shown = new X509Certificate(Buffer.from(certificate, 'base64url'))
    const at = Number(time)
    const signed = Buffer.from(linkProofText(uuid, at))
    if (namedNode(shown.subjectAltName) !== uuid || !shown.verify(new X509Certificate(caCertPem).publicKey)) return undefined
    if (!verify('sha256', signed, shown.publicKey, Buffer.from(signature, 'base64url'))) return undefined
    return {
      fingerprint: shown.fingerprint256.replaceAll(':', '').toLowerCase(),
      isClockWrong: !(Math.abs(now.getTime() - at) <= LINK_PROOF_MS),
    }
  } catch {
    return undefined // a text that is no certificate
  }
}
