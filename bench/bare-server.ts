// What this machine, this database and this HTTP server cost without any product: one indexed look-up and one durable write.
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { connect } from '../apps/server/src/db/connect.ts'

const { PORT = '0', DATABASE_URL = '' } = process.env
const { pool } = connect(DATABASE_URL)
const { rows } = await pool.query<{ uuid: string }>('select "uuid" from "users" tablesample system (1) limit 200')
const uuids = rows.map(({ uuid }) => uuid)
// Its writes leave nothing that the product would read.
await pool.query('create table if not exists "benchWrites" ("uuid" uuid primary key, "at" timestamptz not null)')

const app = Fastify()
app.get('/read', async () => {
  const uuid = uuids[Math.floor(Math.random() * uuids.length)]
  const found: pg.QueryResult = await pool.query('select "uuid", "username", "status" from "users" where "uuid" = $1', [uuid])
  return { response: found.rows[0] }
})
app.post('/write', async () => {
  await pool.query('insert into "benchWrites" values ($1, now())', [randomUUID()])
  return { response: {} }
})
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
