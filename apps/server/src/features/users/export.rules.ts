import {
  csvText,
  TRAFFIC_SORTS,
  userExportColumn,
  type ExportFormat,
  type TrafficPeriod,
  type TrafficSortId,
  type UserExportColumn,
} from '@causeway/contract'

type Derived = 'nodeName' | 'activeInternalSquads' | TrafficSortId

/** A user as the list gives it, with instants of the database. */
export type ExportedUser = Record<Exclude<UserExportColumn, Derived>, string | number | Date | null> & {
  lastConnectedNode: { nodeName: string } | null
  activeInternalSquads: { name: string }[]
  traffic: Record<TrafficPeriod, number>
}

type Cell = string | number | null | string[]

/** The columns that are named; all where none are. Gives the first unknown name instead. */
export function exportColumns(names: string | undefined): UserExportColumn[] | { unknown: string } {
  if (names === undefined || names === '') return userExportColumn.options
  const columns: UserExportColumn[] = []
  for (const name of names.split(',')) {
    const column = userExportColumn.safeParse(name.trim())
    if (!column.success) return { unknown: name.trim() }
    if (!columns.includes(column.data)) columns.push(column.data)
  }
  return columns
}

/** Writes batches of users; the first batch is told to begin, and the end is written apart. */
export function exportWriter(format: ExportFormat, columns: readonly UserExportColumn[]) {
  if (format === 'csv')
    return {
      begin: `\u{FEFF}${csvText([columns])}`, // spreadsheets take a file without the mark for one in the code page of the machine
      rows: (users: readonly ExportedUser[]) =>
        csvText(users.map((user) => columns.map((column) => toText(cellOf(user, column))))),
      end: '',
    }
  let isFirst = true
  return {
    begin: '[',
    rows: (users: readonly ExportedUser[]) =>
      users
        .map((user) => {
          const before = isFirst ? '\n' : ',\n'
          isFirst = false
          return before + JSON.stringify(Object.fromEntries(columns.map((column) => [column, cellOf(user, column)])))
        })
        .join(''),
    end: '\n]\n',
  }
}

function cellOf(user: ExportedUser, column: UserExportColumn): Cell {
  if (column === 'nodeName') return user.lastConnectedNode?.nodeName ?? null
  if (column === 'activeInternalSquads') return user.activeInternalSquads.map(({ name }) => name)
  if (isTraffic(column)) return user.traffic[TRAFFIC_SORTS[column]]
  const value = user[column]
  return value instanceof Date ? value.toISOString() : value
}

function isTraffic(column: UserExportColumn): column is UserExportColumn & TrafficSortId {
  return Object.hasOwn(TRAFFIC_SORTS, column)
}

function toText(cell: Cell): string | number {
  if (cell === null) return ''
  return Array.isArray(cell) ? cell.join(', ') : cell
}
