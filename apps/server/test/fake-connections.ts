import { agentApi, type AgentReply, type ConnectedUser } from '@causeway/contract'

/** Addresses that users of a simulated core are connected from. */
type Connected = Map<string, string[]>

export function answerOfConnections(connected: Connected, path: string, body: unknown): unknown {
  return path === agentApi.readConnections.path
    ? read(connected, agentApi.readConnections.body.parse(body))
    : drop(connected, agentApi.dropConnections.body.parse(body))
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
