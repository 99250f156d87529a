import { generateKeyPair, randomInt, webcrypto, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
// The certificate library's dependency injection needs this, and it must come first.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import type { AgentPayload } from '@causeway/contract'
import { nameOfNode, type SignedCertificate } from './node-identity.rules.ts'
import type { SecretStore } from './secret-store.ts'

// Keys that servers and agents trust each other by (docs/wire.md 20).

/** The name of the secret that holds them. */
export const FLEET_KEYS = 'fleetKeys'
const SIGNATURE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const AUTHORITY_YEARS = 10
const NODE_YEARS = 3
/** The clock of a node may be behind that of the server that makes its certificate. */
const DATED_BACK_MS = 86_400_000
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
export async function readFleetKeys(secrets: SecretStore, now = new Date()): Promise<FleetKeys> {
  return fleetKeys.parse(JSON.parse(await secrets.get(FLEET_KEYS, async () => JSON.stringify(await makeFleetKeys(now)))))
}

/** The text that an administrator copies to a node: a fresh certificate and key, and the authority of this server. */
export async function mintAgentPayload(keys: FleetKeys, now: Date): Promise<AgentPayload> {
  const node = await issue(
    { certificate: new x509.X509Certificate(keys.caCertPem), privateKey: await readSigningKey(keys.caKeyPem) },
    nodeOptions(now),
  )
  return { nodeCertPem: node.certPem, nodeKeyPem: node.keyPem, caCertPem: keys.caCertPem, jwtPublicKey: keys.jwtPublicKeyPem }
}

/** A text that is no signed request, or one for a kind of key that is not signed here. */
export class RequestRefused extends Error {}

/**
 * A certificate for the key that a node has made itself. It names the node; a name in the request does not count.
 * @throws RequestRefused
 */
export async function signNodeRequest(keys: FleetKeys, requestPem: string, uuid: string, now: Date): Promise<SignedCertificate> {
  const authority = { certificate: new x509.X509Certificate(keys.caCertPem), privateKey: await readSigningKey(keys.caKeyPem) }
  const certificate = await certify(authority, await readRequest(requestPem), {
    ...nodeOptions(now),
    subject: `CN=${uuid}`,
    names: [{ type: 'url', value: nameOfNode(uuid) }],
  })
  return {
    certPem: certificate.toString('pem').trimEnd(),
    fingerprint: describeCertificate(certificate.toString('pem')).fingerprint,
    endsAt: certificate.notAfter,
  }
}

/** The public key of a request whose sender holds the private one. */
async function readRequest(pem: string): Promise<x509.PublicKey> {
  try {
    const request = new x509.Pkcs10CertificateRequest(pem)
    const { name, namedCurve } = request.publicKey.algorithm as { name?: string; namedCurve?: string } // of elliptic keys
    if (name === SIGNATURE.name && namedCurve === SIGNATURE.namedCurve && (await request.verify())) return request.publicKey
  } catch {
    // a text that is no request at all is refused alike
  }
  throw new RequestRefused('This is not a signed request for a key on the curve P-256.')
}

function nodeOptions(now: Date) {
  return {
    years: NODE_YEARS,
    now,
    serialNumber: evenHex(now.getTime()),
    keyUsage: x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment,
    purpose: x509.ExtendedKeyUsage.serverAuth,
  }
}

/** From when to when a certificate counts. */
export function validityOf(certPem: string): { validFrom: Date; validTo: Date } {
  const { notBefore, notAfter } = new x509.X509Certificate(certPem)
  return { validFrom: notBefore, validTo: notAfter }
}

/** A certificate as the connection to its agent will show it. */
export function describeCertificate(certPem: string): { validFrom: Date; validTo: Date; fingerprint: string } {
  const fingerprint = new X509Certificate(certPem).fingerprint256.replaceAll(':', '').toLowerCase()
  return { ...validityOf(certPem), fingerprint }
}

export function authorityValidity(keys: FleetKeys): { validFrom: Date; validTo: Date } {
  return validityOf(keys.caCertPem)
}

/** Renews the certificates of the authority and of the server, if they are still due once the lock is held. */
export function renewAuthorityOf(secrets: SecretStore, now: Date, isDue: (keys: FleetKeys) => boolean): Promise<boolean> {
  return secrets.replace(FLEET_KEYS, async (held) => {
    const keys = fleetKeys.parse(JSON.parse(held))
    return isDue(keys) ? JSON.stringify({ ...keys, ...(await renewedAuthority(keys, now)) }) : undefined
  })
}

/** The same name and key, so that what the old certificate vouches for, the new one does too. */
async function renewedAuthority(keys: FleetKeys, now: Date) {
  const old = new x509.X509Certificate(keys.caCertPem)
  const privateKey = await readSigningKey(keys.caKeyPem)
  const certificate = await x509.X509CertificateGenerator.create({
    subject: old.subject,
    issuer: old.subject,
    publicKey: old.publicKey,
    signingKey: privateKey,
    serialNumber: evenHex(now.getTime()),
    ...validity(now, AUTHORITY_YEARS),
    signingAlgorithm: SIGNATURE,
    extensions: AUTHORITY_EXTENSIONS,
  })
  const client = await issueClient({ certificate, privateKey }, now, evenHex(now.getTime() + 1))
  return { caCertPem: certificate.toString('pem').trimEnd(), clientCertPem: client.certPem, clientKeyPem: client.keyPem }
}

/** The token that every call to an agent carries. Agents check its signature and its end only. */
export async function signAgentToken(keys: FleetKeys): Promise<string> {
  return new SignJWT({ uuid: null, username: null, role: 'API' })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(TOKEN_LIFETIME)
    .sign(await importPKCS8(keys.jwtPrivateKeyPem, 'RS256'))
}

async function makeFleetKeys(now: Date): Promise<FleetKeys> {
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
    extensions: AUTHORITY_EXTENSIONS,
  })
  const client = await issueClient({ certificate, privateKey: keys.privateKey }, now, '02')
  return {
    caCertPem: certificate.toString('pem').trimEnd(),
    caKeyPem: await privateKeyPem(keys.privateKey),
    clientCertPem: client.certPem,
    clientKeyPem: client.keyPem,
    jwtPrivateKeyPem: jwt.privateKey.trimEnd(),
    jwtPublicKeyPem: jwt.publicKey.trimEnd(),
  }
}

const AUTHORITY_EXTENSIONS = [
  new x509.BasicConstraintsExtension(true, undefined, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
]

interface Authority {
  certificate: x509.X509Certificate
  privateKey: webcrypto.CryptoKey
}

/** The certificate that the server presents to agents. */
function issueClient(authority: Authority, now: Date, serialNumber: string): Promise<{ certPem: string; keyPem: string }> {
  const { digitalSignature } = x509.KeyUsageFlags
  const purpose = x509.ExtendedKeyUsage.clientAuth
  return issue(authority, { years: AUTHORITY_YEARS, now, serialNumber, keyUsage: digitalSignature, purpose })
}

interface CertificateOptions {
  years: number
  now: Date
  serialNumber: string
  keyUsage: x509.KeyUsageFlags
  purpose: x509.ExtendedKeyUsage
  subject?: string
  names?: x509.JsonGeneralNames
}

/** A certificate with its key. It carries no name of a node or an address: both sides check the common authority only. */
async function issue(authority: Authority, options: CertificateOptions): Promise<{ certPem: string; keyPem: string }> {
  const keys = await generateSigningKeys()
  const certificate = await certify(authority, keys.publicKey, options)
  return { certPem: certificate.toString('pem').trimEnd(), keyPem: await privateKeyPem(keys.privateKey) }
}

function certify(
  authority: Authority,
  publicKey: x509.PublicKeyType,
  options: CertificateOptions,
): Promise<x509.X509Certificate> {
  return x509.X509CertificateGenerator.create({
    subject: options.subject ?? randomName(),
    issuer: authority.certificate.subject,
    publicKey,
    signingKey: authority.privateKey,
    serialNumber: options.serialNumber,
    ...within(authority.certificate, validity(options.now, options.years)),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(options.keyUsage, true),
      new x509.ExtendedKeyUsageExtension([options.purpose], true),
      ...(options.names ? [new x509.SubjectAlternativeNameExtension(options.names)] : []),
    ],
  })
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
  return { notBefore: new Date(now.getTime() - DATED_BACK_MS), notAfter }
}

/** A certificate ends no later than its issuer: the earlier end of both counts. */
function within(authority: x509.X509Certificate, { notBefore, notAfter }: ReturnType<typeof validity>) {
  return {
    // Not older than the authority, or it would look as if made before a renewal.
    notBefore: new Date(
      Math.max(notBefore.getTime(), Math.min(authority.notBefore.getTime(), notBefore.getTime() + DATED_BACK_MS)),
    ),
    notAfter: new Date(Math.min(notAfter.getTime(), authority.notAfter.getTime())),
  }
}

function randomName(): string {
  const length = randomInt(20, 47)
  return `CN=${Array.from({ length }, () => NAME_ALPHABET[randomInt(NAME_ALPHABET.length)]).join('')}`
}

function evenHex(value: number): string {
  const hex = value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}
