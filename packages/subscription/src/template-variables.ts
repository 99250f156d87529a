import type { TemplateKey, UserStatus } from '@causeway/contract'
import { gibText } from './size-text.ts'
import type { Subscriber } from './subscriber.ts'

const dayMs = 24 * 60 * 60 * 1000

const statusTexts: Record<UserStatus, string> = {
  ACTIVE: ' ✅ Active',
  EXPIRED: ' ⚠️ Expired',
  DISABLED: '❌ Disabled',
  LIMITED: '🔴 Limited',
}

export type TemplateValues = Readonly<Record<string, string>>

/** Whole days to expiry, truncated towards zero, negative when past. */
export function daysLeft(expireAt: Date, now: Date): number {
  const days = Math.trunc((expireAt.getTime() - now.getTime()) / dayMs)
  return days === 0 ? 0 : days // never -0
}

/** Values of `{{NAME}}` in titles, announcements, header values and remarks. */
export function templateValues(user: Subscriber, subscriptionUrl: string, now: Date): Record<TemplateKey, string> {
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
  }
}

/** Replaces known names; unknown ones stay as typed. */
export function fillTemplate(text: string, values: TemplateValues): string {
  if (!text.includes('{{')) return text
  return text.replace(/\{\{(\w+)\}\}/g, (typed, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? typed) : typed))
}
