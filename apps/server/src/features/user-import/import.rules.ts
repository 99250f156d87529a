import {
  createUser,
  importColumn,
  readCsv,
  updateUser,
  withoutGuard,
  type ImportColumn,
  type ImportedLine,
  type ImportOutcome,
  type Input,
} from '@causeway/contract'

// The effect of each line of a spreadsheet: a decision without reading or writing anything.

const GIB = 1024 ** 3
const NEVER = '2099-01-01T00:00:00Z'

/** How people name the columns, in small letters without signs between. */
const ALIASES: Record<string, ImportColumn> = {
  user: 'username',
  name: 'username',
  login: 'username',
  expire: 'expireAt',
  expires: 'expireAt',
  expiry: 'expireAt',
  expiration: 'expireAt',
  limitgib: 'trafficLimitGib',
  limitgb: 'trafficLimitGib',
  trafficlimitgb: 'trafficLimitGib',
  strategy: 'trafficLimitStrategy',
  mail: 'email',
  telegram: 'telegramId',
  tgid: 'telegramId',
  note: 'description',
  comment: 'description',
  devicelimit: 'hwidDeviceLimit',
  devices: 'hwidDeviceLimit',
  squads: 'activeInternalSquads',
  squad: 'activeInternalSquads',
  externalsquad: 'externalSquadUuid',
}
for (const column of importColumn.options) ALIASES[column.toLowerCase()] = column

/** A line with the cells that are read; empty ones are left out. */
export interface ReadLine {
  line: number
  cells: Partial<Record<ImportColumn, string>>
}

export interface ReadImport {
  columns: ImportColumn[]
  ignored: string[]
  lines: ReadLine[]
}

export function readImport(csv: string): ReadImport {
  const [head, ...rows] = readCsv(csv)
  const heads = head?.cells ?? []
  const known = heads.map((name) => ALIASES[name.toLowerCase().replaceAll(/[\s_-]/g, '')])
  return {
    columns: known.filter((column) => column !== undefined),
    ignored: heads.filter((name, index) => known[index] === undefined && name.trim() !== ''),
    lines: rows.map(({ line, cells }) => ({
      line,
      cells: Object.fromEntries(
        known.flatMap((column, index) => {
          const text = withoutGuard(cells[index] ?? '').trim()
          return column === undefined || text === '' ? [] : [[column, text] as const]
        }),
      ),
    })),
  }
}

/** A user as far as an import changes one. */
export interface ImportedUser {
  username: string
  status: string
  expireAt: Date
  trafficLimitBytes: number
  trafficLimitStrategy: string
  email: string | null
  telegramId: number | null
  tag: string | null
  description: string | null
  hwidDeviceLimit: number | null
  activeInternalSquads: readonly { uuid: string }[]
  externalSquadUuid: string | null
}

export interface World {
  /** By their names in small letters. */
  users: ReadonlyMap<string, ImportedUser>
  /** Uuids by names in small letters. */
  squads: ReadonlyMap<string, string>
  /** External ones: uuids by names in small letters and by themselves. */
  externalSquads: ReadonlyMap<string, string>
  /** Each new user needs a squad. Names of users outside the scope are not told: they are refused when the user is made. */
  isOfReseller?: boolean
}

export type NewUser = Input<typeof createUser>
export type UserEdit = Input<typeof updateUser>
export interface PlannedLine {
  told: ImportedLine
  create?: NewUser
  /** Changed members only. */
  edit?: UserEdit
}

/** The effect of every line, in the order of the file. A name that stands twice is taken once. */
export function planImport(lines: readonly ReadLine[], world: World): PlannedLine[] {
  const lineOf = new Map<string, number>()
  return lines.map((read) => {
    const name = read.cells.username ?? ''
    const earlier = lineOf.get(name.toLowerCase())
    if (earlier !== undefined) return refused(read, [`line ${earlier} names this user already`])
    if (name !== '') lineOf.set(name.toLowerCase(), read.line)
    return planLine(read, world)
  })
}

function planLine(read: ReadLine, world: World): PlannedLine {
  const name = read.cells.username
  if (name === undefined) return refused(read, ['the line has no username'])
  const found = world.users.get(name.toLowerCase())
  if (found && found.username !== name) return refused(read, [`the user is written ${found.username}`])
  const { fields, problems } = toFields(read.cells, world)
  if (problems.length > 0) return refused(read, problems)
  if (found) return planEdit(read, found, fields)
  if (world.isOfReseller && fields['activeInternalSquads'] === undefined)
    return refused(read, ['a new user needs one of your squads in activeInternalSquads'])
  return planCreate(read, fields)
}

function planCreate(read: ReadLine, fields: Fields): PlannedLine {
  if (fields['expireAt'] === undefined) return refused(read, ['a new user needs expireAt'])
  const parsed = createUser.body.safeParse(fields)
  if (!parsed.success) return refused(read, sentencesOf(parsed.error.issues))
  return { told: toldOf(read, 'create'), create: parsed.data }
}

function planEdit(read: ReadLine, user: ImportedUser, fields: Fields): PlannedLine {
  const changed = Object.entries(fields).filter(([name, value]) => name !== 'username' && !isSame(user, name, value))
  if (changed.length === 0) return { told: toldOf(read, 'same') }
  const parsed = updateUser.body.safeParse(Object.fromEntries(changed))
  if (!parsed.success) return refused(read, sentencesOf(parsed.error.issues))
  return { told: { ...toldOf(read, 'update'), changes: changed.map(([name]) => name) }, edit: parsed.data }
}

type Fields = Record<string, unknown>

function toFields(cells: ReadLine['cells'], { squads, externalSquads }: World): { fields: Fields; problems: string[] } {
  const fields: Fields = {}
  const problems: string[] = []
  for (const [name, text] of Object.entries(cells) as [ImportColumn, string][])
    // the keys are columns
    switch (name) {
      case 'trafficLimitGib':
        fields['trafficLimitBytes'] = Math.round(numberIn(text) * GIB)
        break
      case 'trafficLimitBytes':
      case 'telegramId':
      case 'hwidDeviceLimit':
        fields[name] = numberIn(text)
        if (Number.isNaN(fields[name])) problems.push(`${name}: ${text} is not a number`)
        break
      case 'expireAt':
        fields[name] = toInstant(text)
        break
      case 'tag':
      case 'trafficLimitStrategy':
        fields[name] = text.toUpperCase()
        break
      case 'status': {
        // The others are found by the server itself.
        const status = text.toUpperCase()
        if (status === 'ACTIVE' || status === 'DISABLED') fields[name] = status
        else if (status !== 'LIMITED' && status !== 'EXPIRED') problems.push(`status: ${text} is none`)
        break
      }
      case 'activeInternalSquads': {
        const names = text.split(',').map((each) => each.trim())
        const unknown = names.filter((each) => !squads.has(each.toLowerCase()))
        problems.push(...unknown.map((each) => `there is no squad ${each}`))
        fields[name] = names.flatMap((each) => squads.get(each.toLowerCase()) ?? [])
        break
      }
      case 'externalSquadUuid': {
        const uuid = externalSquads.get(text.toLowerCase())
        if (uuid === undefined) problems.push(`there is no external squad ${text}`)
        fields[name] = uuid
        break
      }
      case 'username':
      case 'email':
      case 'description':
        fields[name] = text
        break
    }
  if (Number.isNaN(fields['trafficLimitBytes'])) problems.push(`trafficLimitGib: ${cells.trafficLimitGib} is not a number`)
  return { fields, problems: [...new Set(problems)] }
}

/** Comma or point stand before decimals. */
function numberIn(text: string): number {
  return /^\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN
}

/** A day lasts to its end. */
function toInstant(text: string): string {
  if (text.toLowerCase() === 'never') return NEVER
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59Z` : text
}

function isSame(user: ImportedUser, name: string, value: unknown): boolean {
  if (name === 'expireAt') return typeof value === 'string' && Date.parse(value) === user.expireAt.getTime()
  if (name === 'activeInternalSquads') return setOf(value) === setOf(user.activeInternalSquads.map(({ uuid }) => uuid))
  // LIMITED and EXPIRED follow from traffic and time; the administrator's own setting is active.
  if (name === 'status') return value === (user.status === 'DISABLED' ? 'DISABLED' : 'ACTIVE')
  return user[name as keyof ImportedUser] === value // as: the names that are left are its members
}

function setOf(uuids: unknown): string {
  return Array.isArray(uuids)
    ? uuids
        .map(String)
        .toSorted((one, other) => (one < other ? -1 : 1))
        .join()
    : ''
}

function refused(read: ReadLine, reasons: string[]): PlannedLine {
  return { told: { ...toldOf(read, 'refuse'), reasons } }
}

function toldOf({ line, cells }: ReadLine, outcome: ImportOutcome): ImportedLine {
  return { line, username: cells.username ?? '', outcome, changes: [], reasons: [] }
}

function sentencesOf(issues: readonly { path: PropertyKey[]; message: string }[]): string[] {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

export function countOutcomes(lines: readonly { told: ImportedLine }[]): Record<ImportOutcome, number> {
  const counts = { create: 0, update: 0, same: 0, refuse: 0 }
  for (const { told } of lines) counts[told.outcome]++
  return counts
}
