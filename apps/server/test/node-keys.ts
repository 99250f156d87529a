import type { webcrypto } from 'node:crypto'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

/** A key as a node makes it, with the request to sign it. The name in the request does not count. */
export async function makeNodeKey(namedCurve = 'P-256', name = 'CN=node'): Promise<{ keyPem: string; request: string }> {
  const algorithm = { name: 'ECDSA', namedCurve, hash: 'SHA-256' }
  const keys: webcrypto.CryptoKeyPair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const request = await x509.Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: algorithm })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { keyPem: x509.PemConverter.encode(key, 'PRIVATE KEY'), request: request.toString('pem') }
}
