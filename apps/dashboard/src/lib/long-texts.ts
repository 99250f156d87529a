// Texts that are too long for the stores that answer at once, in the browser's database.

const DATABASE = 'long-texts'
const STORE = 'texts'
/** Texts not written for this long belong to a closed tab. */
const KEPT_MS = 7 * 86_400_000

interface Row {
  text: string
  at: number
}

let opened: Promise<IDBDatabase> | undefined

export async function readLong(name: string): Promise<string | undefined> {
  const database = await open()
  const asked = database.transaction(STORE).objectStore(STORE).get(name)
  const row = await answerTo<Row | undefined>(asked)
  return row?.text
}

/** @throws DOMException where the browser has no room or keeps nothing */
export async function writeLong(name: string, text: string): Promise<void> {
  await change((store) => store.put({ text, at: Date.now() } satisfies Row, name))
}

export async function dropLong(name: string): Promise<void> {
  await change((store) => store.delete(name))
}

async function change(act: (store: IDBObjectStore) => void): Promise<void> {
  const database = await open()
  const transaction = database.transaction(STORE, 'readwrite')
  const done = new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the browser did not keep a text')))
  })
  act(transaction.objectStore(STORE))
  // Synchronously: a page that unloads cannot await a write.
  transaction.commit()
  await done
}

function open(): Promise<IDBDatabase> {
  const found = opened ?? begin()
  opened = found
  return found
}

async function begin(): Promise<IDBDatabase> {
  try {
    const asked = indexedDB.open(DATABASE, 1)
    asked.addEventListener('upgradeneeded', () => asked.result.createObjectStore(STORE))
    const database = await answerTo(asked)
    // The browser may take its store back, as when a person clears it.
    database.addEventListener('close', () => (opened = undefined))
    forgetOld(database)
    return database
  } catch (error) {
    opened = undefined
    throw error
  }
}

function forgetOld(database: IDBDatabase): void {
  const store = database.transaction(STORE, 'readwrite').objectStore(STORE)
  const walk: IDBRequest<IDBCursorWithValue | null> = store.openCursor()
  walk.addEventListener('success', () => {
    const row: Row | undefined = walk.result?.value
    if (row !== undefined && Date.now() - row.at > KEPT_MS) walk.result?.delete()
    walk.result?.continue()
  })
}

function answerTo<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.addEventListener('success', () => resolve(asked.result))
    asked.addEventListener('error', () => reject(asked.error ?? new Error('the browser did not read a text')))
  })
}
