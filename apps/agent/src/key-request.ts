import { webcrypto } from 'node:crypto'

const KEY = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

export interface KeyRequest {
  /** Stays on this node. */
  keyPem: string
  /** PKCS #10, signed by the key. The server decides which name the certificate gets. */
  requestPem: string
}

/** Makes a key of this node, and the request to sign it. */
export async function makeRequest(): Promise<KeyRequest> {
  // Loaded when needed: once in two years while an agent runs.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto)
  const keys = await webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
  const request = await x509.Pkcs10CertificateRequestGenerator.create({ name: 'CN=node', keys, signingAlgorithm: KEY })
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { keyPem: x509.PemConverter.encode(key, 'PRIVATE KEY').trimEnd(), requestPem: request.toString('pem') }
}
