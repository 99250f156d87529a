import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
// The certificate library's dependency injection needs this, and it must come first.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Mail {
  from: string
  to: string[]
  /** As it was received. */
  source: string
  isEncrypted: boolean
  user: string | undefined
}

export interface MailServer {
  port: number
  mails: Mail[]
  close(): Promise<void>
}

/** A real SMTP server on this machine. `refuses` are senders that it does not take mail from. */
export async function startMailServer(
  options: SMTPServerOptions & { refuses?: readonly string[]; passwords?: Record<string, string> } = {},
): Promise<MailServer> {
  const { refuses = [], passwords = {}, ...given } = options
  const mails: Mail[] = []
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onMailFrom: ({ address }, _session, done) =>
      done(refuses.includes(address) ? Object.assign(new Error('Sender is not allowed here'), { responseCode: 550 }) : null),
    onAuth: ({ username, password }, _session, done) => {
      if (username !== undefined && passwords[username] === password) done(null, { user: username })
      else done(new Error('Invalid username or password'))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString('utf8'),
          isEncrypted: session.secure,
          user: session.user,
        })
        done()
      })
    },
    ...given,
  })
  server.on('error', () => {}) // clients that go away in the middle
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo // it listens on a port
  return { port, mails, close: () => new Promise((resolve) => server.close(() => resolve())) }
}

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

/** A certificate for a name, signed by itself, and its key. It ends after so many days. */
export async function selfSigned(name: string, days = 1): Promise<{ cert: string; key: string }> {
  x509.cryptoProvider.set(crypto)
  const keys = await crypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const isAddress = /^[\d.]+$/.test(name)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: `CN=${name}`,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + days * DAY_MS),
    keys,
    signingAlgorithm: EC,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: isAddress ? 'ip' : 'dns', value: name }])],
  })
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return { cert: certificate.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n` }
}

/** Has this process trust a certificate, as an operator would by NODE_EXTRA_CA_CERTS. */
export function trust(cert: string): void {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), cert])
}
