import { setTimeout as sleep } from 'node:timers/promises'
import { inDays, uniqueName } from '../stage/seeding.ts'

const ANSWER_LIMIT_MS = 40_000
const AGAIN_MS = 100

/** Clients of several servers that write and read while the database fails, and note what they were told. */
export interface ClusterLoad {
  /** Names of users whose creation was acknowledged, however often it had to be sent. */
  created(): string[]
  /** Creations that were refused as if they had been made by another. */
  contradicted(): string[]
  /** The latest numbers that were acknowledged, by the uuid of the user that carries them. */
  numbered(): Map<string, number>
  /** Subscriptions that were not answered with the links, with the reason. */
  missed(): string[]
  answered(): number
  /** Longest time without an acknowledged write, and longest wait for a subscription, since the last call. */
  gaps(): { writesMs: number; subscriptionMs: number }
  end(): Promise<void>
}

interface Targets {
  origins: string[]
  token: string
  /** One for each writer of numbers. */
  uuids: string[]
  links: string[]
  pauseMs: number
}

export function startClusterLoad({ origins, token, uuids, links, pauseMs }: Targets): ClusterLoad {
  const created: string[] = []
  const contradicted: string[] = []
  const numbered = new Map<string, number>()
  const missed: string[] = []
  let answered = 0
  let isOver = false
  let acknowledgedAt = performance.now()
  let gaps = { writesMs: 0, subscriptionMs: 0 }
  const acknowledge = (): void => {
    const now = performance.now()
    gaps.writesMs = Math.max(gaps.writesMs, now - acknowledgedAt)
    acknowledgedAt = now
  }
  const headers = {
    'content-type': 'application/json',
    'x-remnawave-client-type': 'browser',
    authorization: `Bearer ${token}`,
  }
  const send = async (origin: string, method: string, body: unknown, more: Record<string, string> = {}) => {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
    const reply = await fetch(`${origin}/api/users`, {
      method,
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
      signal,
    })
    return { status: reply.status, text: await reply.text() }
  }
  /** The same submission until it is answered, by each server in turn. */
  const create = async (at: number): Promise<void> => {
    const username = uniqueName('made')
    const body = { username, expireAt: inDays(30) }
    for (let attempt = at; ; attempt++) {
      const origin = origins[attempt % origins.length] ?? ''
      const reply = await send(origin, 'POST', body, { 'idempotency-key': username }).catch(() => undefined)
      if (reply?.status === 201 || reply?.text.includes('was created already')) {
        acknowledge()
        created.push(username)
        return
      }
      if (reply && reply.status < 500) {
        contradicted.push(`${username}: ${reply.status} ${reply.text}`)
        return
      }
      await sleep(AGAIN_MS)
    }
  }
  const count = async (origin: string, uuid: string, number: number): Promise<void> => {
    const reply = await send(origin, 'PATCH', { uuid, description: String(number) }).catch(() => undefined)
    if (reply?.status === 200) {
      acknowledge()
      numbered.set(uuid, number)
    } else await sleep(AGAIN_MS)
  }
  const fetchLink = async (origin: string, link: string): Promise<void> => {
    const askedAt = performance.now()
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
    const reply = await fetch(`${origin}/api/sub/${link}`, { headers: { 'user-agent': 'v2rayNG/1.9.0' }, signal })
      .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
      .catch((error: unknown) => ({ status: 0, text: String(error) }))
    gaps.subscriptionMs = Math.max(gaps.subscriptionMs, performance.now() - askedAt)
    if (reply.status === 200 && reply.text.length > 0) answered++
    else missed.push(`${new Date().toISOString()} ${origin}: ${reply.status} ${reply.text.slice(0, 200)}`)
  }
  const loop = async (step: (round: number) => Promise<void>): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      await step(round)
      await sleep(pauseMs)
    }
  }
  const running = origins.flatMap((origin, at) => [
    loop(() => create(at)),
    loop((round) => count(origin, uuids[at] ?? '', round + 1)),
    loop((round) => fetchLink(origin, links[round % links.length] ?? '')),
    loop((round) => fetchLink(origin, links[(round + 1) % links.length] ?? '')),
  ])
  return {
    created: () => created,
    contradicted: () => contradicted,
    numbered: () => numbered,
    missed: () => missed,
    answered: () => answered,
    gaps: () => {
      const since = gaps
      since.writesMs = Math.max(since.writesMs, performance.now() - acknowledgedAt)
      gaps = { writesMs: 0, subscriptionMs: 0 }
      acknowledgedAt = performance.now()
      return since
    },
    end: async () => {
      isOver = true
      await Promise.all(running)
    },
  }
}
