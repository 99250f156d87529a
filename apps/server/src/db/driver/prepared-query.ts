import pg from 'pg'
import { SentRow, type RowTaker } from '../../lib/sent-rows.ts'
import type { UncutRow } from './uncut-rows.ts'

interface Fields {
  fields: { name: string }[]
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

interface Connection {
  describe(message: object): void
}

/** Members of the driver's queries that its types leave out. */
interface Inner {
  name: string
  values: unknown[]
  callback: (error: Error | undefined, result: pg.QueryResult) => void
  _result: Fields
  _accumulateRows: boolean
  _canceledDueToError: unknown
  prepare(connection: Connection): void
  handleRowDescription(message: Pick<Fields, 'fields'>): void
  handleDataRow(message: UncutRow): void
}

// The driver's own class with its inner parts, which its types leave out.
const Query = pg.Query as unknown as new (text: string) => Inner

/** Statements whose columns a connection has told of, by their names, and the connection without that question. */
export class Described {
  readonly byName = new Map<string, Fields>()
  readonly #quiet = new WeakMap<Connection, Connection>()

  quiet(connection: Connection): Connection {
    const known = this.#quiet.get(connection)
    if (known) return known
    const made: Connection = Object.assign(Object.create(connection), { describe: () => {} })
    this.#quiet.set(connection, made)
    return made
  }
}

export interface QueryRequest {
  text: string
  values: unknown[]
  /** Has the rows as they come; the result has none then. */
  taker?: RowTaker
}

/**
 * The columns never change, so that the statement is described once per connection. For a look-up of one row,
 * describing it each time was a tenth of the processor's time.
 */
export class PreparedQuery extends Query {
  readonly #described: Described
  readonly #taker: RowTaker | undefined
  readonly #row = new SentRow()
  #columns: string[] | undefined

  /** A statement without a name is not kept. */
  constructor(asked: QueryRequest, name: string, described: Described, callback: Inner['callback']) {
    super(asked.text)
    this.#described = described
    this.name = name
    this.values = asked.values
    this.callback = callback
    this.#taker = asked.taker
  }

  override prepare(connection: Connection): void {
    const known = this.#described.byName.get(this.name)
    if (!known) return super.prepare(connection)
    Object.assign(this._result, known)
    this._accumulateRows = true
    super.prepare(this.#described.quiet(connection))
  }

  override handleRowDescription(message: Pick<Fields, 'fields'>): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    if (this.name) this.#described.byName.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }

  override handleDataRow(message: UncutRow): void {
    if (!this.#taker) return super.handleDataRow(message)
    if (this._canceledDueToError) return
    try {
      this.#columns ??= this._result.fields.map(({ name }) => name)
      message.readBy(this.#row)
      this.#taker.take(this.#row, this.#columns)
    } catch (error) {
      // As the driver does it with what it cannot read: the query fails once its answer is over.
      this._canceledDueToError = error
    }
  }
}
