import type { DoctorFindingName } from '@causeway/contract'

type Values = Record<string, string | number>

/** Sentence of each finding on a terminal: the fact, and the remedy. */
const SENTENCES = {
  version: ({ version }) => `Causeway ${version}.`,
  versionOfCommit: ({ version, commit }) => `Causeway ${version} (${commit}).`,
  settings: ({ file, count }) => `${count} settings in ${file}.`,
  noSettingsFile: () => 'Settings come from the environment.',
  settingUnread: ({ file, line, text }) => `${file}, line ${line}: "${text}" sets nothing. Write NAME=value.`,
  settingMisspelt: ({ file, line, name, likely }) => `${file}, line ${line}: ${name} is no setting. Write ${likely}.`,
  disk: ({ freeMegabytes, folder }) => `${freeMegabytes} MB free for ${folder}.`,
  diskLow: ({ freeMegabytes, folder }) =>
    `Only ${freeMegabytes} MB free for ${folder}. Make room, or move the folder to a larger disk.`,
  diskFull: ({ freeMegabytes, folder }) =>
    `${freeMegabytes} MB free for ${folder}: changes are refused soon, or already. Make room now; no restart is needed.`,
  diskUnreadable: ({ folder, reason }) => `${folder} cannot be read (${reason}). DATA_DIR names the data folder of the server.`,
  memory: ({ availableMegabytes, totalMegabytes }) => `${availableMegabytes} of ${totalMegabytes} MB of memory available.`,
  memoryLow: ({ availableMegabytes, totalMegabytes }) =>
    `Only ${availableMegabytes} of ${totalMegabytes} MB of memory available. Stop other programs, or add memory or swap.`,
  files: ({ names }) => `Closed to other users: ${names}.`,
  fileOpen: ({ path, mode, shouldBe }) => `${path} is open to other users (${mode}). Run: chmod ${shouldBe} '${path}'`,
  databaseEmbedded: ({ version, megabytes }) => `Embedded PostgreSQL ${version}, ${megabytes} MB.`,
  databaseOwn: ({ version, megabytes }) => `PostgreSQL ${version} of DATABASE_URL, ${megabytes} MB.`,
  databaseAway: ({ reason }) => `The database does not answer: ${reason}`,
  databaseNewer: ({ first }) =>
    `The database belongs to a newer Causeway (it has ${first}). Install that version, or restore a backup.`,
  databaseOlder: ({ count }) => `The database is ${count} steps behind this version. The next start brings it up to date.`,
  databaseUnsafe: ({ name, value }) => `PostgreSQL has ${name} = ${value}: a power cut may spoil the database. Set it to on.`,
  databaseBusy: ({ connections, maxConnections }) =>
    `${connections} of ${maxConnections} connections are in use. Raise max_connections, or lower DATABASE_POOL_SIZE.`,
  replica: ({ host, seconds }) => `The replica ${host} is ${seconds} s behind.`,
  replicaLate: ({ host, seconds }) =>
    `The replica ${host} is ${seconds} s behind, and is left out. Look at its load, its disk and its network.`,
  replicaAway: ({ host, reason }) => `The replica ${host} does not answer: ${reason}. It is left out.`,
  backup: ({ days }) => `The last backup is ${days} days old.`,
  backupOld: ({ days }) =>
    `The last backup is ${days} days old. Set up a schedule in the dashboard under Utils, Backups, or run causeway backup every night.`,
  backupNever: () =>
    'There never was a backup. Set up a schedule in the dashboard under Utils, Backups, or run causeway backup every night.',
  server: ({ address }) => `The server answers at ${address}.`,
  serverAway: ({ address, reason }) => `No server answers at ${address} (${reason}). Start it, or look at its log.`,
  clock: ({ seconds }) => `The clocks of server and database differ by ${seconds} s.`,
  clockDiffers: ({ seconds }) => `The clock of the database is ${seconds} s ahead of this machine. Let both follow NTP.`,
  clockUnknown: () => 'The clocks were not compared, as the database does not answer.',
  noNames: () => 'No name is configured (PUBLIC_URL, SUB_PUBLIC_DOMAIN).',
  name: ({ host, addresses }) => `${host} is ${addresses}.`,
  nameUnknown: ({ setting, host, reason }) =>
    `${host} of ${setting} has no address (${reason}). Add an A or AAAA record at your DNS provider.`,
  noPorts: () => 'No name is configured whose ports a node could try.',
  portOpen: ({ node, host, port }) => `Node ${node} reaches ${host}, port ${port}.`,
  portClosed: ({ node, host, port, reason }) =>
    `Node ${node} does not reach ${host}, port ${port} (${reason}). Open it in the firewall of this machine and of its provider.`,
  portsNoNode: () => 'Ports were not tried from outside: that needs a connected node with the agent of this server.',
  portsUnknown: () => 'Ports were not tried from outside, as the database does not answer.',
  noTls: () => 'No https address is configured in PUBLIC_URL.',
  tls: ({ host, days, endsAt }) => `The certificate of ${host} is good for ${days} days, until ${endsAt}.`,
  tlsSoon: ({ host, days, endsAt }) =>
    `The certificate of ${host} is good for ${days} days only, until ${endsAt}. Renew it, or set ACME_EMAIL so that the server does.`,
  tlsUntrusted: ({ host, reason, endsAt }) =>
    `The certificate of ${host}, until ${endsAt}, is not one that apps and browsers trust (${reason}). Take one of a public authority, or set ACME_EMAIL.`,
  tlsUnknown: ({ host }) => `The certificate of ${host} was not read, as the name has no address.`,
  tlsEnded: ({ host, endsAt }) => `The certificate of ${host} ended on ${endsAt}. Renew it.`,
  tlsRefused: ({ host, reason }) => `${host} does not serve https to this machine (${reason}).`,
  certificateFailed: ({ name, reason, nextTryAt }) =>
    `No certificate for ${name} from the directory: ${reason} Next try: ${nextTryAt}.`,
  nodes: ({ count }) => `All ${count} nodes are connected.`,
  noNodes: () => 'There is no node yet. Add one in the dashboard under Nodes.',
  nodeLost: ({ name, reason }) =>
    `Node ${name} is not connected${reason === '' ? '' : `: ${reason}`}. Its page in the dashboard says more.`,
  nodesUnknown: () => 'Nodes were not looked at, as the database does not answer.',
  proxies: ({ count }) => (count === 0 ? 'No proxy is trusted.' : `${count} networks of proxies are trusted.`),
  proxiesAll: ({ network }) =>
    `TRUSTED_PROXIES has ${network}: any client can pretend to have any address. Name the addresses of your own proxies.`,
} satisfies Record<DoctorFindingName, (values: Values) => string>

export function sentenceOf({ finding, values }: { finding: DoctorFindingName; values: Values }): string {
  const sentence: (values: Values) => string = SENTENCES[finding]
  return sentence(values)
}
