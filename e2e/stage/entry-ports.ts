import { parse, stringify } from 'yaml'
import {
  compileTemplates,
  defaultTemplates,
  formatOfClientType,
  formatOfUserAgent,
  renderSubscription,
  type ProxyEntry,
  type SubscriptionFormat,
} from '@causeway/subscription'
import type { XrayObject } from '@causeway/xray'
import { freePorts } from './processes.ts'

// An app with all entries of a subscription at once, in one process with a port per entry.

const templates = compileTemplates(defaultTemplates)

/** What an app is run with, and by which port each of the entries that it was given is reached. */
export interface EntryPorts {
  config: string
  ports: Map<string, number>
}

export async function portsOf(names: string[]): Promise<Map<string, number>> {
  const ports = await freePorts(names.length)
  return new Map(names.map((name, index) => [name, ports[index] ?? 0]))
}

export function rendered(format: SubscriptionFormat, entries: ProxyEntry[]): string {
  return renderSubscription(format, entries, { templates, isHapp: false, random: Math.random }).body
}

export async function mihomoPorts(entries: ProxyEntry[]): Promise<EntryPorts> {
  const { proxies } = parse(rendered(formatOfClientType('mihomo'), entries)) as { proxies: { name: string }[] } // the format's own shape
  const ports = await portsOf(proxies.map(({ name }) => name))
  const listeners = [...ports].map(([proxy, port], index) => ({
    name: `in-${index}`,
    type: 'mixed',
    listen: '127.0.0.1',
    port,
    proxy,
  }))
  const config = { mode: 'rule', 'log-level': 'warning', ipv6: false, proxies, listeners, rules: ['MATCH,DIRECT'] }
  return { config: stringify(config), ports }
}

/** Of sing-box 1.12.8. */
export async function singBoxPorts(entries: ProxyEntry[]): Promise<EntryPorts> {
  const format = formatOfUserAgent('SFA/1.12.8 (1; sing-box 1.12.8)', false)
  const all = (JSON.parse(rendered(format, entries)) as { outbounds: XrayObject[] }).outbounds // as above
  const outbounds = all.filter(({ type }) => type !== 'selector')
  const ports = await portsOf(outbounds.filter(({ type }) => type !== 'direct').map(({ tag }) => String(tag)))
  const inbounds = [...ports].map(([tag, port]) => ({ type: 'mixed', tag: `to ${tag}`, listen: '127.0.0.1', listen_port: port }))
  const rules = [...ports.keys()].map((tag) => ({ inbound: [`to ${tag}`], outbound: tag }))
  return { config: JSON.stringify({ log: { level: 'warn' }, inbounds, outbounds, route: { rules } }), ports }
}
