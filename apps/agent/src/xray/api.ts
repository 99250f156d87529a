import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError, createClient } from '@connectrpc/connect'
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node'
import type { InboundUser, SystemStats } from '@causeway/contract/agent'
import { AddUserOperationSchema, HandlerService, RemoveUserOperationSchema } from './gen/app/proxyman/command/command_pb.ts'
import { RoutingService } from './gen/app/router/command/command_pb.ts'
import { ConfigSchema as RouterConfig } from './gen/app/router/config_pb.ts'
import { StatsService } from './gen/app/stats/command/command_pb.ts'
import type { User } from './gen/common/protocol/user_pb.ts'
import { AccountSchema as HysteriaAccount } from './gen/proxy/hysteria/account/config_pb.ts'
import { AccountSchema as TrojanAccount } from './gen/proxy/trojan/config_pb.ts'
import { AccountSchema as VlessAccount } from './gen/proxy/vless/account_pb.ts'
import { AccountSchema as VmessAccount } from './gen/proxy/vmess/account_pb.ts'
import { type CipherType, AccountSchema as ShadowsocksAccount } from './gen/proxy/shadowsocks/config_pb.ts'
import { AccountSchema as Shadowsocks2022Account } from './gen/proxy/shadowsocks_2022/config_pb.ts'
import type { Client } from './clients.ts'
import { refusal } from './messages.ts'

/** A million users of an inbound are more than 100 MB. */
const MAX_REPLY_BYTES = 1_000_000_000
const TIMEOUT_MS = 15_000
/** How the core names the connections of a user. */
const ONLINE_NAME = /^user>>>(.*)>>>online$/

export interface Counter {
  name: string
  value: number
}

/** The gRPC interface of a running core. */
export interface XrayApi {
  systemStats(timeoutMs?: number): Promise<Omit<SystemStats, 'coreId'>>
  /** Counters whose name contains the pattern; all of them for the empty one. */
  counters(pattern: string, reset: boolean): Promise<Counter[]>
  /** A user the inbound already has counts as added. */
  addUser(tag: string, client: Client): Promise<void>
  /** A user or an inbound that is not there counts as removed. */
  removeUser(tag: string, username: string): Promise<void>
  inboundUsers(tag: string): Promise<InboundUser[]>
  inboundUsersCount(tag: string): Promise<number>
  /** Addresses the user is connected from, not counting loopback. */
  onlineAddresses(username: string): Promise<number>
  /** Users with open connections. */
  onlineUsers(): Promise<string[]>
  /** The addresses the user is connected from, each with the start of its latest connection; none without connections. */
  addressesOf(username: string): Promise<{ ip: string; lastSeen: Date }[]>
  /** Sends what comes from an address to an outbound, unless an earlier rule of the config says otherwise. */
  addSourceRule(ruleTag: string, address: Uint8Array, outboundTag: string): Promise<void>
  /** A rule that is not there counts as removed. */
  removeRule(ruleTag: string): Promise<void>
  close(): void
}

export function xrayApi(port: number): XrayApi {
  const baseUrl = `http://127.0.0.1:${port}`
  const sessionManager = new Http2SessionManager(baseUrl)
  const transport = createGrpcTransport({
    baseUrl,
    sessionManager,
    readMaxBytes: MAX_REPLY_BYTES,
    defaultTimeoutMs: TIMEOUT_MS,
  })
  const handlers = createClient(HandlerService, transport)
  const stats = createClient(StatsService, transport)
  const routing = createClient(RoutingService, transport)

  return {
    async systemStats(timeoutMs = TIMEOUT_MS) {
      const reply = await stats.getSysStats({}, { timeoutMs })
      return {
        numGoroutine: reply.NumGoroutine,
        numGC: reply.NumGC,
        alloc: Number(reply.Alloc),
        totalAlloc: Number(reply.TotalAlloc),
        sys: Number(reply.Sys),
        mallocs: Number(reply.Mallocs),
        frees: Number(reply.Frees),
        liveObjects: Number(reply.LiveObjects),
        pauseTotalNs: Number(reply.PauseTotalNs),
        uptime: reply.Uptime,
      }
    },
    async counters(pattern, reset) {
      const reply = await stats.queryStats({ pattern, reset })
      return reply.stat.map((stat) => ({ name: stat.name, value: Number(stat.value) }))
    },
    async addUser(tag, client) {
      const operation = typed(AddUserOperationSchema, {
        user: { level: client.level, email: client.email, account: account(client) },
      })
      await handlers.alterInbound({ tag, operation }).catch((error: unknown) => tolerate(error, 'already exists'))
    },
    async removeUser(tag, username) {
      const operation = typed(RemoveUserOperationSchema, { email: username })
      await handlers.alterInbound({ tag, operation }).catch((error: unknown) => tolerate(error, 'not found'))
    },
    async inboundUsers(tag) {
      const reply = await handlers.getInboundUsers({ tag })
      return reply.users.map(inboundUser)
    },
    async inboundUsersCount(tag) {
      const reply = await handlers.getInboundUsersCount({ tag })
      return Number(reply.count)
    },
    async onlineAddresses(username) {
      try {
        const reply = await stats.getStatsOnline({ name: `user>>>${username}>>>online` })
        return Number(reply.stat?.value ?? 0)
      } catch (error) {
        if (ConnectError.from(error).code === Code.NotFound) return 0 // never connected since the core started
        throw error
      }
    },
    async onlineUsers() {
      const { users } = await stats.getAllOnlineUsers({})
      return users.flatMap((name) => ONLINE_NAME.exec(name)?.[1] ?? [])
    },
    async addressesOf(username) {
      try {
        const { ips } = await stats.getStatsOnlineIpList({ name: `user>>>${username}>>>online` })
        // Addresses of version 6 stand in brackets.
        return Object.entries(ips).map(([ip, seconds]) => ({
          ip: ip.replace(/^\[(.*)\]$/, '$1'),
          lastSeen: new Date(Number(seconds) * 1000),
        }))
      } catch (error) {
        if (ConnectError.from(error).code === Code.NotFound) return [] // as above
        throw error
      }
    },
    async addSourceRule(ruleTag, address, outboundTag) {
      const config = typed(RouterConfig, {
        rule: [
          {
            ruleTag,
            targetTag: { case: 'tag', value: outboundTag },
            sourceGeoip: [{ cidr: [{ ip: address, prefix: address.length * 8 }] }],
          },
        ],
      })
      await routing
        .addRule({ config, shouldAppend: true })
        .catch((error: unknown) => tolerate(error, `duplicate ruleTag ${ruleTag}`))
    },
    async removeRule(ruleTag) {
      await routing.removeRule({ ruleTag })
    },
    close() {
      sessionManager.abort()
    },
  }
}

function tolerate(error: unknown, phrase: string): void {
  if (!refusal(error).includes(phrase)) throw error
}

function account(client: Client) {
  switch (client.protocol) {
    case 'vless':
      return typed(VlessAccount, { id: client.id, flow: client.flow, encryption: 'none' })
    case 'vmess':
      return typed(VmessAccount, { id: client.id })
    case 'hysteria':
      return typed(HysteriaAccount, { auth: client.password })
    case 'trojan':
      return typed(TrojanAccount, { password: client.password })
    case 'shadowsocks':
      return typed(ShadowsocksAccount, {
        password: client.password,
        cipherType: client.cipherType as CipherType, // an open enum of protobuf: any number is a value of it
        ivCheck: client.ivCheck,
      })
    case 'shadowsocks2022':
      return typed(Shadowsocks2022Account, { key: client.password })
  }
}

/** Xray finds the Go type of a nested message by its name. */
function typed<S extends DescMessage>(schema: S, value: MessageInitShape<S>) {
  return { type: schema.typeName, value: toBinary(schema, create(schema, value)) }
}

function inboundUser(user: User): InboundUser {
  const known = { username: user.email, email: user.email, level: user.level }
  const { type, value } = user.account ?? {}
  if (!value) return known
  if (type === VlessAccount.typeName) {
    const { id, flow } = fromBinary(VlessAccount, value)
    return { ...known, uuid: id, flow }
  }
  if (type === VmessAccount.typeName) return { ...known, uuid: fromBinary(VmessAccount, value).id }
  if (type === HysteriaAccount.typeName) return { ...known, password: fromBinary(HysteriaAccount, value).auth }
  if (type === TrojanAccount.typeName) return { ...known, password: fromBinary(TrojanAccount, value).password }
  if (type === Shadowsocks2022Account.typeName) return { ...known, password: fromBinary(Shadowsocks2022Account, value).key }
  if (type === ShadowsocksAccount.typeName) {
    const { password, cipherType, ivCheck } = fromBinary(ShadowsocksAccount, value)
    return { ...known, password, cipherType, ivCheck }
  }
  return known
}
