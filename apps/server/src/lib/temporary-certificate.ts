import { webcrypto } from 'node:crypto'
// The certificate library's dependency injection needs this, and it must come first.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

const SIGNATURE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const LIFETIME_MS = 30 * 86_400_000

/** A certificate that vouches for itself, for the time before there is a real one. */
export async function makeTemporaryCertificate(names: readonly string[], now: Date): Promise<{ cert: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(SIGNATURE, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${names[0] ?? 'localhost'}`,
    keys,
    notBefore: now,
    notAfter: new Date(now.getTime() + LIFETIME_MS),
    signingAlgorithm: SIGNATURE,
    extensions: [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
  })
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return { cert: certificate.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n` }
}
