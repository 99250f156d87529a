import { agentApi } from '@causeway/contract'
import { systemCaller, type Ctx } from '../../ctx.ts'
import { AgentError } from '../../ground/agents.ts'
import { authorityValidity, mintAgentPayload, readFleetKeys, renewAuthorityOf, validityOf } from '../../ground/fleet-keys.ts'
import { write } from '../audit/audit.actions.ts'
import { isAuthorityRenewalDue, isRenewalDue } from './certificates.rules.ts'
import type { NodeTask } from './tasks.queries.ts'

/**
 * Gives the agent of a node a new certificate when it is time. The agent shows it to new connections; those that are open, and
 * the core, go on. One that cannot take it keeps what it has, and is asked again later.
 */
export async function renewCertificate(ctx: Ctx, node: NodeTask): Promise<void> {
  const shown = ctx.agents.certificateOf(node)
  if (!shown) return
  const keys = await readFleetKeys(ctx.secrets)
  if (!isRenewalDue(shown, authorityValidity(keys), ctx.now())) return
  try {
    const payload = await mintAgentPayload(keys, ctx.now())
    await ctx.agents.call(node, agentApi.renewCertificate, payload)
    const validity = validityOf(payload.nodeCertPem)
    ctx.agents.noteCertificate(node, validity)
    ctx.log.info({ node: node.name, expiresAt: validity.validTo }, 'node certificate renewed')
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    ctx.log.warn({ node: node.name, err: error }, 'failed to renew a node certificate; retrying')
  }
}

/**
 * Renews the certificate of the authority's key long before it ends. The new one vouches for everything that the old
 * one signed; agents receive it with their next certificate.
 */
export async function renewAuthority(ctx: Ctx): Promise<void> {
  const keys = await readFleetKeys(ctx.secrets)
  if (!isAuthorityRenewalDue(authorityValidity(keys), ctx.now())) return
  const isRenewed = await renewAuthorityOf(ctx.secrets, ctx.now(), (held) =>
    isAuthorityRenewalDue(authorityValidity(held), ctx.now()),
  )
  if (!isRenewed) return
  await write(ctx, systemCaller, async (_, record) => record({ action: 'renewAuthority', target: 'authority of the fleet' }))
  ctx.log.info('fleet authority renewed')
}
