// Addresses of databases in the forms that libpq knows: several hosts, and TLS modes with the meaning they have there.

export interface DatabaseHost {
  host: string
  port: number
}

export interface DatabaseUrl {
  hosts: DatabaseHost[]
  /** The address of one host in the driver's own form. */
  urlOf: (host: DatabaseHost) => string
}

const SCHEME = /^postgres(?:ql)?:\/\//
const USUAL_PORT = 5432
/** Writes go to the host that takes them, whichever of these words stands in the address. */
const WRITING = ['any', 'read-write', 'primary']
const TLS_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

const FORM =
  'must be an address such as postgres://user:password@host/name; in the password, write @ / : ? # and % in percent form (@ is %40)'

/**
 * `use`: replicas only answer what may be old.
 * @throws Error with the rest of a sentence about the address
 */
export function readDatabaseUrl(url: string, use: 'writes' | 'replicas' = 'writes'): DatabaseUrl {
  const [scheme] = SCHEME.exec(url) ?? []
  if (scheme === undefined) throw new Error(FORM)
  const [, authority = '', path = '', query = ''] = /^([^/?#]*)([^?#]*)\??([^#]*)/.exec(url.slice(scheme.length)) ?? []
  const login = authority.slice(0, authority.lastIndexOf('@') + 1)
  const parameters = new URLSearchParams(query)
  const target = parameters.get('target_session_attrs')
  if (use === 'writes' && target !== null && !WRITING.includes(target))
    throw new Error(`has target_session_attrs=${target}; the database must take writes: use read-write`)
  const named = parameters.get('host')
  const hosts =
    named === null ? authority.slice(login.length).split(',').map(readHost) : readHosts(named, parameters.get('port') ?? '')
  if (hosts.some(({ host }) => host === '')) throw new Error(FORM)
  const isTranslated = translateTls(parameters) || target !== null || hosts.length > 1
  for (const name of ['target_session_attrs', 'host', 'port']) parameters.delete(name)
  const urlOf = ({ host, port }: DatabaseHost): string => {
    if (!isTranslated) return url
    const own = new URLSearchParams(parameters)
    const isSocket = host.startsWith('/')
    if (isSocket) {
      own.set('host', host)
      own.set('port', String(port))
    }
    const place = isSocket ? 'socket' : `${host.includes(':') ? `[${host}]` : host}:${port}`
    return `${scheme}${login}${place}${path}${own.size > 0 ? `?${own.toString()}` : ''}`
  }
  for (const host of hosts) {
    const one = urlOf(host).replace('@/', '@socket/')
    if (!URL.canParse(one) || new URL(one).hostname === '') throw new Error(FORM)
  }
  return { hosts, urlOf }
}

function readHost(text: string): DatabaseHost {
  const [, address, name = '', port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(text) ?? []
  return { host: address ?? name, port: Number(port) || USUAL_PORT }
}

function readHosts(hosts: string, ports: string): DatabaseHost[] {
  const each = ports.split(',')
  return hosts.split(',').map((host, at) => ({ host, port: Number(each[each.length === 1 ? 0 : at]) || USUAL_PORT }))
}

/** The driver gives these modes meanings of its own unless told otherwise. Says whether anything is. */
function translateTls(parameters: URLSearchParams): boolean {
  const mode = parameters.get('sslmode')
  const root = parameters.get('sslrootcert')
  if (mode !== null && !TLS_MODES.includes(mode))
    throw new Error(`has sslmode=${mode}; use disable, require, verify-ca or verify-full`)
  if (mode === 'verify-ca' && root === null) throw new Error('has sslmode=verify-ca, which needs sslrootcert')
  if (root === 'system') {
    parameters.delete('sslrootcert')
    parameters.set('sslmode', 'verify-full')
    return true
  }
  if (mode === null || mode === 'no-verify' || parameters.has('uselibpqcompat')) return false
  // Both would go on without TLS when an attacker asks for it.
  if (mode === 'allow' || mode === 'prefer') parameters.set('sslmode', 'require')
  parameters.set('uselibpqcompat', 'true')
  return true
}
