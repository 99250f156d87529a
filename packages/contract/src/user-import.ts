import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireText } from './wire.ts'

// Users from a spreadsheet. All of this is our own addition.

/** More make two files: what is imported can be taken back as one. */
export const MOST_IMPORTED = 10_000
const LONGEST = 4_000_000

/** The columns that are read, as an export names them. Limits may be given in GiB instead of bytes. */
export const importColumn = z.enum([
  'username',
  'expireAt',
  'trafficLimitBytes',
  'trafficLimitGib',
  'trafficLimitStrategy',
  'email',
  'telegramId',
  'tag',
  'description',
  'hwidDeviceLimit',
  'activeInternalSquads',
  'externalSquadUuid',
  'status',
])
export type ImportColumn = z.output<typeof importColumn>

export const importOutcome = z
  .enum(['create', 'update', 'same', 'refuse'])
  .describe('update: a user of this name exists; same: and is so already')
export type ImportOutcome = z.output<typeof importOutcome>

const counts = z.record(importOutcome, z.number())

export const importedLine = z.object({
  line: z.number().describe('of the file, its first one being 1'),
  username: z.string(),
  outcome: importOutcome,
  changes: z.array(z.string()).describe('columns that an update changes'),
  reasons: z.array(z.string()).describe('why it is refused'),
})
export type ImportedLine = z.output<typeof importedLine>

const csv = wireText(LONGEST).describe('with a head of column names; commas, semicolons or tabs between cells')

export const planUserImport = endpoint({
  name: 'planUserImport',
  title: 'Preview Import of Users',
  tag: 'Users',
  access: 'users.read',
  method: 'POST',
  path: '/api/x/users/import/plan',
  bodyMegabytes: 4,
  body: z.object({ csv }),
  response: z.object({
    columns: z.array(importColumn),
    ignored: z.array(z.string()).describe('columns that are not read'),
    counts,
    lines: z.array(importedLine),
  }),
})

/** Creates and updates by a job; an empty cell leaves as it is what the user has. */
export const importUsers = endpoint({
  name: 'importUsers',
  title: 'Import Users',
  tag: 'Users',
  access: 'users.write',
  method: 'POST',
  path: '/api/x/users/import',
  bodyMegabytes: 4,
  body: z.object({ csv, expected: counts.optional().describe('as the preview said; refused where it is otherwise now') }),
  response: z.object({ affectedRows: z.number(), jobId: z.string().optional() }),
})
