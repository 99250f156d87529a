import pg from 'pg'
import { readDatabaseUrl } from './database-url.rules.ts'
import { leaderOf, NoLeaderError } from './leader.ts'

interface Status {
  parameterName: string
  parameterValue: string
}

/** Of the driver's connection; its types leave it out. */
interface Inner {
  on(event: 'parameterStatus', heard: (status: Status) => void): void
}

export interface ClientOptions extends pg.ClientConfig {
  connectionString: string
  /** Reads only, from the one host of the address. */
  mayBeStandby?: boolean
}

/** A connection to the host that takes writes, of those that its address names. */
export class Client extends pg.Client {
  readonly #url: string
  readonly #mayBeStandby: boolean
  readonly #hasChoice: boolean
  #isStandby = false

  constructor(options: ClientOptions = { connectionString: '' }) {
    const { hosts, urlOf } = readDatabaseUrl(options.connectionString)
    const [first] = hosts
    super({ ...options, connectionString: first ? urlOf(first) : options.connectionString })
    this.#url = options.connectionString
    this.#mayBeStandby = options.mayBeStandby ?? false
    this.#hasChoice = hosts.length > 1
    const connection = this.connection as unknown as Inner // as above
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on'
    })
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void
  override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<this> | void {
    const connected = this.#connectToLeader().then(() => this)
    if (!callback) return connected
    void callBack(connected, callback)
  }

  /** Since it was connected, another host was found to take the writes. */
  isElsewhere(): boolean {
    return this.#hasChoice && !leaderOf(this.#url).isAt(this)
  }

  async #connectToLeader(): Promise<void> {
    const leader = leaderOf(this.#url)
    if (this.#hasChoice) {
      Object.assign(this, await leader.find())
    }
    try {
      await super.connect()
      // Right after a failover a proxy may still lead to the former leader. Such a connection would stay in the pool.
      if (this.#isStandby && !this.#mayBeStandby) {
        await this.end()
        throw new NoLeaderError(`The database at ${this.host}:${this.port} is a standby, which takes no writes.`)
      }
    } catch (error) {
      leader.forget()
      throw error
    }
  }
}

async function callBack(connected: Promise<pg.Client>, callback: (error: Error | null, client?: pg.Client) => void) {
  const result = await connected.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
  if (result instanceof Error) callback(result)
  else callback(null, result)
}
