import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
// The certificate library's dependency injection needs this, and it must come first.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

export interface TestAuthority {
  /** For programs that trust what a file says. */
  file: string
  /** A server's certificate for one name, and its key, both as PEM. */
  issue(name: string): Promise<{ certificate: string; key: string }>
}

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

/** An authority that only the clients of a test trust. */
export async function makeAuthority(): Promise<TestAuthority> {
  x509.cryptoProvider.set(crypto)
  const keys = await crypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Authority of a test',
    ...validity(),
    keys,
    signingAlgorithm: EC,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  })
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'causeway-authority-')), 'ca.pem')
  writeFileSync(file, certificate.toString('pem'))
  return {
    file,
    issue: async (name) => {
      const own = await crypto.subtle.generateKey(EC, true, ['sign', 'verify'])
      const leaf = await x509.X509CertificateGenerator.create({
        serialNumber: '02',
        subject: `CN=${name}`,
        issuer: certificate.subject,
        ...validity(),
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: EC,
        extensions: [
          new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        ],
      })
      const key = await crypto.subtle.exportKey('pkcs8', own.privateKey)
      return { certificate: leaf.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') }
    },
  }
}

function validity(): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + 30 * DAY_MS) }
}
