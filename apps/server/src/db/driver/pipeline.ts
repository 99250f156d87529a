import {
  PostgresDialect,
  PostgresDriver,
  Transaction,
  type AbortableOperationOptions,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import type { Tables } from '../tables.ts'

// Independent statements are sent one right behind the other, so that together they cost one round trip: `await
// Promise.all([insert(tx), notify(tx), read(tx)])`. The database runs pipelined statements in order. Once one has
// failed it refuses the rest until the transaction is rolled back.

/** Begins transactions without waiting for the answer. If beginning fails, the connection is broken, and with it what follows. */
export class PipelinedDialect extends PostgresDialect {
  readonly #pool: pg.Pool
  readonly #onCommit: () => void

  constructor(pool: pg.Pool, onCommit: () => void) {
    super({ pool })
    this.#pool = pool
    this.#onCommit = onCommit
  }

  override createDriver(): PostgresDriver {
    return new PipelinedDriver(this.#pool, this.#onCommit)
  }
}

type Own = Parameters<PostgresDriver['releaseConnection']>[0]

class PipelinedDriver extends PostgresDriver {
  readonly #onCommit: () => void

  constructor(pool: pg.Pool, onCommit: () => void) {
    super({ pool })
    this.#onCommit = onCommit
  }

  override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    return new Borrowed((await super.acquireConnection(options)) as Own) // which it only says where it takes it back
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const borrowed = borrowedOf(connection)
    borrowed.begun = super.beginTransaction(borrowed.connection, settings)
    borrowed.begun.catch(() => {}) // as said above
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { connection: own, begun } = giveBack(connection)
    await Promise.all([super.commitTransaction(own), begun])
    this.#onCommit()
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(giveBack(connection).connection)
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await super.releaseConnection(giveBack(connection).connection)
  }
}

/**
 * A connection while it is checked out. Of pipelined statements one may fail while another is answered. A statement
 * sent after that would run outside of the transaction, or in that of the connection's next user.
 */
class Borrowed implements DatabaseConnection {
  readonly connection: Own
  begun: Promise<void> | undefined
  isOver = false

  constructor(connection: Own) {
    this.connection = connection
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#current().executeQuery<R>(query)
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#current().streamQuery<R>(query, chunkSize)
  }

  #current(): DatabaseConnection {
    if (this.isOver) throw new Error('The transaction is over: nothing more can be asked in it.')
    return this.connection
  }
}

function borrowedOf(connection: DatabaseConnection): Borrowed {
  if (connection instanceof Borrowed) return connection
  throw new Error('This connection is not one of this driver.')
}

function giveBack(connection: DatabaseConnection): Borrowed {
  const borrowed = borrowedOf(connection)
  borrowed.isOver = true
  return borrowed
}

const nowhere = new PostgresDialect({ pool: () => Promise.reject(new Error('A transaction has its connection.')) })

/** The same transaction; its statements no longer wait for each other. The query builder would send them one by one. */
export async function pipelined(tx: Transaction<Tables>): Promise<Transaction<Tables>> {
  const whole = tx.getExecutor()
  const connection = await whole.provideConnection(async (own) => own)
  const executor = whole.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
  const config = { executor, dialect: nowhere, driver: nowhere.createDriver(), config: { dialect: nowhere } }
  const together = new Transaction<Tables>(config)
  connections.set(together, connection)
  return together
}

const connections = new WeakMap<object, DatabaseConnection>()

/** The connection of such a transaction, for statements whose text is known: the query builder's own way to it is longer. */
export function connectionOf(db: object): DatabaseConnection | undefined {
  return connections.get(db)
}
