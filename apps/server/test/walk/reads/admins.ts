import { builtInRoles } from '@causeway/contract'
import { byText, type Held, type Reads } from '../read.ts'
import type { Row } from '../rows.ts'

/** A role as it is shown, of a row that names it. */
function roleOf(held: Held, { builtInRole, roleId }: Row) {
  const own = held.rows('roles').find(({ id }) => id === roleId)
  return own ? { ref: own['uuid'], name: own['name'] } : { ref: builtInRole, name: null }
}

const holding = (held: Held, column: string, value: unknown) =>
  held.rows('admins').filter((admin) => admin[column] === value).length

export const adminReads = {
  listAdmins: (held) => {
    const countOf = (table: 'passkeys' | 'sessions', adminId: unknown) =>
      held.rows(table).filter((row) => row['adminId'] === adminId).length
    return [
      {
        input: {},
        sees: ({ admins, invitations }) => [
          admins.map(({ username, role, hasAuthenticator, passkeys, sessions, tokens }) => ({
            username,
            role,
            hasAuthenticator,
            passkeys,
            sessions,
            tokens,
          })),
          invitations.map(({ note, role, invitedBy }) => ({ note, role, invitedBy })).toSorted(byText),
        ],
        is: [
          held.rows('admins').map((admin) => ({
            username: admin['username'],
            role: roleOf(held, admin),
            hasAuthenticator: held.rows('authenticators').some(({ adminId }) => adminId === admin['id']),
            passkeys: countOf('passkeys', admin['id']),
            sessions: countOf('sessions', admin['id']),
            tokens: held.rows('apiTokens').filter(({ madeBy }) => madeBy === admin['uuid']).length,
          })),
          held
            .rows('invitations')
            .map((row) => ({ note: row['note'], role: roleOf(held, row), invitedBy: row['invitedBy'] }))
            .toSorted(byText),
        ],
      },
    ]
  },
  listRoles: (held) => [
    {
      input: {},
      sees: ({ roles }) => roles.map(({ ref, name, holders }) => ({ ref, name, holders })),
      is: [
        ...builtInRoles.map((ref) => ({ ref, name: null, holders: holding(held, 'builtInRole', ref) })),
        ...held
          .rows('roles')
          .toSorted((one, other) => byText(one['name'], other['name']))
          .map(({ id, uuid, name }) => ({ ref: uuid, name, holders: holding(held, 'roleId', id) })),
      ],
    },
  ],
  listResellers: (held) => [
    {
      input: {},
      sees: ({ resellers }) =>
        resellers.map(({ uuid, name, maxUsers, users, promisedBytes, admins, tokens }) => ({
          uuid,
          name,
          maxUsers,
          users,
          promisedBytes,
          admins,
          tokens,
        })),
      is: held
        .rows('resellers')
        .toSorted((one, other) => byText(one['name'], other['name']))
        .map(({ uuid, name, maxUsers, squadUuids }) => {
          const own = held.rows('internalSquads').filter((squad) => [squadUuids].flat().includes(squad['uuid']))
          const squadsOf = (id: unknown) => held.rows('internalSquadMembers').filter(({ userId }) => userId === id)
          const isOwn = ({ squadId }: Row) => own.some(({ id }) => id === squadId)
          const users = held.rows('users').filter(({ id }) => squadsOf(id).length > 0 && squadsOf(id).every(isOwn))
          const promisedBytes = users.reduce((sum, user) => sum + Number(user['trafficLimitBytes']), 0)
          return { uuid, name, maxUsers, users: users.length, promisedBytes, admins: [], tokens: 0 }
        }),
    },
  ],
  getInvitation: (held) =>
    (['ola', 'pia'] as const).map((note) => {
      const row = held.rows('invitations').find((each) => each['note'] === note) ?? {}
      return {
        input: { token: held.world.links[note] },
        sees: ({ role, invitedBy }) => ({ role, invitedBy }),
        is: { role: roleOf(held, row), invitedBy: row['invitedBy'] },
      }
    }),
} satisfies Reads
