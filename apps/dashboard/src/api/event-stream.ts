import { followEvents, liveEvent, type LiveEvent } from '@causeway/contract'
import { seconds } from '../lib/time/durations.ts'
import { callHeaders } from './credentials.ts'

// One stream of changes, read by fetch(): EventSource could show the token only in the address, where logs keep it.

/** The server says something every fifteen seconds. */
const SILENCE_LIMIT = seconds(45)
/** No message of ours is nearly as long. */
const MOST_TEXT = 65_536

export interface Message {
  id: string | undefined
  event: LiveEvent
}

/** The received text, split into messages; `rest` is the beginning of the next one. */
export function takeMessages(text: string): { messages: Message[]; rest: string } {
  const blocks = text.split('\n\n')
  const rest = blocks.pop() ?? ''
  return { messages: blocks.flatMap(toMessage), rest }
}

/** Comments, and what a later server may say, are passed over. */
function toMessage(block: string): Message[] {
  const field = (name: string) => block.split('\n').find((line) => line.startsWith(`${name}: `))
  const data = field('data')?.slice('data: '.length)
  if (data === undefined) return []
  try {
    const event = liveEvent.safeParse(JSON.parse(data))
    return event.success ? [{ id: field('id')?.slice('id: '.length), event: event.data }] : []
  } catch {
    return []
  }
}

interface Listening {
  lastId: string | undefined
  signal: AbortSignal
  onMessage: (message: Message) => void
}

/** How a stream ended: `refused` by a server that will say the same again, otherwise whether anything had been heard. */
export type Ending = 'refused' | 'heard' | 'unheard'

/** Listens until the stream ends, the server falls silent or the signal says so. */
export async function listen({ lastId, signal, onMessage }: Listening): Promise<Ending> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), SILENCE_LIMIT)
  let isHeard = false
  try {
    const reply = await fetch(followEvents.path, {
      headers: { ...callHeaders(), accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
      signal: AbortSignal.any([signal, silence.signal]),
      cache: 'no-store',
    })
    if ([401, 403, 404].includes(reply.status)) return 'refused'
    if (!reply.ok || !reply.body) return 'unheard'
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let rest = ''; rest.length < MOST_TEXT;) {
      const { done, value } = await reader.read()
      if (done) break
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_LIMIT)
      const taken = takeMessages(rest + value)
      rest = taken.rest
      isHeard ||= taken.messages.length > 0
      taken.messages.forEach(onMessage)
    }
  } catch {
    // Ended by us, by the server or by what lies between: it is listened to again.
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
  return isHeard ? 'heard' : 'unheard'
}
