import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import path from 'node:path'
import { makeAuthority } from '../stage/certificates.ts'
import { freePorts, root, run, tail, until } from '../stage/processes.ts'

const MODULE = 'github.com/letsencrypt/pebble/v2'
const VERSION = 'v2.10.3'
const PROGRAMS = path.join(root, 'node_modules/.cache/pebble', VERSION)

/** Pebble, an ACME directory for tests, and the name server that it asks. */
export interface AcmeDirectory {
  /** Of the directory, for ACME_DIRECTORY. */
  url: string
  /** Authority of the directory's own https, for NODE_EXTRA_CA_CERTS. */
  authorityFile: string
  /** Ports at which it looks for challenges, in place of 80 and 443. */
  httpPort: number
  tlsPort: number
  /** The name server fails for this name from now on. */
  loseName(name: string): Promise<void>
  /** Asks from now on for this certificate to be renewed within the window (RFC 9773). */
  adviseRenewal(chain: string, start: Date, end: Date): Promise<void>
  stop(): Promise<void>
}

interface Options {
  lifetimeSeconds?: number
  refusedNames?: string[]
}

export async function startAcmeDirectory(folder: string, options: Options = {}): Promise<AcmeDirectory> {
  buildPrograms()
  const [port = 0, management = 0, httpPort = 0, tlsPort = 0, dnsPort = 0, namesPort = 0] = await freePorts(6)
  const authority = await makeAuthority()
  const { certificate, key } = await authority.issue('localhost')
  const at = (name: string) => path.join(folder, `${port}-${name}`)
  writeFileSync(at('cert.pem'), certificate)
  writeFileSync(at('key.pem'), key)
  const profile = { description: 'of a test', validityPeriod: options.lifetimeSeconds ?? 90 * 86_400 }
  const settings = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: at('cert.pem'),
    privateKey: at('key.pem'),
    httpPort,
    tlsPort,
    ocspResponderURL: '',
    domainBlocklist: options.refusedNames ?? [],
    retryAfter: { authz: 1, order: 1 },
    keyAlgorithm: 'ecdsa',
    profiles: { default: profile },
  }
  writeFileSync(at('config.json'), JSON.stringify({ pebble: settings }))
  const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-doh', '']
  const names = run({
    name: `names-${namesPort}`,
    command: path.join(PROGRAMS, 'pebble-challtestsrv'),
    args: [...none, '-dnsserver', `127.0.0.1:${dnsPort}`, '-management', `127.0.0.1:${namesPort}`, '-defaultIPv6', ''],
  })
  const directory = run({
    name: `pebble-${port}`,
    command: path.join(PROGRAMS, 'pebble'),
    args: ['-config', at('config.json'), '-dnsserver', `127.0.0.1:${dnsPort}`],
    env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' },
  })
  await until('Pebble listens', () => {
    if (!directory.isRunning()) throw new Error(tail(directory.logFile))
    return tail(directory.logFile).includes('ACME directory available')
  })
  await until('the name server listens', () => fetch(`http://127.0.0.1:${namesPort}/`))
  return {
    url: `https://localhost:${port}/dir`,
    authorityFile: authority.file,
    httpPort,
    tlsPort,
    loseName: async (host) => {
      const body = JSON.stringify({ host })
      await fetch(`http://127.0.0.1:${namesPort}/set-servfail`, { method: 'POST', body })
    },
    adviseRenewal: async (chain, start, end) => {
      const ariResponse = JSON.stringify({ suggestedWindow: { start, end } })
      const [certificate = ''] = chain.split(/(?<=-----END CERTIFICATE-----)/)
      await setRenewalInfo(management, JSON.stringify({ certificate, ariResponse }))
    },
    stop: async () => {
      await Promise.all([directory.stop(), names.stop()])
    },
  }
}

/** By Go's own proxy of modules, once. */
function buildPrograms(): void {
  if (existsSync(path.join(PROGRAMS, 'pebble-challtestsrv'))) return
  mkdirSync(PROGRAMS, { recursive: true })
  const packages = ['pebble', 'pebble-challtestsrv'].map((name) => `${MODULE}/cmd/${name}@${VERSION}`)
  const PATH = `${process.env['PATH']}:/usr/local/go/bin`
  execFileSync('go', ['install', ...packages], { stdio: 'inherit', env: { ...process.env, PATH, GOBIN: PROGRAMS } })
}

function setRenewalInfo(port: number, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Pebble refuses requests of programs that do not name themselves.
    const headers = { 'user-agent': 'causeway-tests' }
    const options = { host: '127.0.0.1', port, path: '/set-renewal-info/', method: 'POST', headers, rejectUnauthorized: false }
    const request = https.request(options, (reply) => {
      reply.resume()
      if (reply.statusCode === 200) resolve()
      else reject(new Error(`Pebble answers ${reply.statusCode}.`))
    })
    request.on('error', reject)
    request.end(body)
  })
}
