import pg from 'pg'

interface Fields {
  fields: unknown[]
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

interface Result extends Fields {
  rows: unknown[]
  parseRow(cells: (string | null)[]): unknown
}

interface Connection {
  describe(message: object): void
}

/** What the driver's queries have besides what its types tell. */
interface Inner {
  name: string
  values: unknown[]
  types: unknown
  callback: (error: Error | undefined, result: pg.QueryResult) => void
  _result: Result
  _rowMode: 'array' | undefined
  _accumulateRows: boolean
  prepare(connection: Connection): void
  handleRowDescription(message: { fields: unknown[] }): void
}

// The driver's own class with its inner parts, which its types leave out.
const Query = pg.Query as unknown as new (text: string) => Inner

/** Statements whose columns a connection has told of, by their names, and the connection without that question. */
export class Described {
  readonly byName = new Map<string, { fields: Fields; rowMode: unknown; types: unknown }>()
  readonly #quiet = new WeakMap<Connection, Connection>()

  quiet(connection: Connection): Connection {
    const known = this.#quiet.get(connection)
    if (known) return known
    const made: Connection = Object.assign(Object.create(connection), { describe: () => {} })
    this.#quiet.set(connection, made)
    return made
  }
}

export interface Asked {
  text: string
  values: unknown[]
  rowMode?: 'array'
  types?: unknown
}

/**
 * A prepared statement. Its columns never change, so that the database is asked to describe them once for a connection: for a
 * look-up of one row, sending, reading and unpacking that was a tenth of the processor's time.
 */
export class PreparedQuery extends Query {
  readonly #described: Described

  constructor(asked: Asked, name: string, described: Described, callback: Inner['callback']) {
    super(asked.text)
    this.#described = described
    this.name = name
    this.values = asked.values
    this.types = asked.types
    this.callback = callback
    if (asked.rowMode !== undefined) {
      // As the driver does it when it makes a result for this.
      Object.assign(this._result, { rowAsArray: true, parseRow: Reflect.get(this._result, '_parseRowAsArray') })
      this._rowMode = asked.rowMode
    }
    if (asked.types !== undefined) Object.assign(this._result, { _types: asked.types })
  }

  override prepare(connection: Connection): void {
    const known = this.#described.byName.get(this.name)
    const isKnown = known !== undefined && known.rowMode === this._rowMode && known.types === this.types
    if (!isKnown) return super.prepare(connection)
    Object.assign(this._result, known.fields)
    this._accumulateRows = true
    super.prepare(this.#described.quiet(connection))
  }

  override handleRowDescription(message: { fields: unknown[] }): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    const told = { fields: { fields, _parsers, _prebuiltEmptyResultObject }, rowMode: this._rowMode, types: this.types }
    this.#described.byName.set(this.name, told)
  }
}
