import type { PluginConfig } from '@causeway/contract'
import { Holder, isNetwork } from '../../lib/addresses.ts'

const REFERENCE = 'ext:'

/** Names of the shared lists that a plugin uses. */
export function listsIn(config: PluginConfig): string[] {
  const names = fieldsOf(config).flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.startsWith(REFERENCE) ? [entry.slice(REFERENCE.length)] : [])),
  )
  return [...new Set(names)]
}

/** A list of networks of a plugin, named as in its JSON. */
interface Field {
  path: string
  entries: readonly string[]
  /** Clients are shut out by it. */
  isIngress?: boolean
}

function fieldsOf({ torrentBlocker, ingressFilter, egressFilter, connectionDrop }: PluginConfig): Field[] {
  return [
    { path: 'torrentBlocker.ignoreLists.ip', entries: torrentBlocker?.ignoreLists?.ip ?? [] },
    { path: 'ingressFilter.blockedIps', entries: ingressFilter?.blockedIps ?? [], isIngress: true },
    { path: 'egressFilter.blockedIps', entries: egressFilter?.blockedIps ?? [] },
    { path: 'connectionDrop.whitelistIps', entries: connectionDrop?.whitelistIps ?? [] },
  ]
}

export type Lists = ReadonlyMap<string, readonly string[]>

/** The networks of these entries, with those of the lists that they name. */
export function resolve(entries: readonly string[] = [], lists: Lists): string[] {
  const networks = entries.flatMap((entry) =>
    entry.startsWith(REFERENCE) ? (lists.get(entry.slice(REFERENCE.length)) ?? []) : [entry.trim()],
  )
  return [...new Set(networks)]
}

/** An address that must be let through, and whose it is. */
export interface Protected {
  address: string
  whose: string
}

const LOOPBACK: Protected[] = [
  { address: '127.0.0.1', whose: 'the node itself' },
  { address: '::1', whose: 'the node itself' },
]
/** Sentences shown at once. */
const MOST_COMPLAINTS = 5

/** Mistakes in the networks of a plugin, a sentence each that begins with the field. */
export function networkProblems(config: PluginConfig, lists: Lists, kept: readonly Protected[]): string[] {
  const problems: string[] = []
  for (const { path, entries, isIngress } of fieldsOf(config)) {
    for (const entry of entries) {
      if (problems.length >= MOST_COMPLAINTS) return problems
      if (entry.startsWith(REFERENCE)) {
        if (!lists.has(entry.slice(REFERENCE.length)))
          problems.push(`${path}: there is no shared list ${entry.slice(REFERENCE.length)}.`)
      } else if (!isNetwork(entry.trim())) {
        problems.push(`${path}: ${entry} is no address or network such as 203.0.113.0/24.`)
      }
    }
    const guarded = isIngress ? [...LOOPBACK, ...kept] : path.startsWith('egress') ? LOOPBACK : []
    const problem = lockOut(path, new Holder(resolve(entries, lists).filter(isNetwork)), guarded)
    if (problem !== undefined) problems.push(problem)
  }
  return problems
}

/** Why addresses must not be blocked: the loopback of the node, and those that must reach it. */
export function protectedProblem(path: string, holder: Holder, kept: readonly Protected[]): string | undefined {
  return lockOut(path, holder, [...LOOPBACK, ...kept])
}

function lockOut(path: string, holder: Holder, guarded: readonly Protected[]): string | undefined {
  let mapped: string | undefined
  for (const { address, whose } of guarded) {
    const network = holder.find(address)
    if (network === undefined) continue
    const problem = `${path}: ${network} would lock out ${address}, which is ${whose}.`
    // Networks of IPv6 hold addresses of IPv4 as well; one of their own kind says more.
    if (network.includes(':') === address.includes(':')) return problem
    mapped ??= problem
  }
  return mapped
}

export const isIPLiteral = (text: string): boolean => isNetwork(text) && !text.includes('/')
