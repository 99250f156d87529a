import { byText, textOf, type Held, type Reads } from '../read.ts'
import type { Row } from '../rows.ts'

// Money, tokens, views, jobs, settings and the search over all of it.

const named = (rows: readonly Row[], column = 'name') => rows.map((row) => String(row[column])).toSorted(byText)

function wholeProvider(held: Held, provider: Row) {
  const records = held.rows('infraBillingRecords').filter(({ providerId }) => providerId === provider['id'])
  const nodeIds = held
    .rows('infraBillingNodes')
    .filter(({ providerId }) => providerId === provider['id'])
    .map(({ nodeId }) => nodeId)
  return {
    uuid: provider['uuid'],
    name: provider['name'],
    loginUrl: provider['loginUrl'],
    billingHistory: {
      totalAmount: records.reduce((total, { amount }) => total + Number(amount), 0),
      totalBills: records.length,
    },
    nodes: named(held.rows('nodes').filter(({ id }) => nodeIds.includes(id))),
  }
}
const shownProvider = (provider: {
  uuid: string
  name: string
  loginUrl: string | null
  billingHistory: object
  billingNodes: readonly { name: string }[]
}) => ({
  uuid: provider.uuid,
  name: provider.name,
  loginUrl: provider.loginUrl,
  billingHistory: provider.billingHistory,
  nodes: provider.billingNodes.map(({ name }) => name).toSorted(byText),
})
const byName = (one: { name?: unknown }, other: { name?: unknown }) => (String(one.name) < String(other.name) ? -1 : 1)

export const serviceReads: Reads = {
  listInfraProviders: (held) => [
    {
      input: {},
      sees: ({ total, providers }) => [total, providers.map(shownProvider).toSorted(byName)],
      is: [
        held.rows('infraProviders').length,
        held
          .rows('infraProviders')
          .map((provider) => wholeProvider(held, provider))
          .toSorted(byName),
      ],
    },
  ],
  getInfraProvider: (held) =>
    held.rows('infraProviders').map((provider) => ({
      input: { uuid: String(provider['uuid']) },
      sees: shownProvider,
      is: wholeProvider(held, provider),
    })),
  listInfraBillingNodes: (held) => [
    {
      input: {},
      sees: ({ totalBillingNodes, billingNodes, stats }) => [
        totalBillingNodes,
        billingNodes.map(({ provider, node }) => `${provider.name} ${node.name}`).toSorted(byText),
        stats.totalSpent,
      ],
      is: [
        held.rows('infraBillingNodes').length,
        Object.keys(held.world.bills).toSorted(byText),
        held.rows('infraBillingRecords').reduce((total, { amount }) => total + Number(amount), 0),
      ],
    },
  ],
  listInfraBillingHistory: (held) => [
    {
      input: {},
      sees: ({ total, records }) => [total, records.map(({ provider, amount }) => `${provider.name} ${amount}`).toSorted(byText)],
      is: [held.rows('infraBillingRecords').length, Object.keys(held.world.payments).toSorted(byText)],
    },
    {
      input: { start: 1, size: 2 },
      sees: ({ total, records }) => [total, records.length],
      is: [held.rows('infraBillingRecords').length, 2],
    },
  ],
  getInfraSpending: (held) => [
    {
      input: {},
      sees: ({ spending }) =>
        spending
          .filter(({ amount }) => amount > 0)
          .map(({ month, providerName, amount }) => `${month.slice(0, 7)} ${providerName} ${amount}`)
          .toSorted(byText),
      is: held
        .rows('infraProviders')
        .map(({ id, name }) => {
          const own = held.rows('infraBillingRecords').filter(({ providerId }) => providerId === id)
          return `2026-01 ${String(name)} ${own.reduce((total, { amount }) => total + Number(amount), 0)}`
        })
        .toSorted(byText),
    },
  ],
  getAccount: () => [{ input: {}, sees: ({ username }) => username, is: 'admin' }],
  listSessions: (held) => {
    const own = held.rows('admins').find(({ username }) => username === 'admin')
    const sessions = held.rows('sessions').filter(({ adminId }) => adminId === own?.['id'])
    return [
      {
        input: {},
        sees: ({ total, sessions: seen }) => [total, seen.map(({ userAgent }) => userAgent).toSorted(byText)],
        is: [sessions.length, sessions.map(({ userAgent }) => userAgent).toSorted(byText)],
      },
    ]
  },
  listApiTokens: (held) => [
    {
      input: {},
      sees: ({ apiKeys }) => apiKeys.map(({ tokenName }) => tokenName).toSorted(byText),
      is: named(held.rows('apiTokens'), 'tokenName'),
    },
  ],
  listApiTokenDetails: (held) => [
    {
      input: {},
      sees: ({ tokens }) =>
        tokens.map(({ uuid, tokenName, lastUserAgent }) => ({ uuid, name: tokenName, lastUserAgent })).toSorted(byName),
      is: held
        .rows('apiTokens')
        .map(({ uuid, tokenName }) => ({
          uuid,
          name: tokenName,
          lastUserAgent: held.rows('apiTokenUses').find(({ tokenUuid }) => tokenUuid === uuid)?.['lastUserAgent'],
        }))
        .toSorted(byName),
    },
  ],
  getApiTokenDetails: (held) =>
    held.rows('apiTokens').map(({ uuid, tokenName }) => ({
      input: { uuid: String(uuid) },
      sees: (token) => [token.uuid, token.tokenName],
      is: [uuid, tokenName],
    })),
  listViews: (held) => [
    {
      input: { page: 'users' },
      sees: ({ views }) => views.map(({ name, search }) => ({ name, search })).toSorted(byName),
      is: held
        .rows('savedViews')
        .map(({ name, search }) => ({ name, search }))
        .toSorted(byName),
    },
  ],
  listJobs: (held) => [
    {
      input: {},
      sees: (jobs) =>
        jobs
          .filter(({ isRecurring }) => !isRecurring)
          .map(({ id, kind, status }) => `${id} ${kind} ${status}`)
          .toSorted(byText),
      is: held
        .rows('jobs')
        .map(({ id, kind, status }) => `${String(id)} ${String(kind)} ${String(status)}`)
        .toSorted(byText),
    },
  ],
  getJob: (held) =>
    held.rows('jobs').map(({ id, kind, total }) => ({
      input: { id: String(id) },
      sees: (job) => [job.id, job.kind, job.total],
      is: [String(id), kind, total],
    })),
  getInstallation: (held) => [{ input: {}, sees: ({ timeZone }) => timeZone, is: held.rows('installation')[0]?.['timeZone'] }],
  getSubscriptionSettings: (held) => [
    {
      input: {},
      sees: ({ uuid, profileTitle, supportLink, profileUpdateInterval }) => [
        uuid,
        profileTitle,
        supportLink,
        profileUpdateInterval,
      ],
      is: ['uuid', 'profileTitle', 'supportLink', 'profileUpdateInterval'].map(
        (column) => held.rows('subscriptionSettings')[0]?.[column],
      ),
    },
  ],
  getSubscriptionTemplate: (held) =>
    held.rows('subscriptionTemplates').map(({ uuid, templateType, isDefault }) => ({
      input: { templateType: isDefault ? templateType : uuid } as never,
      sees: (template) => [template.uuid, template.templateType],
      is: [uuid, templateType],
    })),
  listTemplateRevisions: (held) =>
    held.rows('subscriptionTemplates').map(({ uuid }) => ({
      input: { uuid: String(uuid) },
      sees: ({ revisions }) => revisions.map(({ number }) => number).toSorted(byText),
      is: held
        .rows('revisions')
        .filter(({ subjectUuid }) => subjectUuid === uuid)
        .map(({ number }) => number)
        .toSorted(byText),
    })),
  listResponseRulesRevisions: (held) =>
    held.rows('subscriptionSettings').map(({ uuid }) => ({
      input: { uuid: String(uuid) },
      sees: ({ revisions }) => revisions.length,
      is: held.rows('revisions').filter(({ subjectUuid }) => subjectUuid === uuid).length,
    })),
  getTemplateRevision: (held) =>
    held
      .rows('revisions')
      .filter(({ kind }) => kind === 'template')
      .map((revision) => ({
        input: { uuid: String(revision['subjectUuid']), number: Number(revision['number']) } as never,
        sees: (reply) => JSON.parse(JSON.stringify(reply)).number,
        is: revision['number'],
      })),
  searchAll: (held) =>
    ['ann', 'alpha', 'one', 'gold', 'Main'].map((text) => ({
      input: { text },
      sees: ({ users, nodes, hosts, internalSquads, configProfiles }) => ({
        users: users.map(({ username }) => username).toSorted(byText),
        nodes: nodes.map(({ name }) => name).toSorted(byText),
        hosts: hosts.map(({ remark }) => remark).toSorted(byText),
        squads: internalSquads.map(({ name }) => name).toSorted(byText),
        profiles: configProfiles.map(({ name }) => name).toSorted(byText),
      }),
      is: (() => {
        const found = (table: 'users' | 'nodes' | 'hosts' | 'internalSquads' | 'configProfiles', ...columns: string[]) =>
          named(
            held
              .rows(table)
              .filter((row) => columns.some((column) => textOf(row[column]).toLowerCase().includes(text.toLowerCase()))),
            columns[0],
          )
        return {
          users: found('users', 'username', 'email', 'shortUuid', 'description'),
          nodes: found('nodes', 'name', 'address'),
          hosts: found('hosts', 'remark', 'address'),
          squads: found('internalSquads', 'name'),
          profiles: found('configProfiles', 'name'),
        }
      })(),
    })),
}
