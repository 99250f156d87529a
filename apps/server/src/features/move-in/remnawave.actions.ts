import {
  DEPENDENT_TABLES,
  recognizeSchema,
  RemnawaveTranslator,
  SMALL_TABLES,
  TOTALS_TABLE,
  type Finding,
  type KnownSchema,
  type Line,
  type SourceRow,
} from '@causeway/import'
import { jwtVerify } from 'jose'
import { hashOfToken } from '../auth/sessions.actions.ts'
import type { Source } from '../move-in-sources/source.actions.ts'

export interface Secrets {
  sessionSecret: string | null
  tokenSecret: string | null
}

/** An import that has looked at its source and written nothing yet. */
export interface Import {
  version: string
  lines: AsyncIterable<readonly Line[]>
  /** Complete once all lines have been taken. */
  findings: () => Finding[]
}

/** Recognizes a database of the 2.x generation. @throws Error with a sentence when its version or a secret does not fit */
export async function openRemnawave(source: Source, secrets: Secrets): Promise<Import> {
  const known = recognizeSchema(await source.schema())
  const only = (names: readonly string[]) =>
    new Map(names.flatMap((name) => (known.columns.has(name) ? [[name, known.columns.get(name) ?? []] as const] : [])))
  const small = new Map<string, SourceRow[]>()
  for await (const { table, rows } of source.read(only(SMALL_TABLES))) small.set(table, [...(small.get(table) ?? []), ...rows])
  const { signed, unproven } = await signedTokens(small.get('api_tokens') ?? [], secrets)
  const translator = new RemnawaveTranslator({
    sessionSecret: secrets.sessionSecret,
    isSigned: (token) => signed.has(token),
    hashOf: hashOfToken,
  })
  for (const name of unproven) translator.findings.note('secretUnproven', name)
  await noteNotCarried(source, known, translator)
  async function* lines(): AsyncIterable<readonly Line[]> {
    for await (const { rows } of source.read(new Map([['users', ['username']]])))
      for (const { username } of rows) translator.names.add(username ?? '')
    translator.names.end()
    yield translator.translateSmall(small)
    for await (const { rows } of source.read(only([TOTALS_TABLE]))) translator.takeTotals(rows)
    for await (const { rows } of source.read(only(['users']))) yield translator.translateUsers(rows)
    yield translator.finishUsers()
    for await (const { table, rows } of source.read(only(DEPENDENT_TABLES))) yield translator.translateDependents(table, rows)
  }
  return { version: known.version, lines: lines(), findings: () => translator.findings.list() }
}

/** API tokens that one of the secrets has signed, and secrets that have signed none. @throws Error when both are given and neither fits */
async function signedTokens(rows: SourceRow[], { sessionSecret, tokenSecret }: Secrets) {
  const given = Object.entries({ JWT_AUTH_SECRET: sessionSecret, JWT_API_TOKENS_SECRET: tokenSecret })
  const keys = given.flatMap(([name, secret]) => (secret === null ? [] : [{ name, key: new TextEncoder().encode(secret) }]))
  const signed = new Set<string>()
  const proven = new Set<string>()
  for (const { token } of rows)
    for (const { name, key } of keys)
      if (typeof token === 'string' && (await isSignedBy(token, key))) {
        signed.add(token)
        proven.add(name)
      }
  if (rows.length > 0 && keys.length === 2 && signed.size === 0)
    throw new Error(
      `The secrets do not belong to this database: neither has signed one of its ${rows.length} API tokens. Nothing was changed.`,
    )
  return { signed, unproven: keys.map(({ name }) => name).filter((name) => !proven.has(name)) }
}

function isSignedBy(token: string, key: Uint8Array): Promise<boolean> {
  return jwtVerify(token, key, { algorithms: ['HS256'] }).then(
    () => true,
    () => false,
  )
}

async function noteNotCarried(source: Source, known: KnownSchema, { findings }: RemnawaveTranslator): Promise<void> {
  for (const table of known.unknownTables) {
    const count = await source.count(table)
    if (count > 0) findings.note('notCarried', `the table ${table} with ${count} rows`, count)
  }
  for (const { table, column } of known.notCarried) {
    const count = await source.count(table, column)
    if (count > 0) findings.note('notCarried', `${table}.${column} of ${count} rows`, count)
  }
}
