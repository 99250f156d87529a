// Costs of subscriptions with 100 response rules, 50 external squads and 20 templates: two servers, one of an installation
// without any of these, are asked by turns in one run. Half of the users asked for are in a squad.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import * as api from '@causeway/contract'
import { isObject } from '@causeway/xray'
import { migrate } from '../apps/server/src/db/migrate.ts'
import { startEmbeddedPostgres } from '../apps/server/src/postgres/embedded-postgres.ts'
import { apiClient } from '../e2e/stage/api-client.ts'
import { registerAdmin, untilServing } from '../e2e/stage/panel.ts'
import { freePort, run } from '../e2e/stage/processes.ts'
import { seedDatabase } from '../scripts/seed/load.ts'
import { prepare } from './hot-paths.ts'
import { figures, send } from './measure.ts'
import { threadsMs } from './processor.ts'

const [RULES, SQUADS, TEMPLATES] = [100, 50, 20]
const APPS = [
  { name: 'links', agent: 'v2rayNG/1.10.8', type: 'XRAY_BASE64', path: '' },
  { name: 'Mihomo', agent: 'clash.meta/1.19.0', type: 'MIHOMO', path: '' },
  // Without rules it is the address that asks for JSON.
  { name: 'JSON', agent: 'Happ/3.10.0', type: 'XRAY_JSON', path: '/json' },
  { name: 'sing-box', agent: 'SFA/1.12.8 (sing-box 1.12.8)', type: 'SINGBOX', path: '' },
] as const
const TEMPLATE_TYPES = ['MIHOMO', 'XRAY_JSON', 'SINGBOX', 'CLASH'] as const
/** Asked of one side before it is the turn of the next. */
const BLOCK = 25
const WARM_UP_BLOCKS = 12
const MOST_LOST = 0.1

interface Side {
  origin: string
  token: string
  pid: number
  shortUuids: string[]
  isRuled: boolean
  asked: number
  times: number[]
  blocks: number[]
}

/** Prints the figures. Gives whether a target was missed. */
export async function benchRulesSquads(users: number, samples: number): Promise<boolean> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'causeway-rules-squads-'))
  chmodSync(dataDir, 0o711) // as root the database runs under an account of its own, which has to pass through here
  const postgres = await startEmbeddedPostgres({ dataDir })
  const stops: (() => Promise<void>)[] = []
  try {
    const plain = await start('plain', postgres.url, dataDir, users, stops)
    const ruled = await start('ruled', postgres.url, dataDir, users, stops)
    const members = await fill(ruled, urlOf(postgres.url, 'ruled'))
    const sides = [
      { ...plain, isRuled: false },
      { ...ruled, isRuled: true, shortUuids: ruled.shortUuids.filter((shortUuid) => !members.has(shortUuid)) },
      { ...ruled, isRuled: true, shortUuids: ruled.shortUuids.filter((shortUuid) => members.has(shortUuid)) },
    ]
    console.log(
      `${users} users, ${RULES} rules, ${SQUADS} external squads, ${TEMPLATES} templates, ${samples} samples of each by turns, ` +
        `load ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} processors; p50 by the clock / processor of the server, ms`,
    )
    const cells = (texts: string[]) => texts.map((text) => text.padStart(20)).join('')
    console.log(`${'subscription'.padEnd(16)}${cells(['without', 'with, no member', 'with, a member'])}`)
    let isMissed = false
    for (const app of APPS) {
      const [without, ...others] = await byTurns(sides, app, samples)
      if (!without) throw new Error('There are three sides.')
      const lost = others.map(({ p50, cpu }) => Math.min(p50 / without.p50, cpu / without.cpu) - 1)
      const isOver = lost.some((share) => share > MOST_LOST)
      isMissed ||= isOver
      const told = [without, ...others].map(({ p50, cpu }) => `${p50.toFixed(2)} / ${cpu.toFixed(3)}`)
      const shares = lost.map((share) => `${(share * 100).toFixed(1)} %`).join(', ')
      console.log(`${app.name.padEnd(16)}${cells(told)}   lost ${shares}${isOver ? '  MISSED' : ''}`)
    }
    return isMissed
  } finally {
    for (const stop of stops) await stop()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Started = Omit<Side, 'isRuled'>

async function start(
  name: string,
  postgresUrl: string,
  dataDir: string,
  users: number,
  stops: (() => Promise<void>)[],
): Promise<Started> {
  const admin = new pg.Client({ connectionString: postgresUrl })
  await admin.connect()
  await admin.query(`create database "${name}"`)
  await admin.end()
  const url = urlOf(postgresUrl, name)
  await migrate(url)
  await seedDatabase(url, { users, nodes: 20, days: 0 }, new Date())
  const { shortUuids } = await prepare(url)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const env = { PORT: String(port), DATA_DIR: path.join(dataDir, name), DATABASE_URL: url, ROLE: 'api', LOG_LEVEL: 'warn' }
  const server = run({ name: `bench-${name}`, args: ['apps/server/src/main.ts'], env })
  stops.push(() => server.stop())
  await untilServing(origin, server)
  return { origin, token: await registerAdmin(origin), pid: server.pid, shortUuids, asked: 0, times: [], blocks: [] }
}

function urlOf(postgresUrl: string, database: string): string {
  const url = new URL(postgresUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Stores rules, squads and templates by the API, and puts every second user into a squad. Gives their short uuids. */
async function fill({ origin, token, shortUuids }: Started, url: string): Promise<Set<string>> {
  const call = apiClient(origin, token)
  const settings = await call(api.getSubscriptionSettings, {})
  await call(api.updateSubscriptionSettings, { uuid: settings.uuid, responseRules: { version: '1', rules: rules() } })
  const templates: { uuid: string; templateType: (typeof TEMPLATE_TYPES)[number] }[] = []
  for (let number = 0; number < TEMPLATES; number++) {
    const templateType = TEMPLATE_TYPES[number % TEMPLATE_TYPES.length] ?? 'MIHOMO'
    const { templateJson, encodedTemplateYaml } = await call(api.getSubscriptionTemplate, { templateType })
    const { uuid } = await call(api.createSubscriptionTemplate, { name: `Bench ${number}`, templateType })
    const content = isObject(templateJson) ? { templateJson } : { encodedTemplateYaml: encodedTemplateYaml ?? '' }
    await call(api.patchSubscriptionTemplate, { uuid, ...content })
    templates.push({ uuid, templateType })
  }
  const squads: string[] = []
  for (let number = 0; number < SQUADS; number++) {
    const { uuid } = await call(api.createExternalSquad, { name: `Bench ${number}` })
    const own = TEMPLATE_TYPES.flatMap((type) => {
      const some = templates.filter(({ templateType }) => templateType === type)
      const chosen = some[number % some.length]
      return chosen ? { templateType: type, templateUuid: chosen.uuid } : []
    })
    await call(api.updateExternalSquad, {
      uuid,
      templates: own,
      subscriptionSettings: { isShowCustomRemarks: true },
      hostOverrides: { serverDescription: `Squad ${number}`, vlessRouteId: number },
      responseHeadersAdd: { 'x-squad': `of {{USERNAME}} ${number}` },
      responseHeadersRemove: ['support-url'],
      customRemarks: { expiredUsers: ['over'], limitedUsers: ['used'], disabledUsers: ['off'], emptyHosts: ['none'] },
    })
    squads.push(uuid)
  }
  const members = shortUuids.filter((_, place) => place % 2 === 0)
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  await database.query(
    `update "users" set "externalSquadUuid" = given."squad" from (
       select unnest($1::text[]) as "shortUuid", unnest($2::uuid[]) as "squad") given
     where "users"."shortUuid" = given."shortUuid"`,
    [members, members.map((_, place) => squads[place % squads.length])],
  )
  await database.end()
  return new Set(members)
}

/** Those of the apps come last, behind patterns of which none matches. */
function rules(): api.ResponseRule[] {
  const rule = (name: string, value: string, responseType: api.ResponseType): api.ResponseRule => ({
    name,
    enabled: true,
    operator: 'AND',
    conditions: [{ headerName: 'user-agent', operator: 'REGEX', value, caseSensitive: false }],
    responseType,
  })
  const others = Array.from({ length: RULES - APPS.length }, (_, number) =>
    rule(`Bench ${number}`, `^(?:app|client)${number}/.*(?:android|ios)`, 'BLOCK'),
  )
  return [...others, ...APPS.map(({ name, agent, type }) => rule(name, `^${agent.split('/')[0]}`, type))]
}

interface Found {
  p50: number
  cpu: number
}

/** Blocks of all sides after each other, each first as often as the others. */
async function byTurns(sides: readonly Side[], app: (typeof APPS)[number], samples: number): Promise<Found[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const asked = sides.map((side) => ({ ...side, times: [] as number[], blocks: [] as number[] }))
  for (let block = -WARM_UP_BLOCKS; block * BLOCK < samples; block++) {
    const first = (block + WARM_UP_BLOCKS) % asked.length
    for (const side of [...asked.slice(first), ...asked.slice(0, first)]) {
      const begun = threadsMs(side.pid)
      const times = await askBlock(agent, side, app)
      if (block < 0) continue
      side.blocks.push((threadsMs(side.pid) - begun) / BLOCK)
      side.times.push(...times)
    }
  }
  agent.destroy()
  return asked.map(({ times, blocks }) => ({ p50: figures(times).p50, cpu: figures(blocks).p50 }))
}

async function askBlock(agent: Agent, side: Side, app: (typeof APPS)[number]): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < BLOCK; count++) {
    const shortUuid = side.shortUuids[side.asked++ % side.shortUuids.length] ?? ''
    const begun = performance.now()
    const asked = { path: `/api/sub/${shortUuid}${side.isRuled ? '' : app.path}`, headers: { 'user-agent': app.agent } }
    await send(agent, side.origin, side.token, asked)
    times.push(performance.now() - begun)
  }
  return times
}
