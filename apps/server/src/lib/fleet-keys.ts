import { generateKeyPair, randomInt, webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
// The certificate library's dependency injection needs this, and it must come first.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import type { AgentPayload } from '@causeway/contract'
import type { SecretStore } from './secret-store.ts'

// Keys that servers and agents trust each other by (docs/wire.md 20).

const SECRET_NAME = 'fleetKeys'
const SIGNATURE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const AUTHORITY_YEARS = 10
const NODE_YEARS = 3
const TOKEN_LIFETIME = '9999 days'
/** Letters and digits without those that are easily mistaken for each other. */
const NAME_ALPHABET = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnopqrstuvwxyz_-'

const fleetKeys = z.object({
  caCertPem: z.string(),
  caKeyPem: z.string(),
  clientCertPem: z.string(),
  clientKeyPem: z.string(),
  jwtPrivateKeyPem: z.string(),
  jwtPublicKeyPem: z.string(),
})
export type FleetKeys = z.output<typeof fleetKeys>

/** The fleet's keys, made when first asked for; every server of the same database gets the same ones. */
export async function readFleetKeys(secrets: SecretStore): Promise<FleetKeys> {
  return fleetKeys.parse(JSON.parse(await secrets.get(SECRET_NAME, async () => JSON.stringify(await makeFleetKeys()))))
}

/** What an administrator copies to a node: a fresh certificate and key, and what the agent needs to trust this server. */
export async function mintAgentPayload(keys: FleetKeys, now: Date): Promise<AgentPayload> {
  const node = await issue(
    { certificate: new x509.X509Certificate(keys.caCertPem), privateKey: await readSigningKey(keys.caKeyPem) },
    {
      years: NODE_YEARS,
      now,
      serialNumber: evenHex(now.getTime()),
      keyUsage: x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment,
      purpose: x509.ExtendedKeyUsage.serverAuth,
    },
  )
  return { nodeCertPem: node.certPem, nodeKeyPem: node.keyPem, caCertPem: keys.caCertPem, jwtPublicKey: keys.jwtPublicKeyPem }
}

/** The token that every call to an agent carries. Agents check its signature and its end only. */
export async function signAgentToken(keys: FleetKeys): Promise<string> {
  return new SignJWT({ uuid: null, username: null, role: 'API' })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(TOKEN_LIFETIME)
    .sign(await importPKCS8(keys.jwtPrivateKeyPem, 'RS256'))
}

async function makeFleetKeys(): Promise<FleetKeys> {
  const now = new Date()
  const [keys, jwt] = await Promise.all([
    generateSigningKeys(),
    promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }),
  ])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: randomName(),
    keys,
    serialNumber: '01',
    ...validity(now, AUTHORITY_YEARS),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
    ],
  })
  const client = await issue(
    { certificate, privateKey: keys.privateKey },
    {
      years: AUTHORITY_YEARS,
      now,
      serialNumber: '02',
      keyUsage: x509.KeyUsageFlags.digitalSignature,
      purpose: x509.ExtendedKeyUsage.clientAuth,
    },
  )
  return {
    caCertPem: certificate.toString('pem').trimEnd(),
    caKeyPem: await privateKeyPem(keys.privateKey),
    clientCertPem: client.certPem,
    clientKeyPem: client.keyPem,
    jwtPrivateKeyPem: jwt.privateKey.trimEnd(),
    jwtPublicKeyPem: jwt.publicKey.trimEnd(),
  }
}

/** No certificate carries a name of a node or an address: both sides check the common authority only. */
async function issue(
  authority: { certificate: x509.X509Certificate; privateKey: webcrypto.CryptoKey },
  options: { years: number; now: Date; serialNumber: string; keyUsage: x509.KeyUsageFlags; purpose: x509.ExtendedKeyUsage },
): Promise<{ certPem: string; keyPem: string }> {
  const keys = await generateSigningKeys()
  const certificate = await x509.X509CertificateGenerator.create({
    subject: randomName(),
    issuer: authority.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.privateKey,
    serialNumber: options.serialNumber,
    ...validity(options.now, options.years),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(options.keyUsage, true),
      new x509.ExtendedKeyUsageExtension([options.purpose], true),
    ],
  })
  return { certPem: certificate.toString('pem').trimEnd(), keyPem: await privateKeyPem(keys.privateKey) }
}

function generateSigningKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(SIGNATURE, true, ['sign', 'verify'])
}

async function readSigningKey(pem: string): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(pem), SIGNATURE, false, ['sign'])
}

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY').trimEnd()
}

function validity(now: Date, years: number): { notBefore: Date; notAfter: Date } {
  const notAfter = new Date(now)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + years)
  return { notBefore: now, notAfter }
}

function randomName(): string {
  const length = randomInt(20, 47)
  return `CN=${Array.from({ length }, () => NAME_ALPHABET[randomInt(NAME_ALPHABET.length)]).join('')}`
}

function evenHex(value: number): string {
  const hex = value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}
