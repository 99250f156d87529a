import { Agent } from 'node:http'
import { send } from './measure.ts'

/** Subscriptions a second: some, at fixed moments, so that a slow answer does not keep the next from being asked. */
const RATE = 40

/** Asks for subscriptions as long as something lasts, and gives the milliseconds of each answer. */
export function subscriptionLoad(origin: string, shortUuids: string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  return async (work: () => Promise<void>): Promise<number[]> => {
    const times: number[] = []
    const open = new Set<Promise<void>>()
    let number = 0
    const timer = setInterval(() => {
      const begun = performance.now()
      const path = `/api/sub/${shortUuids[(number++ * 31) % shortUuids.length]}`
      const sent = send(agent, origin, '', { path, headers: { 'user-agent': 'v2rayNG/1.10.8' } }).then(() => {
        times.push(performance.now() - begun)
        open.delete(sent)
      })
      open.add(sent)
    }, 1000 / RATE)
    try {
      await work()
    } finally {
      clearInterval(timer)
      await Promise.all(open)
    }
    return times
  }
}
