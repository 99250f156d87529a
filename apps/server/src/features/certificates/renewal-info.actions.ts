import { z } from 'zod'
// The certificate library's dependency injection needs this, and it must come first.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import type { Ctx } from '../../ctx.ts'
import type { Acme } from '../../config.ts'
import { hastenRenewal, listServerCertificates } from './certificates.queries.ts'
import { advisedRenewal, type RenewalWindow } from './certificates.rules.ts'

// Renewal information of directories (ARI, RFC 9773): they may ask for a certificate to be renewed early, for example
// because they are going to revoke it.

const ANSWER_LIMIT_MS = 30_000
const SECOND_MS = 1000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Where the directory does not say when to ask again. */
const USUAL_PAUSE_MS = 6 * 3_600_000

interface Advice {
  window: RenewalWindow | undefined
  askAgainMs: number
}

/** Asks for each certificate as often as its directory says. One of these serves for the life of the process. */
export function openRenewalAdvice(ctx: Ctx, settings: Acme): () => Promise<void> {
  const next = new Map<string, { chain: string; at: number }>()
  return async () => {
    for (const { name, chain, dueAt, failure } of await listServerCertificates(ctx.db, settings.names)) {
      const now = ctx.now()
      const asked = next.get(name)
      if (chain === null || failure !== null || (asked?.chain === chain && asked.at > now.getTime())) continue
      const { window, askAgainMs } = await askRenewalInfo(settings.directory, chain).catch((error: unknown) => {
        // The certificate is renewed at its usual time all the same.
        ctx.log.debug({ err: error, name }, 'directory gave no renewal information')
        return { window: undefined, askAgainMs: USUAL_PAUSE_MS }
      })
      next.set(name, { chain, at: now.getTime() + askAgainMs })
      const advised = window && advisedRenewal(dueAt, window, now, Math.random())
      if (advised === undefined) continue
      await hastenRenewal(ctx.db, name, chain, advised)
      ctx.log.info({ name, renewsAt: advised }, 'directory asks for an early renewal')
    }
  }
}

const directoryBody = z.object({ renewalInfo: z.url().optional() })
const renewalInfo = z.object({ suggestedWindow: z.object({ start: z.coerce.date(), end: z.coerce.date() }) })

/** Directories without renewal information are asked again a day later. */
async function askRenewalInfo(directory: string, chain: string): Promise<Advice> {
  const { renewalInfo: place } = directoryBody.parse(await (await get(directory)).json())
  const id = certificateId(chain)
  if (place === undefined || id === undefined) return { window: undefined, askAgainMs: DAY_MS }
  const reply = await get(`${place}/${id}`)
  const { suggestedWindow: window } = renewalInfo.parse(await reply.json())
  const seconds = Number(reply.headers.get('retry-after'))
  const askAgainMs = seconds > 0 ? Math.min(Math.max(seconds * SECOND_MS, MINUTE_MS), DAY_MS) : USUAL_PAUSE_MS
  return { window, askAgainMs }
}

async function get(url: string): Promise<Response> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
  if (!reply.ok) throw new Error(`${url} answers ${reply.status}.`)
  return reply
}

/** Key of the issuer and serial number (RFC 9773, 4.1); undefined where the certificate does not name its issuer's key. */
export function certificateId(chain: string): string | undefined {
  const [first] = x509.PemConverter.decode(chain)
  if (first === undefined) return undefined
  const certificate = new x509.X509Certificate(first)
  const issuer = certificate.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId
  if (issuer === undefined) return undefined
  const serial = Buffer.from(certificate.serialNumber, 'hex')
  // The number is positive, which a first byte from 128 on would not be.
  const positive = (serial[0] ?? 0) > 127 ? Buffer.concat([Buffer.alloc(1), serial]) : serial
  return `${Buffer.from(issuer, 'hex').toString('base64url')}.${positive.toString('base64url')}`
}
