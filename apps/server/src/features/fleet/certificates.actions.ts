import { agentApi } from '@causeway/contract'
import { systemCaller, type Ctx } from '../../ctx.ts'
import { AgentError } from '../../ground/agents.ts'
import {
  authorityValidity,
  describeCertificate,
  mintAgentPayload,
  readFleetKeys,
  renewAuthorityOf,
  signNodeRequest,
  type FleetKeys,
} from '../../ground/fleet-keys.ts'
import { write } from '../audit/audit.actions.ts'
import { insertCertificate } from '../../ground/node-identity.queries.ts'
import { isAuthorityRenewalDue, isRenewalDue } from './certificates.rules.ts'
import { findNodeTask, type NodeTask } from './tasks.queries.ts'

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
    const pem = await (node.identity ? signNextKey(ctx, node, keys) : sendNextKey(ctx, node, keys))
    const next = describeCertificate(pem)
    ctx.agents.noteCertificate(node, next)
    ctx.log.info({ node: node.name, expiresAt: next.validTo }, 'node certificate renewed')
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    ctx.log.warn({ node: node.name, err: error }, 'failed to renew a node certificate; retrying')
  }
}

/** The key is made here, as that of the secret key was. */
async function sendNextKey(ctx: Ctx, node: NodeTask, keys: FleetKeys): Promise<string> {
  const payload = await mintAgentPayload(keys, ctx.now())
  await ctx.agents.call(node, agentApi.renewCertificate, payload)
  return payload.nodeCertPem
}

/** The node makes its next key itself. The certificate counts before the agent has it: the answer may be lost. */
async function signNextKey(ctx: Ctx, node: NodeTask, keys: FleetKeys): Promise<string> {
  const { request } = await ctx.agents.call(node, agentApi.requestCertificate, undefined)
  const signed = await signNodeRequest(keys, request, node.uuid, ctx.now())
  await write(ctx, systemCaller, async (tx, record) => {
    await insertCertificate(tx, { uuid: node.uuid, isCalling: node.identity?.isCalling ?? false }, signed, ctx.now())
    record({ action: 'signNodeCertificate', target: node.uuid })
  })
  // Connections are compared with what counts now.
  const { identity } = (await findNodeTask(ctx.db, node.id)) ?? node
  const payload = { nodeCertPem: signed.certPem, caCertPem: keys.caCertPem, jwtPublicKey: keys.jwtPublicKeyPem }
  await ctx.agents.call({ ...node, identity }, agentApi.takeCertificate, payload)
  return signed.certPem
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
