import { agentApi, type AgentReply, type ConnectedUser, type LogLine } from '@causeway/contract'

type Connected = Map<string, string[]>

interface Surroundings {
  /** Addresses that users of the simulated core are connected from. */
  connected: Connected
  /** Ports of the server that the node does not reach, with why. */
  closedPorts: Map<number, string>
  /** The end of its logs, by log. */
  logs: Map<string, LogLine[]>
}

export function answerOfConnections({ connected, closedPorts, logs }: Surroundings, path: string, body: unknown): unknown {
  switch (path) {
    case agentApi.readConnections.path:
      return read(connected, agentApi.readConnections.body.parse(body))
    case agentApi.dropConnections.path:
      return drop(connected, agentApi.dropConnections.body.parse(body))
    case agentApi.cutConnections.path:
      return cut(connected, agentApi.cutConnections.body.parse(body))
    case agentApi.setFilters.path:
    case agentApi.setBlocks.path:
      return { problem: null }
    case agentApi.takeTorrents.path:
      return { reports: [] }
    case agentApi.readLog.path:
      return { lines: logs.get(agentApi.readLog.body.parse(body).log) ?? [] }
    case agentApi.reachPorts.path:
      return reach(closedPorts, agentApi.reachPorts.body.parse(body))
    default:
      return undefined
  }
}

function read(connected: Connected, { usernames }: { usernames?: string[] | undefined }): { users: ConnectedUser[] } {
  const lastSeen = new Date().toISOString()
  const named = [...connected].filter(([username]) => usernames?.includes(username) ?? true)
  return { users: named.map(([username, ips]) => ({ username, ips: ips.map((ip) => ({ ip, lastSeen })) })) }
}

function drop(
  connected: Connected,
  { usernames, ips }: { usernames: string[]; ips: string[] },
): AgentReply<typeof agentApi.dropConnections> {
  let closed = 0
  for (const [username, from] of connected) {
    const left = usernames.includes(username) ? [] : from.filter((ip) => !ips.includes(ip))
    closed += from.length - left.length
    connected.set(username, left)
  }
  return { closed, error: null }
}

/** Which inbound a connection came to is not simulated. */
function cut(connected: Connected, { cuts }: { cuts: { username: string }[] }): AgentReply<typeof agentApi.cutConnections> {
  return drop(connected, { usernames: cuts.map(({ username }) => username), ips: [] })
}

function reach(
  closed: Map<number, string>,
  { targets }: { targets: { host: string; port: number }[] },
): AgentReply<typeof agentApi.reachPorts> {
  return { results: targets.map((target) => ({ ...target, error: closed.get(target.port) ?? null })) }
}
