import { startReceiver, type Received, type Receiver } from './receiver.ts'

export const REST_SECONDS = 2

/** A message as the Bot API is sent it. */
export interface Said {
  bot: string
  chat: number | string
  topic: number | undefined
  text: string
}

export interface Telegram extends Receiver {
  /** Messages to chats that exist. */
  said: Said[]
  chats: Set<number | string>
  /** As many of the next requests are answered with 429 and a wait of two seconds. */
  rests: number
  /** Answers nothing at all. */
  isHanging: boolean
}

/** Stands in for Telegram: its Bot API over HTTP, with the answers of the real one. */
export async function startTelegram(chats: readonly (number | string)[] = []): Promise<Telegram> {
  const receiver = await startReceiver()
  const telegram: Telegram = Object.assign(receiver, {
    said: [],
    chats: new Set(chats),
    rests: 0,
    isHanging: false,
    url: receiver.url.replace(/\/hook$/, ''),
  })
  telegram.answer = (reply, request) => {
    if (telegram.isHanging) return
    const [status, body] = answerOf(telegram, request)
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  return telegram
}

function answerOf(telegram: Telegram, { path, body }: Received): [number, object] {
  const bot = /^\/bot(\d+:[\w-]+)\/sendMessage$/.exec(path)?.[1]
  if (bot === undefined) return [404, { ok: false, error_code: 404, description: 'Not Found' }]
  const { chat_id, text, message_thread_id } = JSON.parse(body.toString()) as {
    chat_id: number | string
    text: string
    message_thread_id?: number
  } // what sendMessage is called with
  if (!telegram.chats.has(chat_id)) return [400, { ok: false, error_code: 400, description: 'Bad Request: chat not found' }]
  if (telegram.rests > 0) {
    telegram.rests--
    const description = `Too Many Requests: retry after ${REST_SECONDS}`
    return [429, { ok: false, error_code: 429, description, parameters: { retry_after: REST_SECONDS } }]
  }
  telegram.said.push({ bot, chat: chat_id, topic: message_thread_id, text })
  return [200, { ok: true, result: { message_id: telegram.said.length, chat: { id: chat_id } } }]
}
