import {
  FIRST_GENERATION,
  programs,
  tokenPermissions,
  type ApiTokenDetails,
  type CallInput,
  type Permission,
  type updateApiToken,
} from '@causeway/contract'
import type { TFunction } from 'i18next'
import { isSameSet } from '../../api/edit-merge.ts'
import { defineForm, type FormOf, type WireFields } from '../../api/form-table.ts'
import { dateFormat } from '../../lib/numbers/formats.ts'
import { DAY_MS } from '../../lib/time/calendar.ts'
import { dateText, type DateEntry } from '../../lib/time/date-entry.ts'
import { isUntaken } from '../../lib/untaken.ts'

// A token in the form: its end as the picker has it, in the reader's time and without a zone.

type TokenWire = WireFields<CallInput<typeof updateApiToken>, 'uuid'>

/** Values that the form holds in another shape than the wire. */
interface OwnShapes {
  expiresAt: DateEntry
  /** Null: sees every user. */
  resellerUuid: string | null
  /** Null: everything. */
  permissions: readonly Permission[] | null
}

export type TokenForm = FormOf<TokenWire, OwnShapes>

/** Texts and formats that labels of the fields need. */
export interface TokenWords {
  t: TFunction<['api-tokens', 'ui']>
  language: string
}

const isSamePermissions = isSameSet((name: Permission) => name)

export const tokenForm = defineForm<TokenForm, TokenWire, ApiTokenDetails, TokenWords>({
  tokenName: {
    label: ({ t }) => t('name'),
    empty: () => '',
    fromEntity: (token) => token.tokenName,
    toWire: (name) => name,
  },
  /** Generation of the program that is to use it; the newest before one is chosen. */
  generation: {
    label: ({ t }) => t('program.label'),
    empty: () => programs[0].generation,
    fromEntity: ({ generation = FIRST_GENERATION }) => generation,
    toWire: (generation) => generation,
  },
  expiresAt: {
    label: ({ t }) => t('end.label'),
    // A token that is forgotten ends by itself, unless an administrator says otherwise.
    empty: () => inDays(DEFAULT_END_DAYS, new Date()),
    fromEntity: ({ expiresAt }) => (expiresAt === null ? null : toLocal(new Date(expiresAt))),
    toWire: (entry) => toInstant(entry),
    inWords: (entry, { t, language }) => {
      const at = toInstant(entry)
      if (!at) return t('end.never')
      return dateFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
    },
    check: (entry, { t }) => (isUntaken(entry) ? t('ui:calendar.untaken') : null),
  },
  resellerUuid: {
    label: ({ t }) => t('reseller.label'),
    empty: () => null,
    fromEntity: ({ reseller }) => reseller?.uuid ?? null,
    toWire: (uuid) => uuid,
  },
  permissions: {
    label: ({ t }) => t('rights.label'),
    empty: () => READ_ONLY,
    fromEntity: (token) => token.permissions,
    toWire: (permissions) => toPermissions(permissions),
    isSame: (one, other) => (one === null || other === null ? one === other : isSamePermissions(one, other)),
    inWords: (permissions, { t }) =>
      permissions === null || rightsOf(permissions) !== 'chosen' ? t(`rights.${rightsOf(permissions)}`) : permissions.join(', '),
  },
})

function toInstant(entry: DateEntry): string | null {
  const local = dateText(entry)
  return local === null || local === '' ? local : new Date(local.replace(' ', 'T')).toISOString()
}

function toPermissions(permissions: TokenForm['permissions']): Permission[] | null {
  return permissions === null ? null : [...permissions]
}

/** Whole seconds, as the picker shows them. */
function toLocal(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

export const END_DAYS = [7, 30, 90, 365] as const
const DEFAULT_END_DAYS: (typeof END_DAYS)[number] = 90

export function inDays(days: number, now: Date): string {
  return toLocal(new Date(now.getTime() + days * DAY_MS))
}

export const EVERY_PERMISSION: readonly Permission[] = [...tokenPermissions]
/** A wall shows nothing that the others do not; its permission is for tokens that open a wall alone. */
const WALL: Permission = 'wall.read'
export const READ_ONLY: readonly Permission[] = [...tokenPermissions].filter((name) => name.endsWith('.read') && name !== WALL)

export type Rights = 'all' | 'read' | 'wall' | 'chosen'

export function rightsOf(permissions: TokenForm['permissions']): Rights {
  if (permissions === null) return 'all'
  if (permissions.length === 1 && permissions[0] === WALL) return 'wall'
  const isReadOnly = permissions.length === READ_ONLY.length && READ_ONLY.every((name) => permissions.includes(name))
  return isReadOnly ? 'read' : 'chosen'
}

/** The permissions of tokens by what they are about: `users` may be read and written. */
export const areas: readonly { area: string; permissions: readonly Permission[] }[] = [
  ...Map.groupBy(tokenPermissions, (name) => name.split('.')[0] ?? '').entries(),
].map(([area, permissions]) => ({ area, permissions }))

/** What a program with these permissions may ask at once, to see that the token works. */
const tries: readonly [Permission, string][] = [
  ['users.read', '/api/users?start=0&size=1'],
  ['nodes.read', '/api/nodes'],
  ['hosts.read', '/api/hosts'],
  ['profiles.read', '/api/config-profiles'],
  ['squads.read', '/api/internal-squads'],
  ['subscriptions.read', '/api/subscriptions?start=0&size=1'],
  ['settings.read', '/api/subscription-settings'],
  ['billing.read', '/api/infra-billing/providers'],
  ['system.read', '/api/system/health'],
  [WALL, '/api/x/wall'],
]

export function curlLine(token: string, origin: string, permissions: TokenForm['permissions']): string {
  const path = tries.find(([name]) => permissions === null || permissions.includes(name))?.[1] ?? '/api/system/health'
  return `curl -H 'Authorization: Bearer ${token}' '${origin}${path}'`
}

const SOON_MS = 7 * DAY_MS

/** How near the end of a token is. */
export function endingOf(expiresAt: string | null, now: number): 'never' | 'ended' | 'soon' | 'later' {
  if (expiresAt === null) return 'never'
  const left = new Date(expiresAt).getTime() - now
  if (left <= 0) return 'ended'
  return left <= SOON_MS ? 'soon' : 'later'
}
