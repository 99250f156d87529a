import { FINGERPRINT, INSTALLATION_KEY } from '../lib/keys/master-key.ts'

// Tables and columns that an archive does not carry, each with its reason. All other tables and columns it does, those of the future as well.

export const leftOutTables: Record<string, string> = {
  serverProcesses: 'processes that run; unlogged, and empty after a crash too',
  fleetServers: 'servers that run, each of which enters itself',
  connectionReadings: 'answers of nodes that are kept for minutes; unlogged',
  untold: 'notices to processes that run; unlogged',
  userTraffic: 'an order that servers make anew from what users moved; unlogged',
  trafficOrder: 'says of which day that order is; unlogged',
  signInAttempts: 'failed attempts of the last minutes',
  oauth2States: 'browsers that are at a provider at this moment',
  passkeyChallenges: 'browsers that are asked for a passkey at this moment',
}

export const leftOutColumns: Record<string, Record<string, string>> = {
  outbox: { transaction: 'a number of this database server; rows get that of the import' },
}

/** Rows of `secrets` that belong to the master key of one place, and are made anew for that of another. */
export const LEFT_OUT_SECRETS = [FINGERPRINT, INSTALLATION_KEY]
