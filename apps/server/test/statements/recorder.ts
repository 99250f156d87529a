import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PostgresQueryCompiler, type CompiledQuery } from 'kysely'
import { normalised, type Recorded } from './statement-text.ts'

// Notes every statement that the query builder makes, by the place of the product's code that asked for it.

export const SRC = path.resolve(import.meta.dirname, '../../src')
/** The driver hands statements on; the place behind it is meant. */
const DRIVER = path.join(SRC, 'db/driver/')
const DEPTH = 60

/** Begins with the import of the test, as a text that is kept is built with its first use. */
export function recordStatements(): { recorded: Recorded; stop(): void } {
  const recorded: Recorded = new Map()
  const stop = watchStatements(({ sql }) => {
    const place = placeOf(stackHere())
    if (place) note(recorded, place, normalised(sql))
  })
  return { recorded, stop }
}

/** Calls for each statement that the query builder makes, until stopped. */
export function watchStatements(onBuilt: (query: CompiledQuery) => void): () => void {
  const compiler: object = PostgresQueryCompiler.prototype
  const own = Object.getOwnPropertyDescriptor(compiler, 'compileQuery')
  const compile = Reflect.get(compiler, 'compileQuery') as (...asked: unknown[]) => CompiledQuery // by its own type
  function compileAndTell(this: unknown, ...asked: unknown[]): CompiledQuery {
    const query = Reflect.apply(compile, this, asked)
    onBuilt(query)
    return query
  }
  Reflect.set(compiler, 'compileQuery', compileAndTell)
  return () => {
    if (own) Object.defineProperty(compiler, 'compileQuery', own)
    else Reflect.deleteProperty(compiler, 'compileQuery')
  }
}

function note(recorded: Recorded, { file, line }: Place, text: string): void {
  const texts = recorded.get(file) ?? new Map<string, Set<string>>()
  recorded.set(file, texts)
  texts.set(text, (texts.get(text) ?? new Set()).add(functionAt(file, line)))
}

interface Place {
  file: string
  line: number
}

/** The innermost place outside of the driver; none where a test itself asked. */
function placeOf(stack: string): Place | undefined {
  for (const frame of stack.split('\n')) {
    const [, file = '', line] = /(?:\(|at )(?:async )?(?:file:\/\/)?(\/[^()]*\.ts):(\d+):\d+\)?$/.exec(frame) ?? []
    if (file === '' || file.includes('/node_modules/') || file.startsWith(DRIVER) || file === import.meta.filename) continue
    return file.startsWith(`${SRC}/`) ? { file: path.relative(SRC, file), line: Number(line) } : undefined
  }
  return undefined
}

function stackHere(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = DEPTH
  const { stack = '' } = new Error('here')
  Error.stackTraceLimit = limit
  return stack
}

interface Declared {
  name: string
  line: number
  isExported: boolean
  text: string
}
const declarations = new Map<string, Declared[]>()

/** What stands at the left edge of a file, and methods of its classes. */
function declaredIn(file: string): Declared[] {
  const known = declarations.get(file)
  if (known) return known
  const lines = readFileSync(path.join(SRC, file), 'utf8').split('\n')
  const found = lines.flatMap((line, index) => {
    const [, exported, name, method] =
      /^(export )?(?:async )?(?:function|const|class) (\w+)|^  (?:async )?(#?\w+)\(.*\{$/.exec(line) ?? []
    const declared = name ?? method
    return declared ? [{ name: declared, line: index + 1, isExported: exported !== undefined }] : []
  })
  const declared = found.map((each, place) => ({
    ...each,
    text: lines.slice(each.line - 1, (found[place + 1]?.line ?? lines.length + 1) - 1).join('\n'),
  }))
  declarations.set(file, declared)
  return declared
}

function functionAt(file: string, line: number): string {
  return declaredIn(file).findLast((declared) => declared.line <= line)?.name ?? ''
}

/** Exported functions of a file that run statements themselves. */
export function functionsThatAsk(file: string): string[] {
  return declaredIn(file)
    .filter(({ isExported, text }) => isExported && /\.execute(TakeFirst|TakeFirstOrThrow)?\((?!async|\(?tx)/.test(text))
    .map(({ name }) => name)
}
