import type { UserGroup, UserSortId, UserStatus } from '@causeway/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface Props {
  /** Which users: of a status, of a group that follows from the moment of asking, of a squad, or everyone. */
  status?: UserStatus
  among?: UserGroup
  /** Members of this squad. */
  squad?: string
  /** Members of this external squad. */
  externalSquad?: string
  sort?: UserSortId | `-${UserSortId}`
  /** The unit of a figure, where the link has no other words. */
  label?: string
  className?: string | undefined
  children: ReactNode
}

/** Opens the list of exactly these users, from its first page, whatever was looked at before. */
export function UsersLink({ status, among, squad, externalSquad, sort, label, className, children }: Props) {
  const search = {
    ...(status === undefined ? {} : { status }),
    ...(among === undefined ? {} : { among }),
    ...(squad === undefined ? {} : { activeInternalSquads: squad }),
    ...(externalSquad === undefined ? {} : { externalSquadUuid: externalSquad }),
    ...(sort === undefined ? {} : { sort }),
    page: '1',
  }
  return (
    <Link to="/dashboard/management/users" search={search} aria-label={label} className={className}>
      {children}
    </Link>
  )
}
