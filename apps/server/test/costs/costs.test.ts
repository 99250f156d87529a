import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import * as contract from '@causeway/contract'
import type { Endpoint } from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { worstBodies, worstJson, worstQueries, type WorstBody } from './worst-bodies.ts'

// Nothing a caller may send costs more than 200 ms of the event loop or 50 MB (decision 019). Time of the processor is
// measured, all threads of the server together, so that a busy machine does not add to it; the least of three trials counts.

const CPU_LIMIT_MS = 200
const MEMORY_LIMIT_MB = 50
const TRIALS = 3
/** As many bodies are measured at once, and by themselves where these are dear: collecting the garbage before takes longer than most. */
const TOGETHER = 4
/** As much of an address as a failure names. */
const NAMED_BYTES = 100
const KB = 1024
/** What Node reads of a request's head is 16 kB, the token included. */
const QUERY_LIMIT = 14 * KB

const exported: unknown[] = Object.values(contract)
const endpoints = exported.filter(contract.isEndpoint)
const withBody = endpoints.filter(({ method }) => method !== 'GET')

let child: ChildProcess
let server: { port: number; headers: Record<string, string> }
beforeAll(async () => {
  child = fork(path.join(import.meta.dirname, 'measured-server.ts'), {
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
  })
  const hello = z.object({ port: z.number(), headers: z.record(z.string(), z.string()) })
  server = hello.parse(await answerOf(child))
  for (const { text } of worstJson(64 * KB)) await measure({ method: 'POST', url: '/api/auth/login', text }) // compiles what all need
}, 120_000)
afterAll(async () => {
  child.send('end')
  await once(child, 'exit')
})

test('the worst JSON costs little before any schema sees it', async () => {
  let measured = 0
  for (const [limit, url] of [
    [64 * KB, '/api/auth/login'],
    [2048 * KB, '/api/hosts'],
    [4096 * KB, '/api/config-profiles'],
  ] as const)
    for (const body of worstJson(limit)) {
      await expectCheap('POST', url, body)
      measured++
    }
  expect(measured).toBeGreaterThan(20)
}, 300_000)

test('the worst body that the schema of any route allows costs little', async () => {
  const bodiesOf = worstBodies()
  let measured = 0
  for (const endpoint of withBody.toSorted((one, other) => limitOf(other) - limitOf(one))) {
    const bodies = bodiesOf(endpoint, limitOf(endpoint))
    measured += bodies.length
    await expectAllCheap(endpoint.method, urlOf(endpoint), bodies)
  }
  expect(withBody.length).toBeGreaterThan(50)
  expect(measured).toBeGreaterThan(100)
}, 900_000)

test('the worst query string that any route can be asked with costs little', async () => {
  let measured = 0
  for (const endpoint of endpoints) {
    const asked = worstQueries(endpoint, QUERY_LIMIT).map(({ what, text }) => ({ what, url: `${urlOf(endpoint)}?${text}` }))
    measured += asked.length
    const requests = asked.map(({ url }) => ({ method: endpoint.method, url }))
    if (asked.length === 0 || isCheap(await measure(...requests))) continue
    for (const { what, url } of asked) await expectCheap(endpoint.method, url, { what, text: '' })
  }
  expect(measured).toBeGreaterThan(100)
}, 900_000)

test('a plan and a check over 10,000 routing rules, and a search of 500 wildcards, cost little', async () => {
  const inbounds = [{ tag: 'COSTS', port: 4400, protocol: 'vless', settings: { clients: [], decryption: 'none' } }]
  const post = (url: string, body: object) => {
    const headers = { ...server.headers, 'content-type': 'application/json' }
    return fetch(`http://127.0.0.1:${server.port}${url}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const outbounds = [{ tag: 'DIRECT', protocol: 'freedom' }]
  const made = await post('/api/config-profiles', { name: 'Costs', config: { inbounds, outbounds } })
  const { response: profile } = z.object({ response: z.object({ uuid: z.string() }) }).parse(await made.json())
  const rules = Array.from({ length: 10_000 }, (_, index) => ({ domain: [`full:${index}.example`], outboundTag: 'DIRECT' }))
  const config = { inbounds, outbounds, routing: { rules } }
  expect((await post('/api/x/plan', { saveProfile: { uuid: profile.uuid, config } })).status).toBe(200)
  const what = '10,000 rules'
  await expectCheap('POST', '/api/x/plan', { what, text: JSON.stringify({ saveProfile: { uuid: profile.uuid, config } }) })
  await expectCheap('POST', '/api/x/config-profiles/check', { what, text: JSON.stringify({ config }) })
  for (const letter of ['%', '_', 'a'])
    await expectCheap('GET', `/api/x/search?text=${encodeURIComponent(letter.repeat(500))}`, { what: letter, text: '' })
}, 120_000)

async function expectAllCheap(method: string, url: string, bodies: WorstBody[]): Promise<void> {
  for (let at = 0; at < bodies.length; at += TOGETHER) {
    const together = bodies.slice(at, at + TOGETHER)
    if (isCheap(await measure(...together.map(({ text }) => ({ method, url, text }))))) continue
    for (const body of together) await expectCheap(method, url, body)
  }
}

async function expectCheap(method: string, url: string, body: WorstBody): Promise<void> {
  const trials: Cost[] = []
  while (trials.length < TRIALS && !trials.some(isCheap)) trials.push(await measure({ method, url, text: body.text }))
  if (process.env['COSTS'])
    console.log(method, url.replaceAll(/[0-9a-f-]{36}/g, ':id').slice(0, NAMED_BYTES), body.what, body.text.length, ...trials)
  const named = `${method} ${url.slice(0, NAMED_BYTES)} ${body.what}`
  expect.soft(trials.some(isCheap), `${named}: ${JSON.stringify(trials)}`).toBe(true)
}

interface Cost {
  hasFailed: boolean
  cpuMs: number
  peakMb: number
}

function isCheap({ hasFailed, cpuMs, peakMb }: Cost): boolean {
  return !hasFailed && cpuMs <= CPU_LIMIT_MS && peakMb <= MEMORY_LIMIT_MB
}

/** What these requests cost together, one after the other: where that is cheap, each is. */
async function measure(...requests: { method: string; url: string; text?: string }[]): Promise<Cost> {
  child.send('mark')
  await answerOf(child)
  let hasFailed = false
  for (const { method, url, text } of requests) {
    const reply = await fetch(`http://127.0.0.1:${server.port}${url}`, {
      method,
      headers: { ...server.headers, ...(text ? { 'content-type': 'application/json' } : {}) },
      ...(text ? { body: text } : {}),
    })
    await reply.arrayBuffer()
    hasFailed ||= reply.status >= 500
  }
  child.send('read')
  const cost = z.object({ cpuMs: z.number(), peakMb: z.number() }).parse(await answerOf(child))
  return { hasFailed, ...cost }
}

async function answerOf(process: ChildProcess): Promise<unknown> {
  const [answer]: unknown[] = await once(process, 'message')
  return answer
}

function urlOf({ path: pattern }: Endpoint): string {
  return pattern.replaceAll(/:\w+/g, () => randomUUID())
}

function limitOf({ access, bodyMegabytes }: Endpoint): number {
  return (access === 'public' ? 64 : 1024 * bodyMegabytes) * KB
}
