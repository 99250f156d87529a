import { followEvents, listHosts, listNodes } from '@causeway/contract'
import type { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { answer, requests, stream } from '../../test/fake-api.ts'
import { apiQuery } from './api-query.ts'
import { followChanges } from './live.ts'
import { createQueryClient } from './query-client.ts'
import { endSession, startSession } from './session.ts'

interface Opened {
  send: (text: string) => void
  end: () => void
  isAborted: boolean
}

let client: QueryClient
let stop: () => void
let opened: Opened[]

beforeEach(() => {
  opened = []
  stream(followEvents, (signal) => {
    const text = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const tab: Opened = {
          send: (message) => controller.enqueue(text.encode(message)),
          end: () => controller.close(),
          isAborted: false,
        }
        signal?.addEventListener('abort', () => {
          tab.isAborted = true
          controller.error(new DOMException('aborted', 'AbortError'))
        })
        opened.push(tab)
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  startSession('a token')
  client = createQueryClient()
  answer(listHosts, () => [])
  answer(listNodes, () => [])
})
afterEach(() => {
  stop()
  endSession()
})

const isOld = (query: { queryKey: readonly unknown[] }) => client.getQueryState(query.queryKey)?.isInvalidated

it('what others change is old at once; what they did not, and what rests, stays', async () => {
  const hosts = apiQuery(listHosts, {})
  const nodes = apiQuery(listNodes, {}, { isResting: true })
  await client.fetchQuery(hosts)
  await client.fetchQuery(nodes)
  stop = followChanges(client)
  await expect.poll(() => opened.length).toBe(1)
  opened[0]?.send('id: run:1\ndata: {"changed":["nodes"]}\n\n:\n\n')
  opened[0]?.send('id: run:2\ndata: {"changed":["ho')
  opened[0]?.send('sts"]}\n\n')
  await expect.poll(() => isOld(hosts)).toBe(true)
  expect(isOld(nodes)).toBe(false)
})

it('a stream that ends is opened again after a pause, from where it was; when that is too long ago everything is old', async () => {
  const hosts = apiQuery(listHosts, {})
  await client.fetchQuery(hosts)
  stop = followChanges(client)
  await expect.poll(() => opened.length).toBe(1)
  opened[0]?.send('id: run:7\ndata: {"changed":[]}\n\n')
  opened[0]?.end()
  await expect.poll(() => opened.length, { timeout: 5000 }).toBe(2)
  opened[1]?.send('id: later:1\ndata: {"changed":"all"}\n\n')
  await expect.poll(() => isOld(hosts)).toBe(true)
})

it('signing out ends the stream', async () => {
  stop = followChanges(client)
  await expect.poll(() => opened.length).toBe(1)
  endSession()
  await expect.poll(() => opened[0]?.isAborted).toBe(true)
})

it('whoever may not listen does not ask again', async () => {
  stream(followEvents, () => new Response('', { status: 403 }))
  stop = followChanges(client)
  await expect.poll(() => requests(followEvents).length).toBe(1)
  // The shortest pause before another try has passed.
  const later = performance.now() + 1600
  await expect.poll(() => performance.now(), { timeout: 3000 }).toBeGreaterThan(later)
  expect(requests(followEvents)).toHaveLength(1)
})
