import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../server.ts'
import { converse, type Method } from './conversation.ts'
import { startPublishedContract } from './published.ts'

// What the server really sends, put before the published contract: one call of every route, in the order in which one thing
// needs another. Only replies count here; what they mean is tested beside each feature.

let server: TestServer
let published: ReturnType<typeof startPublishedContract>
const seen = new Set<string>()
const wrong: string[] = []
beforeAll(async () => {
  published = startPublishedContract()
  server = await testServer({ env: { SUB_PUBLIC_DOMAIN: 'sub.example.com' } })
}, 300_000)
afterAll(async () => {
  published.stop()
  await server.close()
})

/** Calls a route as the administrator, holds the reply against the published schema and gives its `response`. */
async function call(operation: string, method: Method, url: string, body?: unknown) {
  seen.add(operation)
  const reply = await server.send(method, url, body)
  if (reply.status >= 300) {
    wrong.push(`${operation}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return {}
  }
  const [verdict] = await published.accepts(operation, 'response', [reply.body])
  if (verdict !== true) wrong.push(`${operation}: the published contract refuses ${JSON.stringify(reply.body).slice(0, 600)}`)
  // Every reply called here is wrapped; its fields are read by the steps below.
  return (reply.body as { response: Record<string, string> }).response
}

test('every reply of the server passes the published contract', { timeout: 60_000 }, async () => {
  await converse(server, call)
  expect(wrong).toEqual([])
})

test('no route was left out', async () => {
  // Signing in with others' help is answered by the tests of these methods; the raw subscription differs by name (differences.ts).
  const elsewhere = ['Register', 'TelegramCallback', 'OAuth2Authorize', 'OAuth2Callback', 'GetRawSubscriptionByShortUuid']
  const routes = await published.routes()
  const left = routes.filter(({ operation, parts }) => parts.response && !seen.has(operation) && !elsewhere.includes(operation))
  expect(left.map(({ operation }) => operation)).toEqual([])
})
