import { request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { cpuSeconds } from './processor.ts'

const CHANGE_EVERY_MS = 2000
/** What colleagues change, by turns: each of these is told to every tab. */
const CHANGES = [
  `update "nodes" set "updatedAt" = now() where "id" = (select min("id") from "nodes")`,
  `update "hosts" set "remark" = "remark" where "id" = (select min("id") from "hosts")`,
  `update "users" set "updatedAt" = now() where "id" = (select min("id") from "users")`,
  `update "internalSquads" set "updatedAt" = now() where "id" = (select min("id") from "internalSquads")`,
]

export interface EventFigures {
  /** Share of one core, in percent, that the server's process used. */
  idlePercent: number
  withTabsPercent: number
  /** Messages that the tabs got, heartbeats not counted. */
  messages: number
  changes: number
}

/** What open tabs cost the server while colleagues change something every two seconds, beside what it costs by itself. */
export async function measureEvents(
  url: string,
  { origin, token, pid, tabs, seconds }: { origin: string; token: string; pid: number; tabs: number; seconds: number },
): Promise<EventFigures> {
  const idlePercent = await cpuPercent(pid, () => sleep(seconds * 1000))
  let messages = 0
  const streams = await Promise.all(
    Array.from({ length: tabs }, () => openStream(origin, token, (text) => (messages += text.split('data: ').length - 1))),
  )
  await sleep(2000) // what opening them costs is another matter
  messages = 0
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let changes = 0
  const withTabsPercent = await cpuPercent(pid, async () => {
    for (const end = performance.now() + seconds * 1000; performance.now() < end; changes++) {
      await client.query(CHANGES[changes % CHANGES.length] ?? '')
      await sleep(CHANGE_EVERY_MS)
    }
  })
  await client.end()
  for (const stream of streams) stream.destroy()
  return { idlePercent, withTabsPercent, messages, changes }
}

async function cpuPercent(pid: number, work: () => Promise<unknown>): Promise<number> {
  const [before, begun] = [cpuSeconds(pid), performance.now()]
  await work()
  return ((cpuSeconds(pid) - before) / ((performance.now() - begun) / 1000)) * 100
}

/** A tab's stream of changes. */
export function openStream(origin: string, token: string, onText: (text: string) => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'x-remnawave-client-type': 'browser', accept: 'text/event-stream' }
    const sent = request(new URL('/api/x/events', origin), { headers, agent: false }, (reply) => {
      if (reply.statusCode !== 200) return reject(new Error(`the stream of events was answered ${reply.statusCode}`))
      reply.setEncoding('utf8').on('data', onText)
      resolve(reply)
    })
    sent.on('error', reject)
    sent.end()
  })
}
