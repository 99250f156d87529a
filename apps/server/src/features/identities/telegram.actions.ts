import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { countAttempt, NO_ACCOUNT } from '../auth/attempts.actions.ts'
import { refuseSignIn, signingIn } from '../auth/auth.actions.ts'
import { insertIfNew } from '../auth/auth.queries.ts'
import type { SignedIn } from '../auth/sessions.actions.ts'
import { signInVouched } from './identities.actions.ts'

/** The answer of the login widget to the browser (docs/wire.md 11). */
export type TelegramAnswer = api.Input<typeof api.telegramCallback>

const ANSWER_LIFETIME_SECONDS = 15
/** By how much the clocks of two machines may differ. */
const CLOCK_SKEW_SECONDS = 5

/** Signs in a listed Telegram id by an answer of the widget that is signed, a few seconds old and new to us. @throws forbidden for whatever is wrong. */
export async function loginWithTelegram(ctx: Ctx, caller: Caller, answer: TelegramAnswer): Promise<SignedIn> {
  return signingIn(async () => {
    await countAttempt(ctx, caller, NO_ACCOUNT)
    const { TELEGRAM_OAUTH_ENABLED, TELEGRAM_OAUTH_ADMIN_IDS, TELEGRAM_BOT_TOKEN } = ctx.config
    const account = answer.username ?? String(answer.id)
    const refuse = (reason: string) => refuseSignIn(ctx, caller, account, `Telegram: ${reason}`)
    if (!TELEGRAM_OAUTH_ENABLED || !TELEGRAM_BOT_TOKEN) return refuse('this login is off')
    if (!TELEGRAM_OAUTH_ADMIN_IDS.includes(answer.id)) return refuse(`the id ${answer.id} is not listed`)
    const ageSeconds = ctx.now().getTime() / 1000 - answer.auth_date
    if (ageSeconds > ANSWER_LIFETIME_SECONDS) return refuse('the answer is too old')
    if (ageSeconds < -CLOCK_SKEW_SECONDS) return refuse('the answer is of the future')
    if (!isSignedByTelegram(answer, TELEGRAM_BOT_TOKEN)) return refuse('the signature is wrong')
    if (!(await useOnce(ctx, answer))) return refuse('the answer was used before')
    return signInVouched(ctx, caller, { provider: 'telegram', subject: String(answer.id), label: account, names: [] })
  })
}

/** An answer that was overheard opens nothing: it is remembered for longer than it could be used. */
function useOnce(ctx: Ctx, { hash, auth_date }: TelegramAnswer): Promise<boolean> {
  const expiresAt = new Date((auth_date + 2 * (ANSWER_LIFETIME_SECONDS + CLOCK_SKEW_SECONDS)) * 1000)
  const stateHash = createHash('sha256').update(`telegram ${hash.toLowerCase()}`).digest('base64url')
  return insertIfNew(ctx.db, { stateHash, provider: 'telegram', browserHash: '', expiresAt })
}

/** Whether the hash of the answer was made with the bot's token. */
export function isSignedByTelegram({ hash, ...fields }: TelegramAnswer, botToken: string): boolean {
  // Parsers ignore trailing characters, which would make one answer many.
  if (!/^[\da-f]{64}$/i.test(hash)) return false
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${value}`)
  // A name of two lines could be read as a name and another field.
  if (lines.some((line) => line.includes('\n'))) return false
  const key = createHash('sha256').update(botToken).digest()
  const expected = createHmac('sha256', key).update(lines.toSorted().join('\n')).digest()
  return timingSafeEqual(Buffer.from(hash, 'hex'), expected)
}
