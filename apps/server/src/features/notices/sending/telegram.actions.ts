import type { Ctx } from '../../../ctx.ts'
import { requestOutside } from '../../../lib/outgoing.ts'
import { failureSentence } from '../../webhooks/retry.rules.ts'
import { chatHtml, type Message } from './message.rules.ts'
import type { Outcome } from '../messages.queries.ts'
import type { TelegramSettings } from '../ways.queries.ts'

const API_ROOT = 'https://api.telegram.org'
const TIMEOUT_MS = 10_000
const ANSWER_BYTES = 64 * 1024
/** Where a 429 does not say how long. */
const REST_MS = 30_000
/** The longest that is waited because the other side asks for it. */
const LONGEST_REST_MS = 3_600_000

interface TelegramAnswer {
  ok?: boolean
  description?: string
  parameters?: { retry_after?: number }
}

/** Sends a message to a chat by the Bot API. */
export async function sendToTelegram(
  ctx: Ctx,
  { chat, topic, apiRoot }: TelegramSettings,
  { token = 'none', proxy }: { token?: string; proxy?: string },
  message: Message,
): Promise<Outcome> {
  const start = performance.now()
  const duration = () => Math.round(performance.now() - start)
  const body = {
    chat_id: /^-?\d+$/.test(chat) ? Number(chat) : chat,
    text: chatHtml(message),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    ...(topic === null ? {} : { message_thread_id: topic }),
  }
  try {
    const reply = await requestOutside(`${(apiRoot ?? API_ROOT).replace(/\/+$/, '')}/bot${token}/sendMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
      firstBytes: ANSWER_BYTES,
      allowedPrivateHosts: ctx.config.OUTGOING_PRIVATE_HOSTS,
      ...(proxy === undefined ? {} : { proxy }),
    })
    const text = reply.body.toString('utf8').replaceAll('\0', '')
    const answer = parsed(text)
    if (reply.status === 200 && answer?.ok !== false) return { durationMs: duration(), error: null, answer: null }
    const said = answer?.description ?? text.slice(0, 2048)
    return { durationMs: duration(), answer: said, ...refusalOf(reply.status, answer, said) }
  } catch (error) {
    const reason = failureSentence(error, TIMEOUT_MS).replaceAll(token, '…')
    const isOfProxy = proxy !== undefined && isUnreached(error)
    return { durationMs: duration(), error: isOfProxy ? `The proxy cannot be used: ${reason}` : reason, answer: null }
  }
}

const NOT_REACHED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Whether the first connection failed, which with a proxy is that to the proxy. */
function isUnreached(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && NOT_REACHED.has(error.code)) || isUnreached(error.cause)
}

function refusalOf(status: number, answer: TelegramAnswer | undefined, said: string): { error: string; restMs?: number } {
  if (status === 429) {
    const seconds = answer?.parameters?.retry_after
    const restMs = Math.min(LONGEST_REST_MS, seconds === undefined ? REST_MS : seconds * 1000)
    return { error: `Telegram asks to wait ${Math.ceil(restMs / 1000)} seconds.`, restMs }
  }
  if (status === 401 || status === 404) return { error: 'Telegram does not know this bot. Compare the token.' }
  if (/chat not found/i.test(said))
    return { error: 'Telegram does not know this chat. Compare its number, and write to the bot first.' }
  if (/message thread not found/i.test(said)) return { error: 'Telegram does not know this topic. Compare its number.' }
  if (status === 403) return { error: `The bot may not write there: ${said}` }
  return { error: `Telegram answered ${status}: ${said}` }
}

function parsed(text: string): TelegramAnswer | undefined {
  try {
    return JSON.parse(text) as TelegramAnswer // members are looked at one by one
  } catch {
    return undefined
  }
}
