import type { Writes } from '../declared.ts'
import { ADDED, DELETED, NOW, added, every } from '../rows.ts'

/** Of the nodes that the squad leads to. */
const compared = every({ compareRequestedAt: NOW, requestTicket: 2 }, ['alpha', 'delta'])
const MEMBERS = ['ann', 'ben', 'dan', 'eve', 'fay']

export const internalSquadWrites = {
  createInternalSquad: ({ inbounds }) => ({
    input: { name: 'iron', inbounds: [inbounds['M_SS'] ?? '', inbounds['P_VLESS'] ?? ''] },
    changes: {
      internalSquads: { iron: added({ tags: [], viewPosition: 4 }) },
      internalSquadInbounds: { 'iron M_SS': ADDED, 'iron P_VLESS': ADDED },
      auditLog: { 'createInternalSquad iron': ADDED },
    },
  }),
  updateInternalSquad: ({ squads, inbounds }) => ({
    input: { uuid: squads.gold, name: 'platinum', inbounds: [inbounds['M_VLESS'] ?? '', inbounds['M_SS'] ?? ''] },
    changes: {
      internalSquads: { gold: { name: 'platinum', updatedAt: NOW } },
      internalSquadInbounds: { 'gold M_TROJAN': DELETED, 'gold M_SS': ADDED },
      nodeStates: compared,
      auditLog: { 'updateInternalSquad gold': ADDED },
    },
  }),
  deleteInternalSquad: ({ squads }) => ({
    input: { uuid: squads.gold },
    changes: {
      internalSquads: { gold: DELETED },
      internalSquadInbounds: every(DELETED, ['gold'], ['M_VLESS', 'M_TROJAN']),
      internalSquadMembers: every(DELETED, ['gold'], MEMBERS),
      nodeStates: compared,
      auditLog: { 'deleteInternalSquad gold': ADDED },
    },
  }),
  // Nodes are told of those who are active alone.
  addUsersToInternalSquad: ({ squads }) => ({
    input: { uuid: squads.gold },
    changes: {
      internalSquadMembers: every(ADDED, ['gold'], ['cat', 'dora', 'emil', 'finn']),
      changedUsers: { cat: ADDED },
      jobs: { addAllToSquad: added({ status: 'done', done: 9, total: 9 }) },
      auditLog: {
        'addUsersToInternalSquad gold': added({ details: { jobId: 'addAllToSquad', users: 9 } }),
        'addAllToSquad 9 users': added({ details: { jobId: 'addAllToSquad' } }),
      },
    },
  }),
  removeUsersFromInternalSquad: ({ squads }) => ({
    input: { uuid: squads.gold },
    changes: {
      internalSquadMembers: every(DELETED, ['gold'], MEMBERS),
      changedUsers: { ann: ADDED, ben: ADDED },
      jobs: { removeAllFromSquad: added({ status: 'done', done: 5, total: 5 }) },
      auditLog: {
        'removeUsersFromInternalSquad gold': added({ details: { jobId: 'removeAllFromSquad', users: 5 } }),
        'removeAllFromSquad 5 users': added({ details: { jobId: 'removeAllFromSquad' } }),
      },
    },
  }),
  addManyUsersToInternalSquad: ({ squads, users }) => ({
    input: { uuid: squads.gold, userUuids: [users.cat, users.ann] },
    changes: {
      internalSquadMembers: { 'gold cat': ADDED },
      changedUsers: { cat: ADDED },
      auditLog: { 'addUsersToInternalSquad gold': added({ details: { users: 2 } }) },
    },
  }),
  removeManyUsersFromInternalSquad: ({ squads, users }) => ({
    input: { uuid: squads.gold, userUuids: [users.cat, users.ann] },
    changes: {
      internalSquadMembers: { 'gold ann': DELETED },
      changedUsers: { ann: ADDED },
      auditLog: { 'removeUsersFromInternalSquad gold': added({ details: { users: 2 } }) },
    },
  }),
  setInternalSquadTags: ({ squads }) => ({
    input: { uuid: squads.gold, tags: ['EU', 'EU', 'A:1'] },
    changes: { internalSquads: { gold: { tags: ['EU', 'A:1'] } }, auditLog: { 'updateInternalSquad gold': ADDED } },
  }),
  reorderInternalSquads: ({ squads }) => ({
    input: {
      items: [
        { uuid: squads.silver, viewPosition: 101 },
        { uuid: squads.gold, viewPosition: 102 },
      ],
    },
    changes: {
      internalSquads: { silver: { viewPosition: 101 }, gold: { viewPosition: 102 } },
      auditLog: { 'reorderInternalSquads 2 squads': ADDED },
    },
  }),
} satisfies Writes
