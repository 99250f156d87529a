import 'reflect-metadata' // the certificate library resolves its parts through it
import type { AgentPayload, SignedIdentity } from '@causeway/contract/agent'
import * as x509 from '@peculiar/x509'
import { generateKeyPairSync, webcrypto } from 'node:crypto'
import { SignJWT } from 'jose'

x509.cryptoProvider.set(webcrypto)

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const YEAR_MS = 365 * 24 * 3600 * 1000

/** What a server holds: an authority that signs its own certificate and those of its nodes, and the key of its tokens. */
export interface Authority {
  payload: AgentPayload
  client: { ca: string; cert: string; key: string }
  /** Another certificate for the node, of the same authority. */
  renewed(endsAt: Date): Promise<AgentPayload>
  /** A certificate that names a node, for the key of its request. */
  signed(request: string, node: string, endsAt: Date): Promise<SignedIdentity>
  token(options?: { expiresAt?: Date; key?: ReturnType<typeof generateKeyPairSync>['privateKey'] }): Promise<string>
}

/** Made as docs/wire.md 20 describes: no names in the certificates, extensions critical. */
export async function makeAuthority({ nodeEndsAt = inAYear() } = {}): Promise<Authority> {
  const jwt = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const caKeys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=authority-of-the-test',
    ...validity(),
    keys: caKeys,
    signingAlgorithm: EC,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
    ],
  })
  const leaf = async (serialNumber: string, usage: x509.ExtendedKeyUsage, flags: x509.KeyUsageFlags, endsAt = inAYear()) => {
    const keys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber,
      subject: `CN=leaf-${serialNumber}`,
      issuer: ca.subject,
      ...validity(endsAt),
      publicKey: keys.publicKey,
      signingKey: caKeys.privateKey,
      signingAlgorithm: EC,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(flags, true),
        new x509.ExtendedKeyUsageExtension([usage], true),
      ],
    })
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
    return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') }
  }
  const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags
  const client = await leaf('02', x509.ExtendedKeyUsage.clientAuth, digitalSignature)
  const leafOfNode = await leaf('03', x509.ExtendedKeyUsage.serverAuth, digitalSignature | keyEncipherment, nodeEndsAt)
  const payloadOf = (leaf: { cert: string; key: string }): AgentPayload => ({
    nodeCertPem: leaf.cert,
    nodeKeyPem: leaf.key,
    caCertPem: ca.toString('pem'),
    jwtPublicKey: jwt.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  })
  return {
    payload: payloadOf(leafOfNode),
    renewed: async (endsAt) =>
      payloadOf(await leaf('04', x509.ExtendedKeyUsage.serverAuth, digitalSignature | keyEncipherment, endsAt)),
    signed: async (request, node, endsAt) => {
      const certificate = await x509.X509CertificateGenerator.create({
        subject: `CN=${node}`,
        issuer: ca.subject,
        ...validity(endsAt),
        publicKey: new x509.Pkcs10CertificateRequest(request).publicKey,
        signingKey: caKeys.privateKey,
        signingAlgorithm: EC,
        extensions: [
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth], true),
          new x509.SubjectAlternativeNameExtension([{ type: 'url', value: `urn:uuid:${node}` }]),
        ],
      })
      const { caCertPem, jwtPublicKey } = payloadOf(leafOfNode)
      return { nodeCertPem: certificate.toString('pem'), caCertPem, jwtPublicKey }
    },
    client: { ca: ca.toString('pem'), ...client },
    token({ expiresAt = new Date(Date.now() + YEAR_MS), key = jwt.privateKey } = {}) {
      return new SignJWT({ uuid: null, username: null, role: 'API' })
        .setProtectedHeader({ alg: 'RS256' })
        .setIssuedAt()
        .setExpirationTime(expiresAt)
        .sign(key)
    },
  }
}

export function secretKey(payload: AgentPayload): string {
  return Buffer.from(JSON.stringify(payload)).toString('base64')
}

function validity(notAfter = inAYear()) {
  return { notBefore: new Date(Math.min(Date.now(), notAfter.getTime()) - 60_000), notAfter }
}

function inAYear(): Date {
  return new Date(Date.now() + YEAR_MS)
}
