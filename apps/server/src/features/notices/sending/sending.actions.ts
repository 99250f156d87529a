import { createHmac } from 'node:crypto'
import type { NoticeLanguage } from '@causeway/contract'
import type { Ctx } from '../../../ctx.ts'
import { requestOutside } from '../../../lib/outgoing.ts'
import { failureSentence, isAccepted, refusalSentence } from '../../webhooks/retry.rules.ts'
import { sendByEmail } from './email.actions.ts'
import type { Message } from './message.rules.ts'
import type { Outcome } from '../messages.queries.ts'
import { sendToTelegram } from './telegram.actions.ts'
import type { Settings } from '../ways.queries.ts'

const wayPurpose = 'notice way'
const TIMEOUT_MS = 10_000
const ANSWER_BYTES = 2048

/** Members of a way that are kept wrapped. */
export interface WaySecret {
  token?: string
  proxy?: string
  password?: string
  secret?: string
}

export function secretOf(ctx: Ctx, { secret }: { secret: string | null }): WaySecret {
  return secret === null ? {} : (JSON.parse(ctx.secrets.unwrap(wayPurpose, secret)) as WaySecret) // written by wrapSecret
}

export function wrapSecret(ctx: Ctx, secret: WaySecret): string | null {
  return Object.values(secret).every((value) => value === undefined) ? null : ctx.secrets.wrap(wayPurpose, JSON.stringify(secret))
}

/** The settings of a way as they were written. */
export const settingsOf = ({ settings }: { settings: unknown }) => settings as Settings

interface Way {
  settings: unknown
  secret: string | null
  language: NoticeLanguage
}

/** Sends a message over a way, once. */
export function sendMessage(ctx: Ctx, way: Way, message: Message & { uuid: string; at: Date }): Promise<Outcome> {
  const [settings, secret] = [settingsOf(way), secretOf(ctx, way)]
  if (settings.kind === 'telegram') return sendToTelegram(ctx, settings, secret, message)
  if (settings.kind === 'email')
    return sendByEmail(ctx, settings, secret.password, { ...message, id: message.uuid, language: way.language })
  return postMessage(ctx, settings.url, secret.secret, message)
}

async function postMessage(
  ctx: Ctx,
  url: string,
  secret: string | undefined,
  { uuid, at, title, lines }: Message & { uuid: string; at: Date },
): Promise<Outcome> {
  const start = performance.now()
  const duration = () => Math.round(performance.now() - start)
  const body = JSON.stringify({ id: uuid, at: at.toISOString(), title, lines })
  const signature = secret === undefined ? undefined : createHmac('sha256', secret).update(body).digest('hex')
  try {
    const reply = await requestOutside(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-causeway-notice-id': uuid,
        ...(signature === undefined ? {} : { 'x-causeway-signature': signature }),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      firstBytes: ANSWER_BYTES,
      allowedPrivateHosts: ctx.config.OUTGOING_PRIVATE_HOSTS,
    })
    const answer = reply.body.toString('utf8').replaceAll('\0', '')
    return { durationMs: duration(), error: isAccepted(reply.status) ? null : refusalSentence(reply.status), answer }
  } catch (error) {
    return { durationMs: duration(), error: failureSentence(error, TIMEOUT_MS), answer: null }
  }
}
