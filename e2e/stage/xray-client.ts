import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { freePort, run, tail, until } from './processes.ts'

const clientConfig = z.looseObject({ remarks: z.string() })
const subscription = z.array(clientConfig)

/** Fetches a subscription as an app that takes Xray's own JSON: one ready configuration per host. */
export async function fetchXraySubscription(origin: string, shortUuid: string): Promise<z.output<typeof subscription>> {
  const reply = await fetch(`${origin}/api/sub/${shortUuid}/json`, { headers: { 'user-agent': 'v2rayNG/1.10.8' } })
  if (!reply.ok) throw new Error(`The subscription was answered ${reply.status}: ${await reply.text()}`)
  return subscription.parse(await reply.json())
}

export interface XrayClient {
  socksPort: number
  close(): Promise<void>
}

/**
 * Runs a second Xray as a subscriber's device would, from a configuration of the subscription. Only the way in is ours, a
 * SOCKS port; the way out is used as it was rendered.
 */
export async function startXrayClient(
  xray: string,
  config: z.output<typeof clientConfig>,
  authorityFile: string,
): Promise<XrayClient> {
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-client-'))
  const socksPort = await freePort()
  const file = path.join(folder, 'config.json')
  const inbounds = [
    { tag: 'socks', listen: '127.0.0.1', port: socksPort, protocol: 'socks', settings: { auth: 'noauth', udp: false } },
  ]
  // The rendered routing sends private addresses past the proxy, and everything here is at one.
  writeFileSync(file, JSON.stringify({ ...config, inbounds, routing: undefined, dns: undefined, log: { loglevel: 'warning' } }))
  const client = run({
    name: `client-${config.remarks.replaceAll(/\W+/g, '-')}`,
    command: xray,
    args: ['run', '-c', file],
    env: { SSL_CERT_FILE: authorityFile },
  })
  await until(`the client for ${config.remarks} listens`, async () => {
    if (!client.isRunning()) throw new Error(tail(client.logFile))
    return isListening(socksPort)
  })
  return {
    socksPort,
    close: async () => {
      await client.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
