import type { MoveInKind } from '@causeway/contract'
import type { Counts, Finding } from '@causeway/import'

/** The report of an import, or of a dry run, for a terminal. */
export function inWords(report: { version: string; isDryRun: boolean; counts: Counts; findings: Finding[] }): string {
  const { version, isDryRun, counts, findings } = report
  const head = isDryRun
    ? `From ${inSource(version)}. This would come over; nothing was written:`
    : `Imported from ${inSource(version)}:`
  const lines = Object.entries(counts).map(
    ([kind, count]) => `  ${count.toLocaleString('en').padStart(12)}  ${KINDS[kind as MoveInKind]}`,
  )
  const settled = findings.flatMap(({ sentence, count, examples }) => [
    `  ${sentence} (${count.toLocaleString('en')})`,
    ...examples.map((example) => `      ${example}`),
    ...(count > examples.length ? [`      and ${(count - examples.length).toLocaleString('en')} more`] : []),
  ])
  return [head, ...lines, ...(settled.length > 0 ? ['Differences:', ...settled] : ['Nothing differs.'])].join('\n')
}

/** Of panels without one, the version is the panel's name. */
function inSource(version: string): string {
  return /^\d/.test(version) ? `version ${version}` : version
}

const KINDS: Record<MoveInKind, string> = {
  keys: 'key pairs',
  admin: 'administrators',
  apiToken: 'API tokens',
  oldLinks: 'forms of old links',
  subscriptionSettings: 'subscription settings',
  subscriptionTemplate: 'templates',
  pageConfig: 'page configurations',
  externalSquad: 'external squads',
  snippet: 'snippets',
  sharedList: 'shared lists',
  nodePlugin: 'node plugins',
  provider: 'providers',
  profile: 'config profiles',
  inbound: 'inbounds',
  squad: 'squads',
  node: 'nodes',
  nodeMetadata: 'metadata of nodes',
  nodeTrafficReset: 'resets of nodes',
  nodeUsage: 'hours of nodes',
  billingNode: 'billing nodes',
  billingRecord: 'billing records',
  host: 'hosts',
  user: 'users',
  userMetadata: 'metadata of users',
  member: 'squad members',
  device: 'devices',
  userTrafficReset: 'resets of users',
  userUsage: 'days of usage',
  subscriptionRequest: 'subscription requests',
}
