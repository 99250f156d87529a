import * as api from '@causeway/contract'
import { errors } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { isTimeZone } from '../../lib/days.ts'
import { iconReader } from './icons.actions.ts'
import {
  createBillingNode,
  createBillingRecord,
  createProvider,
  editBillingNode,
  editProvider,
  removeBillingNode,
  removeBillingRecord,
  removeProvider,
} from './infra-billing.actions.ts'
import {
  findFaviconLink,
  findProvider,
  listProviders,
  listSpending,
  readBillingNodes,
  readHistory,
} from './infra-billing.queries.ts'
import { lastMonths, pageProblem, toPage } from './infra-billing.rules.ts'

const SPENDING_MONTHS = 12

export function infraBillingRoutes(ctx: Ctx): Route[] {
  const readIcon = iconReader(ctx)
  return [
    on(api.listInfraProviders, async () => {
      const providers = await listProviders(ctx.db)
      return { total: providers.length, providers }
    }),
    on(api.getInfraProvider, async ({ uuid }) => (await findProvider(ctx.db, uuid)) ?? fail(errors.infraProviderNotFound)),
    on(api.createInfraProvider, (provider, caller) => createProvider(ctx, caller, provider)),
    on(api.updateInfraProvider, (edit, caller) => editProvider(ctx, caller, edit)),
    on(api.deleteInfraProvider, ({ uuid }, caller) => removeProvider(ctx, caller, uuid)),
    on(api.getInfraProviderIcon, async ({ uuid }) => {
      const { faviconLink } = (await findFaviconLink(ctx.db, uuid)) ?? fail(errors.infraProviderNotFound)
      return { icon: faviconLink === null ? null : await readIcon(faviconLink) }
    }),

    on(api.listInfraBillingNodes, () => readBillingNodes(ctx.db, ctx.now())),
    on(api.createInfraBillingNode, (bill, caller) => createBillingNode(ctx, caller, bill)),
    on(api.updateInfraBillingNode, (edit, caller) => editBillingNode(ctx, caller, edit)),
    on(api.deleteInfraBillingNode, ({ uuid }, caller) => removeBillingNode(ctx, caller, uuid)),

    on(api.listInfraBillingHistory, async (asked) => {
      const problem = pageProblem(asked)
      if (problem) refuseField(problem.path, problem.message)
      return readHistory(ctx.db, toPage(asked))
    }),
    on(api.createInfraBillingRecord, (bill, caller) => createBillingRecord(ctx, caller, bill)),
    on(api.deleteInfraBillingRecord, ({ uuid }, caller) => removeBillingRecord(ctx, caller, uuid)),
    on(api.getInfraSpending, async ({ tz }) => {
      if (tz !== undefined && !isTimeZone(tz)) refuseField('tz', 'must be a time zone such as Europe/Berlin')
      const months = lastMonths(SPENDING_MONTHS, ctx.now(), tz ?? (await readTimeZone(ctx.db)))
      return { months, spending: await listSpending(ctx.db, months.at(0) ?? '', months.at(-1) ?? '') }
    }),
  ]
}
