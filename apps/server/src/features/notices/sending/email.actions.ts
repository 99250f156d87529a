import { createTransport } from 'nodemailer'
import type { Ctx } from '../../../ctx.ts'
import { connectOutside } from '../../../lib/outgoing.ts'
import type { NoticeLanguage } from '@causeway/contract'
import { failureSentence } from '../../webhooks/retry.rules.ts'
import { mailHtml, plainText, subjectOf, type Message } from './message.rules.ts'
import type { Outcome } from '../messages.queries.ts'
import type { EmailSettings } from '../ways.queries.ts'

const TIMEOUT_MS = 10_000
/** For the whole conversation, however slowly each line comes. */
const WHOLE_TIMEOUT_MS = 30_000

/** Sends a message by SMTP, as HTML and text. */
export async function sendByEmail(
  ctx: Ctx,
  settings: EmailSettings,
  password: string | undefined,
  message: Message & { id: string; language: NoticeLanguage },
): Promise<Outcome> {
  const start = performance.now()
  const duration = () => Math.round(performance.now() - start)
  const { host, port, security, username, from, to } = settings
  try {
    const socket = await connectOutside(
      { host, port },
      { timeoutMs: TIMEOUT_MS, allowedPrivateHosts: ctx.config.OUTGOING_PRIVATE_HOSTS },
    )
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('No answer.'), { code: 'ETIMEDOUT' })),
      WHOLE_TIMEOUT_MS,
    )
    const transport = createTransport({
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      ...(username === null ? {} : { auth: { user: username, pass: password ?? '' } }),
      getSocket: (_, done) => done(null, { connection: socket }),
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      const sent = await transport.sendMail({
        from,
        to,
        subject: subjectOf(message),
        text: plainText(message),
        html: mailHtml(message, message.language),
        // The same for every attempt, so that a server that got it twice can tell.
        messageId: `<${message.id}@${from.split('@')[1] ?? 'localhost'}>`,
        headers: { 'auto-submitted': 'auto-generated' },
      })
      return { durationMs: duration(), error: null, answer: sent.response }
    } finally {
      clearTimeout(timer)
      transport.close()
      socket.destroy()
    }
  } catch (error) {
    const response = textMember(error, 'response')
    return { durationMs: duration(), error: mailFailure(error), answer: response === '' ? null : response.slice(0, 2048) }
  }
}

function mailFailure(error: unknown): string {
  const [code, command, response] = ['code', 'command', 'response'].map((name) => textMember(error, name))
  const said = response === '' || response === undefined ? textMember(error, 'message') : response
  if (code === 'EAUTH' || code === 'ENOAUTH') return `The mail server refused the sign-in: ${said}`
  if (code === 'EENVELOPE' && command === 'MAIL FROM') return `The mail server refused the sender: ${said}`
  if (code === 'EENVELOPE') return `The mail server refused a receiver: ${said}`
  if (code === 'ETLS') {
    const isCertificate = error instanceof Error && /certificate|altnames|signed/i.test(error.message)
    return isCertificate ? certificateFailure(error) : 'The mail server offers no TLS there. Choose another port or security.'
  }
  if (code === 'EPROTOCOL' && /greeting/i.test(said)) return 'What listens there is no mail server, or one that begins with TLS.'
  if (response !== '' && response !== undefined) return `The mail server answered: ${response}`
  if (code === 'ETIMEDOUT' && /greeting/i.test(said))
    return 'What listens there sent no greeting. If it begins with TLS, choose TLS.'
  if (code === 'ETIMEDOUT') return 'The host did not answer in time.'
  if (/wrong version number|packet length too long/i.test(said))
    return 'The mail server offers no TLS there. Choose another port or security.'
  if (code === 'ECONNECTION') return 'The mail server closed the connection early.'
  return certificateFailure(error)
}

/** The library wraps errors of the socket under a code of its own. */
function certificateFailure(error: unknown): string {
  const said = error instanceof Error ? error.message : ''
  if (/self-signed|self signed/i.test(said)) return 'The certificate of the mail server is signed by itself.'
  if (/altnames|does not match/i.test(said)) return 'The certificate of the mail server is for another name.'
  if (/unable to (verify|get)/i.test(said)) return 'The certificate of the mail server is signed by an unknown authority.'
  if (/expired/i.test(said)) return 'The certificate of the mail server has expired.'
  return failureSentence(error, TIMEOUT_MS)
}

function textMember(error: unknown, name: string): string {
  if (typeof error !== 'object' || error === null || !(name in error)) return ''
  const value: unknown =
    Object.entries(error).find(([key]) => key === name)?.[1] ??
    (name === 'message' && error instanceof Error ? error.message : '')
  return typeof value === 'string' ? value : ''
}
