import type { Duplex } from 'node:stream'
import { Parser } from 'pg-protocol/dist/parser.js'
import type { SentRow } from '../../lib/sent-rows.ts'
import { Client, type ClientOptions } from './hosts/client.ts'

// The driver decodes each row into texts. A page of 1,000 users has 36,000 cells; decoding them took as long as
// writing the page. Code that writes bytes takes whole rows.

interface Message {
  name: string
}

interface Cutting {
  parse(bytes: Buffer, tell: (message: Message) => void): void
  handlePacket(start: number, code: number, length: number, bytes: Buffer): Message
}

interface Listening {
  attachListeners(stream: Duplex): void
  emit(event: string, message: Message): void
}

// The driver's own class with its inner part, which its types leave out.
const CuttingParser = Parser as unknown as new () => Cutting

const ROW = 'D'.charCodeAt(0)

/** A row among what has been received, cut when a query of the driver asks for its fields. */
export class UncutRow implements Message {
  readonly name = 'dataRow'
  readonly #cut: () => Message
  readonly #bytes: Buffer
  readonly #start: number

  constructor(cut: () => Message, bytes: Buffer, start: number) {
    this.#cut = cut
    this.#bytes = bytes
    this.#start = start
  }

  get fields(): unknown {
    return Reflect.get(this.#cut(), 'fields')
  }

  /** The next packet may overwrite these bytes. */
  readBy(row: SentRow): void {
    row.read(this.#bytes, this.#start)
  }
}

class RowParser extends CuttingParser {
  override handlePacket(start: number, code: number, length: number, bytes: Buffer): Message {
    const cut = (): Message => super.handlePacket(start, code, length, bytes)
    return code === ROW ? new UncutRow(cut, bytes, start) : cut()
  }
}

/** A connection that decodes rows only when their fields are read. */
export class UncutClient extends Client {
  constructor(options?: ClientOptions) {
    super(options)
    const connection = this.connection as unknown as Listening // as above
    connection.attachListeners = (stream) => {
      const parser = new RowParser()
      stream.on('data', (bytes: Buffer) => {
        parser.parse(bytes, (message) => connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message))
      })
    }
  }
}
