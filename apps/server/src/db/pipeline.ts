import { PostgresDialect, PostgresDriver, Transaction, type DatabaseConnection, type TransactionSettings } from 'kysely'
import type pg from 'pg'
import type { Tables } from './tables.ts'

// Statements that do not need each other's results are sent one right behind the other, so that together they cost one round
// trip: `await Promise.all([insert(tx), notify(tx), read(tx)])`. The database runs them in the order in which they were sent,
// and once one has failed refuses all behind it until the transaction is rolled back.

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

class PipelinedDriver extends PostgresDriver {
  readonly #onCommit: () => void

  constructor(pool: pg.Pool, onCommit: () => void) {
    super({ pool })
    this.#onCommit = onCommit
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    this.#onCommit()
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    super.beginTransaction(connection, settings).catch(() => {}) // as said above
  }
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
