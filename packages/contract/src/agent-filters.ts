import { z } from 'zod'
import { said } from './agent-parts.ts'
import { isIpAddress } from './host-address.ts'
import { wireInstant, wireInt, wireList, wireText, wireUuid } from './wire.ts'

// Filters for an agent, and its reports of torrents. Names of users and addresses travel only between the server and
// its own agents.

/** Networks of one filter, after its lists were inserted. */
export const MOST_NETWORKS = 100_000
const MOST_PORTS = 1000
const MOST_EXCEPTIONS = 10_000
const MOST_BLOCKS = 10_000
const MOST_FILES = 64
export const MOST_TORRENT_REPORTS = 1000

const texts = (most: number, what: string) => z.array(z.string()).max(most, `must hold at most ${most} ${what}`)
const address = z.string().refine(isIpAddress)

export const agentFilters = z.object({
  /** Addresses and networks that the node takes no packets from. */
  ingress: texts(MOST_NETWORKS, 'networks'),
  /** Addresses and networks that it opens no connections to. */
  egress: texts(MOST_NETWORKS, 'networks'),
  egressPorts: z.array(wireInt).max(MOST_PORTS, `must hold at most ${MOST_PORTS} ports`),
  torrents: z
    .object({
      blockSeconds: wireInt.describe('0: for ever'),
      exceptAddresses: texts(MOST_EXCEPTIONS, 'addresses'),
      exceptUsernames: texts(MOST_EXCEPTIONS, 'users'),
    })
    .nullable(),
  /** Connections of blocked addresses are closed, but not those of the exceptions. */
  drops: z.object({ exceptAddresses: texts(MOST_EXCEPTIONS, 'addresses') }).nullable(),
  /** Sockets that are removed before Xray starts, as patterns of file names. */
  socketFiles: texts(MOST_FILES, 'patterns'),
})
export type AgentFilters = z.output<typeof agentFilters>

/** `problem` says why this node filters and blocks nothing; the rest of it works. */
export const filterState = z.object({ problem: said.nullable() })

export const blockOrder = z.object({
  block: z.array(z.object({ ip: address, seconds: wireInt })).max(MOST_BLOCKS, `must hold at most ${MOST_BLOCKS} addresses`),
  unblock: z.array(address).max(MOST_BLOCKS, `must hold at most ${MOST_BLOCKS} addresses`),
  /** The table of the agent is made anew, without blocks. */
  isAnew: z.boolean(),
})
export type BlockOrder = z.output<typeof blockOrder>

/** A connection that the rule of Xray caught, in the words of Xray. */
export const xrayMatch = z.object({
  email: said.nullable(),
  level: wireInt.nullable(),
  protocol: said.nullable(),
  network: said,
  source: said.nullable(),
  destination: said.nullable(),
  routeTarget: said.nullable(),
  originalTarget: said.nullable(),
  inboundTag: said.nullable(),
  inboundName: said.nullable(),
  inboundLocal: said.nullable(),
  outboundTag: said.nullable(),
  ts: wireInt,
})
export type XrayMatch = z.output<typeof xrayMatch>

export const torrentReport = z.object({
  id: wireUuid,
  username: wireText(255),
  ip: address,
  at: wireInstant,
  isBlocked: z.boolean(),
  blockSeconds: wireInt,
  match: xrayMatch,
})
export type TorrentReport = z.output<typeof torrentReport>
export const torrentReports = z.object({ reports: wireList(torrentReport, MOST_TORRENT_REPORTS) })
