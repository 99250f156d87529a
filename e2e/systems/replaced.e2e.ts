import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { signedIn, startPanel, type Panel } from '../stage/panel.ts'
import { freePort, until, type Running } from '../stage/processes.ts'
import { seeding } from '../stage/seeding.ts'
import { makeTree, runProgram, TREE } from './programs.ts'

// Two `api` servers behind HAProxy, replaced one after the other while clients ask.

const LIMIT_MS = 240_000
const REQUESTS_A_SECOND = 500
const TICK_MS = 20
/** HAProxy asks every half second, and twice before it believes; a busy machine may take seconds to answer. */
const DRAIN_SECONDS = 5

let panels: Panel[] = []
let proxy: Running | undefined
const folder = `/var/lib/causeway-haproxy-${process.pid}`

test.afterAll(async () => {
  await proxy?.stop()
  for (const panel of panels.toReversed()) await panel.close()
  rmSync(TREE + folder, { recursive: true, force: true })
})

test('SCALE-004 both servers are replaced under 500 requests a second, and no request fails', async () => {
  test.setTimeout(LIMIT_MS)
  makeTree()
  const env = { ROLE: 'api', DRAIN_SECONDS: String(DRAIN_SECONDS), TRUSTED_PROXIES: 'loopback' }
  const first = await startPanel({ env })
  const second = await startPanel({ env, database: first })
  panels = [first, second]
  const { api, token } = await signedIn(first)
  const { shortUuid } = await seeding(api).makeUser()
  const port = await freePort()
  mkdirSync(TREE + folder)
  writeFileSync(`${TREE}${folder}/haproxy.cfg`, settingsOf(port, panels))
  proxy = runProgram('haproxy', ['haproxy', '-db', '-f', `${folder}/haproxy.cfg`])
  const origin = `http://127.0.0.1:${port}`
  await until('the proxy answers', async () => (await fetch(`${origin}/health/ready`)).ok)

  const load = startRequests(origin, [
    { path: `/api/sub/${shortUuid}`, headers: { 'user-agent': 'v2rayNG/1.9.0' } },
    { path: '/api/users?size=5', headers: { authorization: `Bearer ${token}`, 'x-remnawave-client-type': 'browser' } },
  ])
  await sleep(3000)
  for (const panel of panels) {
    const askedAt = performance.now()
    const ending = panel.process.stop()
    await until('it is not ready', async () => (await fetch(`${panel.origin}/health/ready`)).status === 503, 2000)
    await ending
    expect(performance.now() - askedAt).toBeGreaterThan(DRAIN_SECONDS * 1000)
    await panel.restart()
    await until('it is ready', async () => (await fetch(`${panel.origin}/health/ready`)).ok)
    await sleep(3000)
  }
  const { answered, failed, seconds } = await load.end()
  console.log(`${answered} requests in ${Math.round(seconds)} s, failed: ${JSON.stringify(failed)}`)
  expect(failed).toEqual({})
  expect(answered / seconds).toBeGreaterThan(REQUESTS_A_SECOND * 0.9)
})

function settingsOf(port: number, servers: Panel[]): string {
  return `global
  log stderr format raw local0
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
  option redispatch
  retries 3
frontend panel
  bind 127.0.0.1:${port}
  default_backend servers
backend servers
  balance roundrobin
  option httpchk GET /health/ready
  option forwardfor
  default-server check inter 500 fall 2 rise 1
${servers.map((server, at) => `  server api${at} 127.0.0.1:${server.port}`).join('\n')}
`
}

interface Target {
  path: string
  headers: Record<string, string>
}

/** As many a second as there are to be, whether the answers come or not. */
function startRequests(origin: string, targets: Target[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const failed: Record<string, number> = {}
  const fail = (what: string): void => void (failed[what] = (failed[what] ?? 0) + 1)
  let answered = 0
  let sent = 0
  let waiting = 0
  const begunAt = performance.now()
  const ask = ({ path, headers }: Target): void => {
    waiting++
    const request = get(`${origin}${path}`, { agent, headers, timeout: 20_000 }, (reply) => {
      reply.resume()
      reply.once('end', () => {
        waiting--
        if (reply.statusCode === 200) answered++
        else fail(`${path}: ${reply.statusCode}`)
      })
    })
    request.once('error', (error) => {
      waiting--
      fail(`${path}: ${error.message}`)
    })
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - begunAt) / 1000) * REQUESTS_A_SECOND
    while (sent < due) {
      const target = targets[sent++ % targets.length]
      if (target) ask(target)
    }
  }, TICK_MS)
  return {
    end: async () => {
      clearInterval(timer)
      const seconds = (performance.now() - begunAt) / 1000
      await until('all are answered', () => waiting === 0)
      agent.destroy()
      return { answered, failed, seconds }
    },
  }
}
