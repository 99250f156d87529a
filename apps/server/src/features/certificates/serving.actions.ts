import { createSecureContext, type SecureContext, type Server as TlsServer } from 'node:tls'
import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Acme } from '../../config.ts'
import type { Ctx } from '../../ctx.ts'
import type { DatabaseChanges } from '../../ground/changes.ts'
import { divertChallenges } from '../../http/tls/acme-connections.ts'
import { asServer, createTlsServer } from '../../http/tls/own-tls.ts'
import { redirectServer } from '../../http/tls/redirect-server.ts'
import { listenOptions } from '../../lib/systemd/inherited-sockets.ts'
import { makeTemporaryCertificate } from '../../lib/temporary-certificate.ts'
import { keyPurpose, renewCertificates } from './certificates.actions.ts'
import { findAnswerByName, findAnswerByToken, listServerCertificates } from './certificates.queries.ts'

/** The topic under which the table's triggers tell of changes. */
const TOPIC = 'settings'

interface Pair {
  cert: string
  key: string
}

/** Certificates of this process by name, as they are in the database. */
export interface HeldCertificates {
  /** For a client that names none of ours: the first one. */
  find(name: string | undefined): SecureContext
  first(): Pair
  hear(onChange: () => void): void
  refresh(): Promise<void>
}

/** Until there is a certificate, one of our own making serves: browsers warn, and the dashboard can be reached. */
export async function openCertificates(ctx: Ctx, { names }: Acme): Promise<HeldCertificates> {
  const temporary = await makeTemporaryCertificate(names, ctx.now())
  const pairs = new Map<string, Pair>()
  const contexts = new Map<string, SecureContext>()
  const fallback = createSecureContext(temporary)
  const hearers: (() => void)[] = []
  const refresh = async () => {
    let isChanged = false
    for (const { name, chain, wrappedKey } of await listServerCertificates(ctx.db, names)) {
      if (chain === null || wrappedKey === null || pairs.get(name)?.cert === chain) continue
      const pair = { cert: chain, key: ctx.secrets.unwrap(keyPurpose(name), wrappedKey) }
      contexts.set(name, createSecureContext(pair))
      pairs.set(name, pair)
      isChanged = true
    }
    if (isChanged) for (const hearer of hearers) hearer()
  }
  await refresh()
  const known = () => names.find((name) => pairs.has(name)) ?? ''
  return {
    find: (name) => contexts.get(name?.toLowerCase() ?? '') ?? contexts.get(known()) ?? fallback,
    first: () => pairs.get(known()) ?? temporary,
    hear: (onChange) => void hearers.push(onChange),
    refresh,
  }
}

/** Makes servers of https that use these certificates, and answer the directory's challenge on the same port. */
export function acmeServers(ctx: Ctx, held: HeldCertificates, options: ServerOptions): (handler: RequestListener) => Server {
  return (handler) => {
    const server = createTlsServer(
      { ...options, ...held.first(), SNICallback: (name, done) => done(null, held.find(name)) },
      handler,
    )
    held.hear(() => server.setSecureContext(held.first()))
    divertChallenges(server as unknown as TlsServer, async (name) => {
      const answer = await findAnswerByName(ctx.db, name)
      if (answer === undefined) return undefined
      const { answeringCertificate } = await import('./order.actions.ts')
      return createSecureContext(await answeringCertificate(name, answer))
    })
    return asServer(server)
  }
}

interface Keeping {
  settings: Acme
  held: HeldCertificates
  changes: DatabaseChanges
  /** Whether directories are answered on the port of HTTP. */
  isHttpOpen: () => boolean
}

/** Follows what other servers of the database get, and once this one listens, gets what is due. */
export function keepCertificates(app: FastifyInstance, ctx: Ctx, { settings, held, changes, isHttpOpen }: Keeping): void {
  const follow = () =>
    void held
      .refresh()
      .catch((error: unknown) => ctx.log.error({ err: error }, 'new certificate cannot be used; the old one stays in use'))
  changes.hear((topic) => {
    if (topic === undefined || topic === TOPIC) follow()
  })
  let stop = async () => {}
  app.addHook('onListen', async () => {
    stop = renewCertificates(ctx, settings, isHttpOpen())
  })
  app.addHook('onClose', () => stop())
}

/** Leads from plain HTTP to https. A port that is taken is told, and https is served without it. Gives whether it is open. */
export function serveRedirect(app: FastifyInstance, { config, db, log }: Ctx): () => boolean {
  const { redirectPort: port, HOST: host, PUBLIC_URL, SUB_PUBLIC_DOMAIN, PORT } = config
  if (port === 0) return () => false
  const sub = SUB_PUBLIC_DOMAIN === null ? undefined : new URL(`https://${SUB_PUBLIC_DOMAIN}`)
  const own = (asked: string) =>
    PUBLIC_URL === null ? `https://${asked}${PORT === 443 ? '' : `:${PORT}`}` : new URL(PUBLIC_URL).origin
  const server = redirectServer({
    originOf: (asked) => (sub?.hostname === asked ? sub.origin : own(asked)),
    findAnswer: (token) => findAnswerByToken(db, token),
  })
  app.addHook('onListen', async () => {
    await new Promise<void>((done) => {
      server.once('error', (error) => {
        log.error(
          { err: error, port },
          'HTTP_PORT cannot be opened: nothing leads to https, and directories are answered on PORT only',
        )
        done()
      })
      server.listen(listenOptions(host, port), () => {
        log.info(`Port ${port} leads to https`)
        done()
      })
    })
  })
  app.addHook('preClose', async () => {
    server.close()
    server.closeAllConnections()
  })
  return () => server.listening
}
