import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import Provider from 'oidc-provider'

// A real provider of OpenID Connect on this machine, whose login page is answered by the test.

const RETURN_ADDRESS = 'https://panel.example.com/oauth2/callback/generic'
const SCOPES = 'openid email profile'

export async function startOidcProvider(claims: Record<string, Record<string, unknown>>) {
  let signsIn = ''
  let isDown = false
  let otherKeys: JWK[] | undefined
  let provider: Provider
  const server = createServer((request, response) => {
    if (isDown) return void response.destroy()
    if (otherKeys && request.url === '/jwks') {
      response.setHeader('content-type', 'application/json')
      return void response.end(JSON.stringify({ keys: otherKeys }))
    }
    return request.url?.startsWith('/interaction/')
      ? void logIn(provider, request, response, signsIn)
      : void provider.callback()(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server has one

  async function newKey(): Promise<JWK> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    return { ...(await exportJWK(privateKey)), use: 'sig', kid: randomBytes(4).toString('hex') }
  }
  function build(keys: JWK[]): void {
    provider = new Provider(issuer, {
      clients: [{ client_id: 'panel', client_secret: 'a secret of the panel', redirect_uris: [RETURN_ADDRESS] }],
      cookies: { keys: ['a key'] },
      jwks: { keys: keys.map((key) => ({ ...key })) },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...claims[id] }) }),
      loadExistingGrant: async ({ oidc: { client, session } }) => {
        const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' })
        grant.addOIDCScope(SCOPES)
        await grant.save()
        return grant
      },
    })
  }
  build([await newKey()])

  return {
    issuer,
    setDown: (down: boolean) => void (isDown = down),
    /** All sign-ins from now on are signed by a new key, and the old one is forgotten. */
    rotateKeys: async () => build([await newKey()]),
    /** The published keys are others than the provider signs by. */
    publishOtherKey: async (isOther: boolean) => {
      const { publicKey } = await generateKeyPair('RS256', { extractable: true })
      otherKeys = isOther ? [{ ...(await exportJWK(publicKey)), use: 'sig' }] : undefined
    },
    /** Visits the address as a browser would, logs in as this person, and gives what comes back to the panel. */
    async visit(address: string, person: string): Promise<Record<string, string>> {
      signsIn = person
      const jar = new Map<string, string>()
      for (let next = new URL(address); ;) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const reply = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const set of reply.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          jar.set(name, value)
        }
        const location = reply.headers.get('location')
        if (location === null) throw new Error(`The provider shows a page: ${await reply.text()}`)
        next = new URL(location, next)
        if (next.href.startsWith(RETURN_ADDRESS)) return Object.fromEntries(next.searchParams)
      }
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

async function logIn(provider: Provider, request: IncomingMessage, response: ServerResponse, accountId: string): Promise<void> {
  await provider.interactionFinished(request, response, { login: { accountId } }, { mergeWithLastSubmission: false })
}
