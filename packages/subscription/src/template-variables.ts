import type { TemplateKey, UserStatus } from '@causeway/contract'
import { gibText } from './text/size-text.ts'
import type { Subscriber } from './subscriber.ts'

const dayMs = 24 * 60 * 60 * 1000

const statusTexts: Record<UserStatus, string> = {
  ACTIVE: ' ✅ Active',
  EXPIRED: ' ⚠️ Expired',
  DISABLED: '❌ Disabled',
  LIMITED: '🔴 Limited',
}

/** The status by its own word; no text can name this key. */
const STATUS_NAME = ':STATUS'

export type TemplateValues = Readonly<Record<string, string>>

/** Whole days to expiry, truncated towards zero, negative when past. */
export function daysLeft(expireAt: Date, now: Date): number {
  const days = Math.trunc((expireAt.getTime() - now.getTime()) / dayMs)
  return days === 0 ? 0 : days // never -0
}

/** Values of `{{NAME}}` in titles, announcements, header values and remarks. */
export function templateValues(
  user: Subscriber,
  subscriptionUrl: string,
  now: Date,
): Record<TemplateKey | typeof STATUS_NAME, string> {
  return {
    DAYS_LEFT: String(Math.max(0, daysLeft(user.expireAt, now))),
    TRAFFIC_USED: gibText(user.usedTrafficBytes),
    TRAFFIC_LEFT: gibText(user.trafficLimitBytes - user.usedTrafficBytes),
    TOTAL_TRAFFIC: gibText(user.trafficLimitBytes),
    STATUS: statusTexts[user.status],
    USERNAME: user.username,
    EMAIL: user.email ?? '',
    TELEGRAM_ID: user.telegramId === null ? '' : String(user.telegramId),
    SUBSCRIPTION_URL: subscriptionUrl,
    TAG: user.tag ?? '',
    EXPIRE_UNIX: unixText(user.expireAt),
    SHORT_UUID: user.shortUuid,
    ID: String(user.id),
    TRAFFIC_USED_BYTES: String(user.usedTrafficBytes),
    TRAFFIC_LEFT_BYTES: String(Math.max(0, user.trafficLimitBytes - user.usedTrafficBytes)),
    TOTAL_TRAFFIC_BYTES: String(user.trafficLimitBytes),
    RESET_STRATEGY: user.trafficLimitStrategy,
    LIFETIME_USED_BYTES: String(user.lifetimeUsedTrafficBytes),
    CREATED_AT_UNIX: unixText(user.createdAt),
    LAST_TRAFFIC_RESET_AT_UNIX: user.lastTrafficResetAt === null ? '' : unixText(user.lastTrafficResetAt),
    SS_HWID_LIMIT: user.hwidDeviceLimit === null ? '' : String(user.hwidDeviceLimit),
    DESCRIPTION: user.description ?? '',
    [STATUS_NAME]: user.status,
  }
}

function unixText(instant: Date): string {
  return String(Math.floor(instant.getTime() / 1000))
}

/** Replaces known names, and `{{STATUS:ACTIVE=x|EXPIRED=y}}` by the text of the status; unknown ones stay as typed. */
export function fillTemplate(text: string, values: TemplateValues): string {
  if (!text.includes('{{')) return text
  return text.replace(/\{\{(\w+)(?::([^{}]*))?\}\}/g, (typed, name: string, choices: string | undefined) => {
    if (choices !== undefined) return name === 'STATUS' ? (chosenText(choices, values[STATUS_NAME]) ?? typed) : typed
    return Object.hasOwn(values, name) ? (values[name] ?? typed) : typed
  })
}

/** Undefined where these are no choices; a status without one has no text. */
function chosenText(choices: string, status: string | undefined): string | undefined {
  const texts = choices.split('|').map((choice) => /^(ACTIVE|DISABLED|LIMITED|EXPIRED)=(.*)$/.exec(choice))
  if (status === undefined || texts.some((text) => text === null)) return undefined
  return texts.find((text) => text?.[1] === status)?.[2] ?? ''
}
