// What this machine, this database and this HTTP server cost without any product: one indexed look-up and one durable write;
// and plainly what the product does with users: the same rows, of the same tables with their indexes and triggers, by one
// statement each, with nobody asking who calls, what is allowed and what else follows; and plainly a subscription: the same
// statement, an answer that is known already with all its headers, and the same notes of it.
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { connect } from '../apps/server/src/db/driver/connect.ts'
import {
  saveRequests,
  type SubscriptionRequestNote,
} from '../apps/server/src/features/request-history/request-history.queries.ts'
import { findSubscribers, saveOpenings } from '../apps/server/src/features/subscriptions/subscriptions.queries.ts'
import { usersInOrder } from '../apps/server/src/features/users/users.queries.ts'

/** `PRODUCT`: where the product answers, of which a plain subscription is a copy. */
const { PORT = '0', DATABASE_URL = '', PRODUCT = '' } = process.env
const { db, pool } = connect(DATABASE_URL)
// A sample of a small table may be none of it, and nothing found is no look-up.
const { rows } = await pool.query<{ id: number; uuid: string }>('select "id", "uuid" from "users" order by "id" limit 500')
const anyOf = () => rows[Math.floor(Math.random() * rows.length)]
// Its writes leave nothing that the product would read.
await pool.query('create table if not exists "benchWrites" ("uuid" uuid primary key, "at" timestamptz not null)')

const app = Fastify()
app.get('/read', async () => {
  const found: pg.QueryResult = await pool.query('select "uuid", "username", "status" from "users" where "uuid" = $1', [
    anyOf()?.uuid,
  ])
  return { response: found.rows[0] }
})
app.post('/write', async () => {
  await pool.query('insert into "benchWrites" values ($1, now())', [randomUUID()])
  return { response: {} }
})

app.get<{ Params: { size: string } }>('/rows/:size', async ({ params: { size } }) => {
  const { sql: text } = listed(Number(size))
  const found = await pool.query<pg.QueryResultRow>(text, [])
  return { response: { users: found.rows } }
})
const WRITER = `'admin', "uuid", 'bench', '127.0.0.1'`
const made = await recorded(`to_json("user")`)
app.post('/user', async () => {
  const values = [`bare_${randomUUID()}`, randomUUID(), randomUUID(), randomUUID(), randomUUID(), new Date(), made]
  await pool.query(
    `with "made" as (
      insert into "users" ("username", "shortUuid", "trojanPassword", "ssPassword", "vlessUuid", "expireAt")
      values ($1, $2, $3, $4, $5, $6) returning "id", "uuid"
    ), "usage" as (
      insert into "userUsage" ("userId") select "id" from "made"
    ), "queued" as (
      insert into "changedUsers" ("username") values ($1)
    )
    insert into "auditLog" ("actorKind", "actorUuid", "actorName", "address", "action", "target", "before", "after")
    select ${WRITER}, 'createUser', "uuid"::text, '{}', $7 from "made"`,
    values,
  )
  return { response: {} }
})
const changed = await recorded(`json_build_object('id', "id", 'description', "uuid", 'updatedAt', "updatedAt")`)
app.patch('/user', async () => {
  await pool.query(
    `with "changed" as (
      update "users" set "description" = $1, "updatedAt" = now() where "id" = $2 returning "uuid"
    )
    insert into "auditLog" ("actorKind", "actorUuid", "actorName", "address", "action", "target", "before", "after")
    select ${WRITER}, 'updateUser', "uuid"::text, $3, $3 from "changed"`,
    [randomUUID(), anyOf()?.id, changed],
  )
  return { response: {} }
})

const copies = new Map<string, Promise<{ headers: Record<string, string>; body: string }>>()
let openings: SubscriptionRequestNote[] = []
setInterval(() => {
  const noted = openings
  openings = []
  if (noted.length === 0) return
  const latest = new Map(noted.map((opening) => [opening.userId, opening]))
  void Promise.all([saveOpenings(db, [...latest.values()]), saveRequests(db, noted)])
}, 1000)
app.get<{ Params: { shortUuid: string; clientType?: string } }>(
  '/sub/:shortUuid/:clientType?',
  async ({ params: { shortUuid, clientType = '' }, headers, ip }, reply) => {
    const userAgent = headers['user-agent'] ?? ''
    const kind = `${clientType} ${userAgent}`
    const copy = copies.get(kind) ?? copied(`${shortUuid}/${clientType}`, userAgent)
    copies.set(kind, copy)
    const answer = await copy
    const [user] = await findSubscribers(db, [shortUuid])
    if (user)
      openings.push({ userId: user.id, at: new Date(), address: ip, userAgent, ruleName: null, responseType: 'XRAY_BASE64' })
    return reply.headers(answer.headers).send(answer.body)
  },
)
await app.listen({ port: Number(PORT), host: '127.0.0.1' })

/** The page that the list begins with. */
function listed(size: number) {
  const ids = sql<number[]>`array(select "id" from "users" order by "createdAt" desc, "id" desc limit ${sql.lit(size)})`
  return usersInOrder(db, ids).compile()
}

/** What an app gets from the product. */
async function copied(path: string, userAgent: string) {
  const answer = await fetch(`${PRODUCT}/api/sub/${path}`, {
    headers: { 'user-agent': userAgent, 'accept-encoding': 'identity' },
  })
  const hops = ['connection', 'keep-alive', 'date', 'content-length', 'content-encoding', 'transfer-encoding']
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !hops.includes(name)))
  return { headers, body: await answer.text() }
}

/** What is recorded of a user, as long as that. */
async function recorded(row: string): Promise<string> {
  const found = await pool.query<{ text: string }>(
    `select json_build_object('users', json_build_array(${row}))::text as "text" from "users" as "user" limit 1`,
  )
  return found.rows[0]?.text ?? '{}'
}
