import type pg from 'pg'

// What the servers of a believable service cost, and who is paid for them.

interface SeededProvider {
  name: string
  /** US dollars for a node and month. */
  price: number
}

/** Nobody's name; what they have no picture of is shown by its initial. */
const PROVIDERS: readonly SeededProvider[] = [
  { name: 'Nordwind Hosting', price: 34.9 },
  { name: 'Meridian Servers', price: 21.5 },
  { name: 'Kaskad Data', price: 58 },
  { name: 'Tiny Boxes', price: 4.99 },
]
const MONTHS = 12
/** Days to the next bill of node after node: one is overdue, some are due, most are not. */
const NEXT_BILLS = [9, 16, -2, 23, 5, 12, 27, 2, 19, 14, 30, 8, 21, 25, 11, 18, 29, 6, 24]
const DAY_MS = 86_400_000

/** The last nodes have no provider yet, as after buying servers. */
export async function loadBilling(client: pg.Client, now: Date): Promise<void> {
  const { rows: nodes } = await client.query<{ id: number }>('select "id" from "nodes" order by "id"')
  const providers: { id: number; price: number; nodes: number }[] = []
  for (const { name, price } of PROVIDERS) {
    const host = `${name.toLowerCase().replace(' ', '-')}.example.com`
    const { rows } = await client.query<{ id: number }>(
      `insert into "infraProviders" ("name", "loginUrl", "createdAt") values ($1, $2, $3) returning "id"`,
      [name, `https://${host}/login`, new Date(now.getTime() - 700 * DAY_MS)],
    )
    for (const { id } of rows) providers.push({ id, price, nodes: 0 })
  }
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  for (const [place, node] of nodes.slice(0, NEXT_BILLS.length).entries()) {
    const provider = providers[place % providers.length]
    if (!provider) continue
    provider.nodes += 1
    await client.query(`update "nodes" set "providerId" = $1 where "id" = $2`, [provider.id, node.id])
    await client.query(`insert into "infraBillingNodes" ("nodeId", "providerId", "nextBillingAt") values ($1, $2, $3)`, [
      node.id,
      provider.id,
      new Date(today + (NEXT_BILLS[place] ?? 0) * DAY_MS),
    ])
  }
  for (let month = 0; month < MONTHS; month++) {
    for (const [place, { id, price, nodes: count }] of providers.entries()) {
      const billedAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - month, 2 + place * 3))
      // Servers were bought in the course of the year.
      const paidFor = Math.max(1, count - Math.floor(month / 4))
      if (billedAt <= now)
        await client.query(`insert into "infraBillingRecords" ("providerId", "amount", "billedAt") values ($1, $2, $3)`, [
          id,
          (price * paidFor).toFixed(2),
          billedAt,
        ])
    }
  }
}
