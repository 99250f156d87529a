import type { Writes } from '../declared.ts'
import type { TestServer } from '../../server.ts'
import { ADDED, DELETED, NOW, added } from '../rows.ts'
import { configOf, PROFILES } from '../inhabitants.ts'

const content = [{ tag: 'WARP', protocol: 'freedom' }]
const revision = (of: object, reason: object = {}) =>
  added({ at: NOW, actorKind: 'admin', actorName: 'admin', content: JSON.stringify(of, null, 2), ...reason })

/** Side names the snippet; no new revision of it is on its way. */
async function named({ ctx: { db } }: TestServer): Promise<void> {
  const config = { ...configOf([...PROFILES.Side]), outbounds: [{ snippet: 'ads' }] }
  await db
    .updateTable('configProfiles')
    .set({ config: JSON.stringify(config) })
    .where('name', '=', 'Side')
    .execute()
  await db
    .updateTable('configProfileRollouts')
    .set({ state: 'done', endedAt: new Date('2026-03-01') })
    .execute()
}

export const snippetWrites = {
  createSnippet: () => ({
    input: { name: 'fourth', snippet: content },
    changes: {
      snippets: { fourth: added({ snippet: content }) },
      revisions: { 'snippet fourth 1': revision(content) },
      auditLog: { 'createSnippet fourth': ADDED },
    },
  }),
  // The nodes of Side start with it, and those of profiles that do not name it do not.
  updateSnippet: () => ({
    before: named,
    input: { name: 'ads', snippet: content, reason: 'because' },
    changes: {
      snippets: { ads: { snippet: content, updatedAt: NOW } },
      revisions: { 'snippet ads 2': revision(content, { reason: 'because' }) },
      nodeStates: { beta: { startRequestedAt: NOW, startsAsked: 2, requestTicket: 2 } },
      auditLog: { 'updateSnippet ads': ADDED },
    },
  }),
  // The one node of Side, whose profile names it, has it before the snippet does.
  startSnippetRollout: ({ snippets }) => ({
    before: async (server) => {
      await named(server)
      await server.ctx.db.updateTable('nodeStates').set({ isConnected: true, testsConfig: true }).execute()
    },
    input: { uuid: snippets.ads, snippet: content, reason: 'because' },
    changes: {
      configProfileRollouts: {
        'null because': added({
          actorKind: 'admin',
          actorName: 'admin',
          startedAt: NOW,
          snippetId: 'ads',
          snippet: content,
          followingHosts: [],
          renamed: [],
          state: 'running',
          jobId: 'rollOutProfile',
        }),
      },
      configProfileRolloutNodes: { 'null because beta': added({ wave: 1, state: 'starting', startsAsked: 1, since: NOW }) },
      nodeStates: { beta: { startRequestedAt: NOW, startsAsked: 2, requestTicket: 2 } },
      jobs: { rollOutProfile: added({ status: 'running', total: 1 }) },
      auditLog: { 'startRollout ads': added({ details: { jobId: 'rollOutProfile' } }) },
    },
  }),
  deleteSnippet: () => ({
    input: { name: 'warp' },
    changes: { snippets: { warp: DELETED }, auditLog: { 'deleteSnippet warp': ADDED } },
  }),
  syncSnippet: () => ({
    before: named,
    input: { name: 'ads' },
    changes: {
      nodeStates: { beta: { startRequestedAt: NOW, startsAsked: 2, requestTicket: 2 } },
      auditLog: { 'syncSnippet ads': ADDED },
    },
  }),
} satisfies Writes
