import { z } from 'zod'
import { endpoint } from './endpoint.ts'

// What `causeway doctor` finds out about an installation. Own addition.

export const DOCTOR_CHECKS = [
  'version',
  'settings',
  'disk',
  'memory',
  'files',
  'database',
  'backups',
  'server',
  'clock',
  'names',
  'ports',
  'tls',
  'nodes',
  'proxies',
] as const
export type DoctorCheck = (typeof DOCTOR_CHECKS)[number]

/** `unknown`: the check could not be made, for a reason that another check names. */
export const DOCTOR_STATES = ['ok', 'warning', 'bad', 'unknown'] as const
export type DoctorState = (typeof DOCTOR_STATES)[number]

/** Each has one sentence with the fact and the remedy: on a terminal, and in each language of the dashboard. */
export const DOCTOR_FINDINGS = [
  'version',
  'versionOfCommit',
  'settings',
  'noSettingsFile',
  'settingUnread',
  'settingMisspelt',
  'disk',
  'diskLow',
  'diskFull',
  'diskUnreadable',
  'memory',
  'memoryLow',
  'files',
  'fileOpen',
  'databaseEmbedded',
  'databaseOwn',
  'databaseAway',
  'databaseNewer',
  'databaseOlder',
  'databaseUnsafe',
  'databaseBusy',
  'replica',
  'replicaLate',
  'replicaAway',
  'backup',
  'backupOld',
  'backupNever',
  'server',
  'serverAway',
  'clock',
  'clockDiffers',
  'clockUnknown',
  'noNames',
  'name',
  'nameUnknown',
  'noPorts',
  'portOpen',
  'portClosed',
  'portsNoNode',
  'portsUnknown',
  'noTls',
  'tls',
  'tlsSoon',
  'tlsUntrusted',
  'tlsUnknown',
  'tlsEnded',
  'tlsRefused',
  'certificateFailed',
  'nodes',
  'noNodes',
  'nodeLost',
  'nodesUnknown',
  'proxies',
  'proxiesAll',
] as const
export type DoctorFindingName = (typeof DOCTOR_FINDINGS)[number]

export const doctorFinding = z.object({
  check: z.enum(DOCTOR_CHECKS),
  state: z.enum(DOCTOR_STATES),
  finding: z.enum(DOCTOR_FINDINGS),
  values: z.record(z.string(), z.union([z.string(), z.number()])).describe('what the sentence of the finding names'),
})
export type DoctorFinding = z.output<typeof doctorFinding>

export const examineInstallation = endpoint({
  name: 'examineInstallation',
  title: 'Examine Installation',
  tag: 'Installation',
  access: 'settings.read',
  method: 'GET',
  path: '/api/x/doctor',
  response: z.object({ isWrong: z.boolean(), findings: z.array(doctorFinding) }),
})
