import { createServer } from 'node:http'
import { freePort } from './processes.ts'

/** A code host of the loopback where one account is always signed in and agrees at once. */
export interface OAuthProvider {
  origin: string
  /** The account of the next sign-in. */
  signIn(email: string): void
  /** Where it sends the browser back to, as it would be registered there. */
  setCallback(url: string): void
  close(): Promise<void>
}

export async function startOAuthProvider(): Promise<OAuthProvider> {
  let callback = ''
  let email = ''
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const sendJson = (body: unknown): void =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    switch (url.pathname) {
      case '/login/oauth/authorize': {
        const back = new URL(callback)
        back.search = new URLSearchParams({ code: 'code-of-the-test', state: url.searchParams.get('state') ?? '' }).toString()
        return void response.writeHead(302, { location: back.href }).end()
      }
      case '/login/oauth/access_token':
        return sendJson({ access_token: 'token-of-the-test', token_type: 'bearer' })
      case '/user/emails':
        return sendJson([{ email, primary: true, verified: true }])
      default:
        return void response.writeHead(404).end()
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${port}`,
    signIn: (address) => {
      email = address
    },
    setCallback: (url) => {
      callback = url
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
