import * as api from '@causeway/contract'
import { sql } from 'kysely'
import { startNotices } from '../src/features/notices/worker.actions.ts'
import { startWebhooks } from '../src/features/webhooks/worker.actions.ts'
import type { TestServer } from './server.ts'
import { startTelegram, type Telegram } from './telegram.ts'

export const BOT_TOKEN = '123456789:AAEhBP0av28fZk5TqYxPq-u8yqyyGxOr9_Y'
export const CHAT = -1001234567890
export const WAIT = { timeout: 20_000, interval: 50 }

const TABLES = ['noticeRules', 'noticeWays', 'webhooks', 'outbox', 'domainEvents', 'nodes', 'users', 'configProfiles'] as const

export type NoticeWorld = Awaited<ReturnType<typeof noticeWorld>>

/** A server without any notices, a chat that they can be sent to, and what tests of them do. */
export async function noticeWorld(server: TestServer) {
  server.clock.now = undefined
  for (const table of TABLES) await server.ctx.db.deleteFrom(table).execute()
  const telegram: Telegram = await startTelegram([CHAT, '@team'])
  const workers: { stop(): Promise<void> }[] = []
  const stop = async () => {
    for (const worker of workers.splice(0)) await worker.stop()
  }
  return {
    telegram,
    /** Publishing belongs to the same process as the sending of notices. */
    start: async (ctx = server.ctx) => void workers.push(await startWebhooks(ctx), await startNotices(ctx)),
    stop,
    close: async () => {
      await stop()
      await telegram.close()
    },
    makeWay: (more: object = {}) =>
      server.call(api.createNoticeWay, { telegram: { chat: String(CHAT), token: BOT_TOKEN, apiRoot: telegram.url }, ...more }),
    makeRule: (condition: api.NoticeCondition, way: { uuid: string }, more: object = {}) =>
      server.call(api.createNoticeRule, { condition, ways: [way.uuid], digest: 'none', ...more }),
    messages: async (view: object = {}) => (await server.call(api.listNoticeMessages, view)).messages,
    wayOf: (uuid: string) => server.call(api.getNoticeWay, { uuid }),
    texts: () => telegram.said.map(({ text }) => text),
    /** Lets all pauses pass. */
    hasten: () =>
      sql`with "rested" as (update "noticeWayStates" set "restsUntil" = null) update "noticeMessages" set "nextAttemptAt" = now()`.execute(
        server.ctx.db,
      ),
    makeNode: async (name = 'Warsaw') => {
      const inbound = { tag: `IN_${name}`, port: 443, protocol: 'vless', settings: { clients: [], decryption: 'none' } }
      const profile = await server.call(api.createConfigProfile, { name: `Profile_${name}`, config: { inbounds: [inbound] } })
      const active = { activeConfigProfileUuid: profile.uuid, activeInbounds: profile.inbounds.map(({ uuid }) => uuid) }
      return server.call(api.createNode, { name, address: `${name.toLowerCase()}.example`, configProfile: active })
    },
  }
}
